! Components of structures whose descriptions are loaded under a mask, and arrays that are optional: descriptions are read in front of the nest, zeros where
! there is none.
! RUN: %flang -O3 -ffp-contract=off -march=native -fopenmp -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -ffp-contract=off -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -ffp-contract=off -march=native -fopenmp %s -o %t.all
! RUN: env OMP_NUM_THREADS=3 %t.all | cmp - %t.expected
! CHECK: components-masked.f90:2{{[0-9]}}:{{.*}}loop nest transformed
module fields
  implicit none
  type field
    real(8), allocatable :: p(:, :), r(:, :)
  end type
contains
  subroutine relax(wet, f, n, m)
    logical, intent(in) :: wet(:, :)
    type(field), intent(inout) :: f
    integer, intent(in) :: n, m
    integer :: i, j
    do j = 2, m - 1
      do i = 2, n - 1
        if (wet(i, j)) then
          f%p(i, j) = f%p(i, j) * 0.5d0 + 0.125d0 * (f%r(i - 1, j) + f%r(i + 1, j) + f%r(i, j - 1) + f%r(i, j + 1))
        end if
      end do
    end do
  end subroutine

  subroutine scale(a, b, c, n, m)
    real(8), intent(inout) :: a(:, :)
    real(8), intent(in) :: b(:, :)
    real(8), intent(in), optional :: c(:, :)
    integer, intent(in) :: n, m
    integer :: i, j
    logical :: both
    both = present(c)
    do j = 1, m
      do i = 1, n
        if (b(i, j) > 0.5d0 .and. both) a(i, j) = a(i, j) + b(i, j) * c(j, i)
      end do
    end do
  end subroutine
end module

program main
  use fields
  implicit none
  integer, parameter :: n = 300, m = 300
  type(field) :: f
  logical :: wet(n, m)
  integer :: i, j
  allocate (f%p(n, m), f%r(n, m))
  do j = 1, m
    do i = 1, n
      f%p(i, j) = 1d-2 * mod(i * 7 + j * 3, 41)
      f%r(i, j) = 1d-2 * mod(i * 5 + j, 97)
      wet(i, j) = mod(i * 3 + j * 7, 11) /= 0
    end do
  end do
  do i = 1, 6
    call relax(wet, f, n, m)
    call scale(f%p, f%r, n=n, m=m)
    call scale(f%p, f%r, f%p(m:1:-1, :), 20, 30 + i)
    call scale(f%p, f%r, wet_numbers(), n, m)
  end do
  print '(*(z17.16))', f%p
contains
  function wet_numbers() result(x)
    real(8) :: x(m, n)
    x = merge(1d-1, 2d-1, transpose(wet))
  end function
end program
