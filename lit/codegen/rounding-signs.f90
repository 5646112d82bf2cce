! Which product a sum takes up, where that needs more than a look at its operands. The same bytes with and without the plugin.
! RUN: rm -rf %t && mkdir -p %t && flang-22 -O3 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/new
! RUN: env OMP_NUM_THREADS=1 %t/new | cmp - %t/expected
! RUN: env OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
! RUN: %flang -O3 -march=x86-64-v3 -Rpass=polytile -Rpass-missed=polytile -mllvm -polytile-min-work=0 -S -o /dev/null -module-dir %t %s 2>&1 | FileCheck %s
module kernels
contains
  ! The square of a value that is scaled as well is no second copy of that product.
  ! CHECK: rounding-signs.f90:[[@LINE+6]]:5: remark: loop nest transformed
  subroutine residual(n, a, b, c, r)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n,n), b(n,n)
    real(8), intent(inout) :: c(n,n), r
    real(8) :: s
    do j = 2, n - 1
      do i = 2, n - 1
        s = (0.25d0*(a(i-1,j) + a(i+1,j)) - a(i,j))*b(i,j)
        r = r + s*s
        c(i,j) = a(i,j) + 0.8d0*s
      end do
    end do
  end subroutine
  ! A product with several uses is rounded on its own.
  ! CHECK: rounding-signs.f90:[[@LINE+7]]:7: remark: loop nest transformed
  subroutine twice(n, a, b, c, d)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n,n), b(n,n)
    real(8), intent(inout) :: c(n,n), d(n,n)
    real(8) :: p
    do j = 2, n - 1
      do i = 2, n - 1
        p = a(i-1,j)*b(i+1,j)
        c(i,j) = c(i,j) + p
        d(i,j) = d(i,j) - p
      end do
    end do
  end subroutine
  ! Of two products the one that is negated may come second: in eight lanes it did not, in four and alone it did.
  ! CHECK: rounding-signs.f90:[[@LINE+6]]:5: remark: loop nest not transformed: the compiler may round a sum of products in two ways
  subroutine signs(n, y, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: y, a(n,n), b(n,n)
    real(8), intent(inout) :: c(n,n)
    real(8), parameter :: x = 0.3d0
    do j = 2, n - 1
      do i = 2, n - 1
        c(i,j) = -(y*a(i+1,j+1)) - a(i-1,j-1)*x - (-b(i+1,j)*a(i-1,j+1) - a(i-1,j)*0.25d0)
      end do
    end do
  end subroutine
  ! Neighbouring products and their sums, which become vectors together.
  ! CHECK: rounding-signs.f90:[[@LINE+6]]:5: remark: loop nest transformed
  subroutine fields(n, dt, a, line, u)
    integer, intent(in) :: n
    real(8), intent(in) :: dt, a(5,n), line(5,n)
    real(8), intent(inout) :: u(5,n,n)
    integer :: i, m
    do j = 1, n
      do i = 2, n - 1
        do m = 1, 5
          u(m,i,j) = dt*a(m,i)*(1.0d0 + 0.1d0*line(m,j))
        end do
      end do
    end do
  end subroutine
end module
program main
  use kernels
  integer :: sizes(6) = [1, 2, 7, 20, 33, 70]
  real(8), allocatable :: a(:,:), b(:,:), c(:,:), d(:,:), u(:,:,:), v(:,:), w(:,:)
  real(8) :: r
  do k = 1, 6
    n = sizes(k)
    allocate(a(n,n), b(n,n), c(n,n), d(n,n), u(5,n,n), v(5,n), w(5,n))
    do j = 1, n
      do i = 1, n
        a(i,j) = mod(i*7919 + j*104729, 1000)/999d0
        b(i,j) = mod(i*31 + j*17, 97)/97d0
        c(i,j) = mod(i*11 + j*13, 89)/87d0
        d(i,j) = -c(i,j)
      end do
      do i = 1, 5
        v(i,j) = mod(i*77 + j*131, 101)/99d0
        w(i,j) = mod(i*7 + j*31, 103)/101d0
      end do
    end do
    r = 0
    u = 0
    call residual(n, a, b, c, r)
    call twice(n, a, b, c, d)
    call signs(n, 1.1d0/3, a, b, c)
    call fields(n, 1.3d0/7, v, w, u)
    print '(4z17.16)', r, c, d, u
    deallocate(a, b, c, d, u, v, w)
  end do
end program
