! Arrays of assumed shape without an innermost loop over their first dimension: an elimination that goes along rows, and columns of a tridiagonal system
! one after the other. Byte strides are multiples of elements where LLVM divides them by an element's size. Sections with gaps, reversed ones and
! components of structures run the original, or the same.
! RUN: %flang -O3 -ffp-contract=off -march=native -fopenmp -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -ffp-contract=off -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env OMP_NUM_THREADS=3 POLYTILE_VERBOSE=1 %t.new 2>%t.runs | cmp - %t.expected
! RUN: FileCheck --check-prefix=RUNS %s < %t.runs
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -ffp-contract=off -march=native -fopenmp %s -o %t.all
! RUN: env OMP_NUM_THREADS=3 %t.all | cmp - %t.expected
! CHECK-DAG: assumed-shape.f90:22:{{.*}}loop nest transformed
! CHECK-DAG: assumed-shape.f90:39:{{.*}}loop nest transformed
! RUNS: diffuse: new version {{[1-9]}}
module columns
  implicit none
contains
  subroutine eliminate(a, b, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(:, :), b(:, :)
    integer :: i, j, k
    real(8) :: f
    do k = 1, n
      do i = 1, n
        if (i == k) cycle
        f = a(i, k)
        do j = 1, n
          a(i, j) = a(i, j) - f * a(k, j)
          b(i, j) = b(i, j) - f * b(k, j)
        end do
      end do
    end do
  end subroutine

  subroutine diffuse(c, d, x, m, n)
    integer, intent(in) :: m, n
    real(8), intent(in) :: c(:, :), d(:, :)
    real(8), intent(inout) :: x(:, :)
    real(8) :: below(n), at(n), above(n), right(n), w
    integer :: i, k
    do i = 1, m
      do k = 1, n
        below(k) = -c(i, k) / (d(i, k) * d(i, k))
        above(k) = -c(i, k + 1) / (d(i, k) * d(i, k))
        at(k) = 1d0 - below(k) - above(k)
        right(k) = x(i, k)
      end do
      do k = 2, n
        w = below(k) / at(k - 1)
        at(k) = at(k) - w * above(k - 1)
        right(k) = right(k) - w * right(k - 1)
      end do
      x(i, n) = right(n) / at(n)
      do k = n - 1, 1, -1
        x(i, k) = (right(k) - above(k) * x(i, k + 1)) / at(k)
      end do
    end do
  end subroutine
end module

program main
  use columns
  implicit none
  integer, parameter :: n = 150, m = 400
  type cell
    real(8) :: x
    integer :: kind
    real(8) :: y
  end type
  real(8), allocatable :: a(:, :), b(:, :), c(:, :), d(:, :), x(:, :)
  type(cell) :: cells(n, n)
  integer :: i, j
  allocate (a(2 * n, n), b(n, n), c(m, n + 1), d(m, n), x(m, n))
  call fill()
  call eliminate(a(1:n, :), b, n)
  print '(*(z17.16))', a, b
  call fill()
  call eliminate(a(1:2 * n:2, :), b(n:1:-1, :), n)
  print '(*(z17.16))', a, b
  call fill()
  cells%x = a(1:n, :)
  call eliminate(cells%x, b, n)
  print '(*(z17.16))', cells%x, b
  call eliminate(b(:, n:1:-1), cells%y, 1)
  call diffuse(c, d, x, m, n)
  print '(*(z17.16))', x
  call fill()
  call diffuse(c(m:1:-1, :), d(m:1:-1, :), x(::2, :), m / 2, n)
  print '(*(z17.16))', x
contains
  subroutine fill()
    do j = 1, n
      do i = 1, 2 * n
        a(i, j) = 1d-4 * mod(i * 7 + j * j, 31) + merge(1d0, 0d0, mod(i - j, n) == 0)
      end do
      b(:, j) = [(1d-3 * mod(i * 5 + j, 17), i = 1, n)]
      x(:, j) = [(1d-3 * mod(i * 3 + j, 29), i = 1, m)]
      d(:, j) = [(1d0 + 1d-2 * mod(i + j, 5), i = 1, m)]
    end do
    do j = 1, n + 1
      c(:, j) = [(1d-1 + 1d-3 * mod(i + 2 * j, 7), i = 1, m)]
    end do
    cells%y = 0
  end subroutine
end program
