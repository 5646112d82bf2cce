! An iteration whose loops each have a version for arrays without gaps: those for arrays with gaps are no part of the model. Where the array is a section with
! gaps, or runs backwards, the original runs.
! RUN: %flang -O3 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
module nests
contains
! CHECK: scop "{{.*}}lower
! CHECK: write { S0[i0, i1] -> M{{.*}}[i0, 1 + i0 + i1] }
! CHECK: write { S1[i0, i1, i2] -> M{{.*}}[1 + i0 + i1, 1 + i0 + i2] }
  subroutine lower(a)
    real(8), intent(inout) :: a(:, :)
    integer :: i, j, k, n
    n = size(a, 1)
    do k = 1, n
      do i = k + 1, n
        a(i, k) = a(i, k) / a(k, k)
      end do
      do j = k + 1, n
        do i = k + 1, n
          a(i, j) = a(i, j) - a(i, k) * a(k, j)
        end do
      end do
    end do
  end subroutine
  subroutine fill(a)
    real(8), intent(out) :: a(:, :)
    integer :: i, j
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = mod(i * 7 + j * 3, 11) * .25d0
        if (i == j) a(i, j) = 30
      end do
    end do
  end subroutine
end module
program main
  use nests
  real(8) :: a(40, 40)
  real(8), target :: b(80, 40)
  integer :: n
  do n = 1, 40, 13
    call fill(a)
    call lower(a(1:n, 1:n))
    print *, sum(a), a(n, n)
  end do
  call fill(b)
  call lower(b(1:80:2, :))
  print *, sum(b)
  call fill(b)
  call lower(b(40:1:-1, :))
  print *, sum(b)
  call fill(b)
  call lower(b(1:40, 40:1:-1))
  print *, sum(b)
end program
