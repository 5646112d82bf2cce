! What instruction selection itself decides: which product a sum takes up where factors are negated, where sums and differences of the same products are one
! instruction, and where a product with its sum is moved in front of a loop. The same bytes with and without the plugin.
! RUN: rm -rf %t && mkdir -p %t
! RUN: %flang -O3 -g1 -march=x86-64-v4 -Rpass=polytile -Rpass-missed=polytile -mllvm -polytile-min-work=0 -S -o /dev/null -module-dir %t %s 2>&1 | FileCheck %s
! RUN: flang-22 -O3 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/new
! RUN: env OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
! RUN: env OMP_NUM_THREADS=1 %t/new | cmp - %t/expected
module kernels
  implicit none
contains
  ! CHECK: rounding-selected.f90:[[@LINE+7]]:5: remark: loop nest transformed
  subroutine turn(n, dt, f, g, h, u, v, un, vn)
    integer, intent(in) :: n
    real(8), intent(in) :: dt, f, g, h(n,n), u(n,n), v(n,n)
    real(8), intent(inout) :: un(n,n), vn(n,n)
    real(8) :: z
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        z = f + 0.5d0*(v(i+1,j) - v(i-1,j))
        un(i,j) = u(i,j) + dt*(z*v(i,j) - g*(h(i+1,j) - h(i-1,j)))
        vn(i,j) = v(i,j) + dt*(-z*u(i,j) - g*(h(i,j+1) - h(i,j-1)))
      end do
    end do
  end subroutine
  ! CHECK: rounding-selected.f90:[[@LINE+7]]:7: remark: loop nest transformed
  subroutine product(n, a, b, c)
    integer, intent(in) :: n
    complex(8), intent(in) :: a(n,n), b(n,n)
    complex(8), intent(inout) :: c(n,n)
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        c(i,j) = c(i,j)*0.5d0 + a(i-1,j)*b(i,j+1)
      end do
    end do
  end subroutine
  ! CHECK: rounding-selected.f90:[[@LINE+6]]:7: remark: loop nest transformed
  subroutine weights(n, a, w)
    integer, intent(in) :: n
    real(4), intent(inout) :: a(n,n,n), w(n,n,n)
    integer :: i, j, k
    do k = 1, n
      do j = 1, n
        do i = 1, n
          w(i,j,k) = 0.1 + 0.01*mod(i + k, 5)
          a(i,j,k) = a(i,j,k) + w(i,j,k)*0.3
        end do
      end do
    end do
  end subroutine
  ! A sine of `float` that the compiler computes is not always the library's.
  ! CHECK: rounding-selected.f90:[[@LINE+4]]:5: remark: loop nest not transformed: the compiler may compute calls of 'llvm.sin' in advance
  subroutine sines(a)
    real(4), intent(inout) :: a(37,37)
    integer :: i, j
    do j = 1, 37
      do i = 1, 37
        a(i,j) = a(i,j)*0.5 + sin(1.3*i)
      end do
    end do
  end subroutine
end module
program main
  use kernels
  implicit none
  integer, parameter :: n = 37
  real(8) :: h(n,n), u(n,n), v(n,n), un(n,n), vn(n,n)
  complex(8) :: a(n,n), b(n,n), c(n,n)
  real(4) :: s(n,n,n), w(n,n,n), x(n,n)
  integer :: i, j, t
  do j = 1, n
    do i = 1, n
      h(i,j) = mod(i*7 + j*3, 11)*0.37d0; u(i,j) = mod(i + j*5, 13)*0.11d0 - 0.6d0; v(i,j) = mod(i*3 + j*2, 17)*0.23d0 - 1.1d0
      a(i,j) = cmplx(u(i,j), v(i,j), 8); b(i,j) = cmplx(v(j,i), h(i,j), 8)
    end do
  end do
  un = 0; vn = 0; c = 0; s = 0.7; x = 0.3
  do t = 1, 3
    call turn(n, 0.01d0, 0.3d0, 9.81d0, h, u, v, un, vn)
    call product(n, a, b, c)
    call weights(n, s, w)
    call sines(x)
    u = un; v = vn
  end do
  print *, un, vn, c, s, w, x
end program
