! Fluxes in arrays of the routine itself, which array syntax clears in each plane, of fields that are components of a type: descriptions of these are loaded
! behind what is cleared. That writes to none of them, so that the way to where they are loaded is known in front of the nest.
! RUN: mkdir -p %t.d
! RUN: %flang -O3 -g1 -module-dir %t.d -Rpass=polytile -c %s -o %t.o 2>&1 | FileCheck %s
! RUN: flang-22 -O3 -march=native -module-dir %t.d %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t.d %s -o %t.new
! RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
module ocean
  implicit none
  type grid
    integer :: nx, ny, nz
    real(8), allocatable :: u(:,:,:), v(:,:,:), t(:,:,:)
  end type
contains
  subroutine init(g, nx, ny)
    type(grid), intent(out) :: g
    integer, intent(in) :: nx, ny
    integer :: i, j, k
    g%nx = nx; g%ny = ny; g%nz = 5
    allocate(g%u(nx, ny, 5), g%v(nx, ny, 5), g%t(nx, ny, 5))
    do k = 1, g%nz
      do j = 1, g%ny
        do i = 1, g%nx
          g%u(i,j,k) = 0.01d0*mod(7*i + j, 13) - 0.05d0
          g%v(i,j,k) = 0.01d0*mod(3*j + k, 11) - 0.03d0
          g%t(i,j,k) = 10 + mod(i*j + k, 7)
        end do
      end do
    end do
  end subroutine
  subroutine advect(g, c, dt)
    type(grid), intent(in) :: g
    real(8), intent(inout) :: c(:,:,:)
    real(8), intent(in) :: dt
    real(8) :: fx(g%nx, g%ny), fy(g%nx, g%ny)
    integer :: i, j, k
! CHECK: automatic-fluxes.f90:[[@LINE+1]]:5: {{.*}}: loop nest transformed: 5 statements
    do k = 1, g%nz
      fx = 0
      fy = 0
      do j = 2, g%ny-1
        do i = 3, g%nx-1
          fx(i,j) = g%u(i,j,k) * (c(i-1,j,k) + 0.25d0*(c(i-1,j,k) - c(i-2,j,k)))
        end do
      end do
      do j = 3, g%ny-1
        do i = 2, g%nx-1
          fy(i,j) = 0.5d0*(g%v(i,j,k)*(c(i,j-1,k) + c(i,j,k)) - abs(g%v(i,j,k))*(c(i,j,k) - c(i,j-1,k)))
        end do
      end do
      do j = 3, g%ny-2
        do i = 3, g%nx-2
          c(i,j,k) = c(i,j,k) - dt*(fx(i+1,j) - fx(i,j) + fy(i,j+1) - fy(i,j))
        end do
      end do
    end do
  end subroutine
end module
program main
  use ocean
  implicit none
  type(grid) :: g
  integer :: n, t
  do n = 1, 40, 3
    call init(g, n, n + 4)
    do t = 1, 5
      call advect(g, g%t, 0.1d0)
    end do
    print '(i4, 2es25.16)', n, sum(g%t), maxval(g%t)
    deallocate(g%u, g%v, g%t)
  end do
end program
