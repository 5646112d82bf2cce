! Two divisions that are added become one vector, which is added to itself shuffled: what such a sum stands for is known, so that nests beside it are
! transformed, and each nest has the same bytes with and without the plugin.
! RUN: rm -rf %t && mkdir -p %t && flang-22 -O3 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/new && env OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
! RUN: %flang -O3 -g1 -march=x86-64-v4 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null -module-dir %t %s 2>&1 | FileCheck %s
! CHECK: rounding-combined.f90:[[@LINE+10]]:7: remark: loop nest transformed
module hydro
contains
  subroutine step(n, p, q, d, f, e, v)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n,n), q(n,n), d(n,n), f(n,n)
    real(8), intent(inout) :: e(n,n), v(n,n)
    integer :: i, j
    real(8) :: total
    do j = 2, n - 1
      do i = 2, n - 1
        total = f(i,j) - f(i-1,j) + f(i,j) - f(i,j-1)
        e(i,j) = e(i,j) - (p(i,j)/d(i,j) + q(i,j)/d(i,j))*total
      end do
    end do
    do j = 2, n - 1
      do i = 2, n - 1
        v(i,j) = v(i,j) + e(i-1,j)*f(i,j)
      end do
    end do
  end subroutine
end module
program main
  use hydro
  integer, parameter :: sizes(4) = [3, 10, 37, 130]
  real(8), allocatable :: p(:,:), q(:,:), d(:,:), f(:,:), e(:,:), v(:,:)
  integer :: s, n, i, j
  do s = 1, 4
    n = sizes(s)
    allocate(p(n,n), q(n,n), d(n,n), f(n,n), e(n,n), v(n,n))
    do j = 1, n
      do i = 1, n
        p(i,j) = mod(i*7919 + j*104729, 1000)/1000d0
        q(i,j) = mod(i*31 + j*17, 97)/97d0
        d(i,j) = 1 + mod(i*11 + j*13, 89)/89d0
        f(i,j) = sin(0.37d0*i*j)
        e(i,j) = cos(0.11d0*i + j)
        v(i,j) = 0.1d0*i - j
      end do
    end do
    call step(n, p, q, d, f, e, v)
    print '(4z17.16)', e, v
    deallocate(p, q, d, f, e, v)
  end do
end program
