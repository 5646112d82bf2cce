! Sums of products in Fortran, whose rounding the back end chooses: the same bytes with and without the plugin, where the new version runs
! and where it does not.
! RUN: rm -rf %t && mkdir -p %t && flang-22 -O2 -march=native -module-dir %t %s -o %t/plain2 && %t/plain2 > %t/expected2
! RUN: %flang -O2 -g1 -march=x86-64-v3 -Rpass=polytile -Rpass-missed=polytile -mllvm -polytile-only=_QMkernelsPproduct -S -o /dev/null -module-dir %t %s 2>&1 | FileCheck %s
! RUN: flang-22 -O3 -march=native -module-dir %t %s -o %t/plain3 && %t/plain3 > %t/expected3
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O2 -march=native -fopenmp -module-dir %t %s -o %t/new2
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/new3
! RUN: env POLYTILE=verify=on %flang -O3 -march=native -module-dir %t %s -o %t/usual3
! RUN: env OMP_NUM_THREADS=3 %t/new2 | cmp - %t/expected2
! RUN: env OMP_NUM_THREADS=3 %t/new3 | cmp - %t/expected3
! RUN: %t/usual3 | cmp - %t/expected3
! CHECK: rounding.f90:[[@LINE+10]]:7: remark: loop nest transformed
module kernels
contains
  subroutine product(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n,n), b(n,n)
    real(8), intent(inout) :: c(n,n)
    integer :: i, j, k
    ! one product: taken up in every copy of the sum
    do j = 1, n
      do k = 1, n
        do i = 1, n
          c(i,j) = c(i,j) - a(i,k)*b(k,j)
        end do
      end do
    end do
  end subroutine
  ! a product with three uses is rounded on its own
  subroutine heat(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n,n)
    real(8), intent(inout) :: b(n,n)
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        b(i,j) = a(i,j) + 0.125d0*(a(i+1,j) - 2*a(i,j) + a(i-1,j)) + 0.125d0*(a(i,j+1) - 2*a(i,j) + a(i,j-1))
      end do
    end do
  end subroutine
  ! neighbouring products, which may become vectors
  subroutine smooth(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n,n)
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        a(i,j) = 0.1d0*a(i-1,j) + 0.2d0*a(i,j) + 0.3d0*a(i+1,j) + 0.15d0*a(i,j-1) + 0.25d0*a(i,j+1)
      end do
    end do
  end subroutine
  subroutine convolution(n, a, w, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(:,:), w(:,:)
    real(8), intent(inout) :: c(:,:)
    integer :: i, j, k, l
    real(8) :: s
    do j = 4, n - 3
      do i = 4, n - 3
        s = 0
        do l = -3, 3
          do k = -3, 3
            s = s + a(i+k,j+l)*w(k+4,l+4)
          end do
        end do
        c(i,j) = s
      end do
    end do
  end subroutine
  subroutine sweep(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n,n), b(n,n), c(n,n)
    integer :: i, j
    do i = 2, n - 1
      do j = 2, n - 1
        c(i,j) = 0.4d0/(-0.4d0*c(i,j-1) + 1.8d0)
        b(i,j) = (0.3d0*a(j,i-1) + (1 - 0.6d0)*a(j,i) + 0.3d0*a(j,i+1) + 0.4d0*b(i,j-1))/(-0.4d0*c(i,j-1) + 1.8d0)
      end do
      do j = n - 1, 2, -1
        a(j,i) = c(i,j)*a(j+1,i) + b(i,j)
      end do
    end do
  end subroutine
  subroutine arrays(n, x, y, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: x, y
    real(8), intent(inout) :: a(:,:), b(:,:), c(:,:)
    b(2:n-1,2:n-1) = x*a(2:n-1,2:n-1) + y*(a(1:n-2,2:n-1) + a(3:n,2:n-1))
    where (a > 0.5d0)
      c = c + x*a
    elsewhere
      c = c - y*b
    end where
    a = a + x*matmul(b, c)*1d-3
  end subroutine
  subroutine rank2(n, c, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    real(8), intent(inout) :: c(n,n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        c(i,j) = c(i,j) + x(i)*y(j) - y(i)*x(j)
      end do
    end do
  end subroutine
  subroutine complex_product(n, z, w)
    integer, intent(in) :: n
    complex(8), intent(inout) :: z(n,n)
    complex(8), intent(in) :: w(n,n)
    integer :: i, j, k
    do j = 1, n
      do k = 1, n
        do i = 1, n
          z(i,j) = z(i,j) + w(i,k)*w(k,j)
        end do
      end do
    end do
  end subroutine
end module
program main
  use kernels
  integer :: sizes(5) = [1, 7, 20, 33, 70]
  real(8), allocatable :: a(:,:), b(:,:), c(:,:)
  complex(8), allocatable :: z(:,:), w(:,:)
  integer :: s, n, i, j
  do s = 1, 5
    n = sizes(s)
    allocate(a(n,n), b(n,n), c(n,n), z(n,n), w(n,n))
    do j = 1, n
      do i = 1, n
        a(i,j) = mod(i*7919 + j*104729, 1000)/1000d0
        b(i,j) = mod(i*31 + j*17, 97)/97d0
        c(i,j) = mod(i*11 + j*13, 89)/89d0
        z(i,j) = cmplx(a(i,j), b(i,j), 8)
        w(i,j) = cmplx(c(i,j), -b(i,j), 8)
      end do
    end do
    call product(n, a, b, c)
    call heat(n, a, b)
    call smooth(n, a)
    if (n > 6) call convolution(n, a, b, c)
    call sweep(n, a, b, c)
    call arrays(n, 1.1d0, 0.7d0, a, b, c)
    call rank2(n, c, a(:,1), b(:,1))
    call complex_product(n, z, w)
    print '(4z17.16)', a, b, c, z
    deallocate(a, b, c, z, w)
  end do
end program
