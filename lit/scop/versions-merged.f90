! Sums and updates of columns of arrays of assumed shape: the versions of an inner loop for elements side by side and for others merge in the middle of an iteration,
! and of an array whose elements lie side by side the other strides are multiples of elements.
! RUN: %flang -O3 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
module columns
contains
  ! CHECK: versions-merged.f90:[[@LINE+7]]:{{[0-9]+}}: remark: loop nest transformed: {{[4-9]}} statements
  subroutine orthogonal(q, r)
    real(8), intent(inout) :: q(:, :), r(:, :)
    integer :: j, k
    do j = 1, size(q, 2)
      r(j, j) = sqrt(dot_product(q(:, j), q(:, j)))
      q(:, j) = q(:, j) / r(j, j)
      do k = j + 1, size(q, 2)
        r(j, k) = dot_product(q(:, j), q(:, k))
        q(:, k) = q(:, k) - r(j, k) * q(:, j)
      end do
    end do
  end subroutine
end module
program main
  use columns
  integer, parameter :: sizes(6) = [0, 1, 2, 3, 17, 70]
  type pair
    real(8) :: a, b
  end type
  real(8) :: q(80, 75), r(75, 75)
  type(pair) :: p(80, 75)
  integer :: i, j, n, s
  do s = 1, 6
    n = sizes(s)
    do j = 1, 75
      do i = 1, 80
        q(i, j) = mod(i * 7 + j * 13, 31) + 1d0 / (i + j)
        p(i, j) % a = q(i, j)
        p(i, j) % b = i - j
      end do
    end do
    r = 0
    call orthogonal(q(1:n, 1:n), r)
    print *, sum(r), sum(q)
    ! Every other element of a row, columns from the last to the first, and elements in structures.
    call orthogonal(q(1:n:2, 1:n), r)
    print *, sum(r), sum(q)
    call orthogonal(q(:, n:1:-1), r)
    print *, sum(r), sum(q)
    call orthogonal(p(:n + 3, 1:n) % a, r)
    print *, sum(r), sum(p % a), sum(p % b)
  end do
end program
