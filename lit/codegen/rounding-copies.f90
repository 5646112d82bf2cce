! Sums whose loop is unrolled before it is looked at, because its parity goes to and fro: the copies are rounded as the sum is.
! RUN: rm -rf %t && mkdir -p %t
! RUN: %flang -O3 -g1 -march=x86-64-v4 -Rpass=polytile -Rpass-missed=polytile -mllvm -polytile-only=_QMkernelsPsmooth -S -o /dev/null -module-dir %t %s 2>&1 | FileCheck %s
! CHECK-NOT: may round
! CHECK: rounding-copies.f90:[[@LINE+21]]:9: remark: loop nest transformed
! CHECK-NOT: may round
! RUN: flang-22 -O3 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/new
! RUN: env OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
! RUN: env OMP_NUM_THREADS=1 %t/new | cmp - %t/expected
module kernels
  implicit none
  type grid
    integer :: nx, ny
    real(8) :: h
    real(8), allocatable :: p(:,:), rhs(:,:), coef(:,:)
  end type
contains
  subroutine smooth(g, omega)
    type(grid), intent(inout) :: g
    real(8), intent(in) :: omega
    integer :: i, j, c
    real(8) :: cw, ce, cs, cn
    do c = 0, 1
      do j = 1, g%ny
        do i = 1 + mod(j + c, 2), g%nx, 2
          cw = 0.5d0*(g%coef(i,j) + g%coef(i-1,j))
          ce = 0.5d0*(g%coef(i,j) + g%coef(i+1,j))
          cs = 0.5d0*(g%coef(i,j) + g%coef(i,j-1))
          cn = 0.5d0*(g%coef(i,j) + g%coef(i,j+1))
          g%p(i,j) = (1d0 - omega)*g%p(i,j) + omega/(cw + ce + cs + cn)*(cw*g%p(i-1,j) + ce*g%p(i+1,j) &
            + cs*g%p(i,j-1) + cn*g%p(i,j+1) - g%h*g%h*g%rhs(i,j))
        end do
      end do
    end do
  end subroutine
end module
program main
  use kernels
  implicit none
  type(grid) :: g
  integer :: i, j, k
  do k = 1, 3
    g%nx = 30 + 7*k; g%ny = 41 - 9*k; g%h = 1d0/g%nx
    allocate(g%p(0:g%nx+1,0:g%ny+1), g%rhs(g%nx,g%ny), g%coef(0:g%nx+1,0:g%ny+1))
    g%p = 0d0
    do j = 0, g%ny + 1
      do i = 0, g%nx + 1
        g%coef(i,j) = 1d0 + 0.5d0*sin(0.1d0*i)*cos(0.2d0*j)
      end do
    end do
    do j = 1, g%ny
      do i = 1, g%nx
        g%rhs(i,j) = sin(0.3d0*i)*sin(0.4d0*j)
      end do
    end do
    do i = 1, 5
      call smooth(g, 1.7d0)
    end do
    print *, sum(g%p), maxval(g%p)
    deallocate(g%p, g%rhs, g%coef)
  end do
end program
