! Lines through automatic arrays of several components, and through arrays of a module with a scalar of the module that the last line leaves: statements that share
! what they compute are one for each array here, so that lines have lanes.
! RUN: mkdir -p %t.d
! RUN: env "POLYTILE=dump=ast" %flang -O3 -march=znver4 -module-dir %t.d -c -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O3 -march=native -module-dir %t.d %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t.d %s -o %t.new
! RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
! sweep:
! CHECK: // 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
! diffuse:
! CHECK: // 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
module work
  implicit none
  integer, parameter :: nz = 20, nx = 40, ny = 6
  real(8) :: gam(nz), bet, aa(nz), bb(nz), cc(nz), rr(nz)
  real(8) :: t(nx, ny, nz), kv(nx, ny, nz)
contains
  subroutine diffuse(x, dt)
    real(8), intent(inout) :: x(nx, ny, nz)
    real(8), intent(in) :: dt
    integer :: i, j, k
    do j = 1, ny
      do i = 1, nx
        do k = 2, nz - 1
          aa(k) = -dt * kv(i, j, k - 1)
          cc(k) = -dt * kv(i, j, k)
          bb(k) = 1d0 - aa(k) - cc(k)
        end do
        aa(1) = 0; cc(1) = -dt * kv(i, j, 1); bb(1) = 1d0 - cc(1)
        cc(nz) = 0; aa(nz) = -dt * kv(i, j, nz - 1); bb(nz) = 1d0 - aa(nz)
        bet = bb(1)
        rr(1) = x(i, j, 1) / bet
        do k = 2, nz
          gam(k) = cc(k - 1) / bet
          bet = bb(k) - aa(k) * gam(k)
          rr(k) = (x(i, j, k) - aa(k) * rr(k - 1)) / bet
        end do
        do k = nz - 1, 1, -1
          rr(k) = rr(k) - gam(k + 1) * rr(k + 1)
        end do
        do k = 1, nz
          x(i, j, k) = rr(k)
        end do
      end do
    end do
  end subroutine
  subroutine sweep(nx, ny, nz, u, rhs)
    integer, intent(in) :: nx, ny, nz
    real(8), intent(in) :: u(nx, ny, nz)
    real(8), intent(inout) :: rhs(nx, ny, nz)
    real(8) :: lhs(3, nx), cv(nx), fac
    integer :: i, j, k
    do k = 2, nz - 1
      do j = 2, ny - 1
        do i = 1, nx
          cv(i) = u(i, j, k) * 0.1d0
        end do
        lhs(:, 1) = (/ 0d0, 1d0, 0d0 /)
        lhs(:, nx) = (/ 0d0, 1d0, 0d0 /)
        do i = 2, nx - 1
          lhs(1, i) = -cv(i - 1)
          lhs(2, i) = 1d0 + 2d0 * cv(i)
          lhs(3, i) = -cv(i + 1)
        end do
        do i = 1, nx - 1
          fac = 1d0 / lhs(2, i)
          lhs(3, i) = lhs(3, i) * fac
          rhs(i, j, k) = rhs(i, j, k) * fac
          lhs(2, i + 1) = lhs(2, i + 1) - lhs(1, i + 1) * lhs(3, i)
          rhs(i + 1, j, k) = rhs(i + 1, j, k) - lhs(1, i + 1) * rhs(i, j, k)
        end do
        rhs(nx, j, k) = rhs(nx, j, k) / lhs(2, nx)
        do i = nx - 1, 1, -1
          rhs(i, j, k) = rhs(i, j, k) - lhs(3, i) * rhs(i + 1, j, k)
        end do
      end do
    end do
  end subroutine
end module
program main
  use work
  implicit none
  real(8), allocatable :: u(:, :, :), r(:, :, :)
  integer :: i, j, k, m
  do k = 1, nz; do j = 1, ny; do i = 1, nx
    t(i, j, k) = mod(i * j + k, 19) * 0.3d0
    kv(i, j, k) = 0.1d0 + mod(i + j + k, 5) * 0.2d0
  end do; end do; end do
  call diffuse(t, 0.1d0)
  call diffuse(t, 0.2d0)
  print '(5z17)', t
  print '(5z17)', gam(2:), bet, aa, bb, cc, rr
  do m = 2, 70, 13
    allocate (u(m, 40, 5), r(m, 40, 5))
    do k = 1, 5; do j = 1, 40; do i = 1, m
      u(i, j, k) = mod(i * j + k, 17) * 0.1d0
      r(i, j, k) = mod(i + j * k, 13) * 0.2d0
    end do; end do; end do
    call sweep(m, 40, 5, u, r)
    print '(5z17)', r
    deallocate (u, r)
  end do
end program
