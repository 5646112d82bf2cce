! Two nests for one array, of which the compiler made one for elements side by side and one for any stride: no shape fits the accesses of both.
! Each is looked at alone, and the first one is the elimination that it is for arrays of explicit shape.
! RUN: %flang -O3 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
module nests
contains
! CHECK: scop "{{.*}}eliminate
! CHECK: write { S0[i0, i1, i2] -> M{{.*}}[1 + i0 + i1, 1 + i0 + i2] }
! CHECK: read { S0[i0, i1, i2] -> M{{.*}}[1 + i0 + i1, i0] }
  subroutine eliminate(a)
    real(8), intent(inout) :: a(:, :)
    integer :: k, j, n
    n = size(a, 1)
    do k = 1, n
      do j = k + 1, n
        a(k + 1:n, j) = a(k + 1:n, j) - a(k + 1:n, k) * a(k, j)
      end do
    end do
  end subroutine
end module

program main
  use nests
  integer, parameter :: n = 60
  real(8) :: a(2 * n, n)
  integer :: i, j
  call fill()
  call eliminate(a(1:n, :))
  print '(*(z17.16))', a
  call fill()
  call eliminate(a(1:2 * n:2, :))
  print '(*(z17.16))', a
  call fill()
  call eliminate(a(n:1:-1, n:1:-1))
  print '(*(z17.16))', a
contains
  subroutine fill()
    do j = 1, n
      do i = 1, 2 * n
        a(i, j) = 1d-3 * mod(i * 7 + j * j, 31) + merge(1d0, 0d0, mod(i - j, n) == 0)
      end do
    end do
  end subroutine
end program
