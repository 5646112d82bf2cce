! Pressure by Jacobi's method with nineteen points and coefficients in arrays, and the residual of each sweep.
! Arguments: planes, sweeps. In tests: 9 2
module pressure_field
  implicit none
  integer :: imax, jmax, kmax
  real, parameter :: omega = 0.8
  real, allocatable, dimension(:, :, :) :: p, wrk1, wrk2, bnd
  real, allocatable, dimension(:, :, :, :) :: a, b, c
end module pressure_field

subroutine initmt(planes)
  use pressure_field
  implicit none
  integer, intent(in) :: planes
  integer :: k
  imax = 2 * planes
  jmax = planes
  kmax = planes
  allocate (p(imax, jmax, kmax), wrk1(imax, jmax, kmax), wrk2(imax, jmax, kmax), bnd(imax, jmax, kmax))
  allocate (a(imax, jmax, kmax, 4), b(imax, jmax, kmax, 3), c(imax, jmax, kmax, 3))
  a(:, :, :, 1:3) = 1.0
  a(:, :, :, 4) = 1.0 / 6.0
  b = 0.0
  c = 1.0
  bnd = 1.0
  wrk1 = 0.0
  wrk2 = 0.0
  do k = 1, kmax
    p(:, :, k) = real((k - 1) * (k - 1)) / real((kmax - 1) * (kmax - 1))
  end do
  b(imax / 2:, :, :, 2) = 0.01
  bnd(imax / 3:imax / 2, jmax / 2, :) = 0.0
end subroutine initmt

subroutine jacobi(sweeps, gosa)
  use pressure_field
  implicit none
  integer, intent(in) :: sweeps
  real, intent(out) :: gosa
  integer :: i, j, k, loop
  real :: s0, ss
  do loop = 1, sweeps
    gosa = 0.0
    do k = 2, kmax - 1
      do j = 2, jmax - 1
        do i = 2, imax - 1
          s0 = a(i, j, k, 1) * p(i + 1, j, k) + a(i, j, k, 2) * p(i, j + 1, k) + a(i, j, k, 3) * p(i, j, k + 1) &
               + b(i, j, k, 1) * (p(i + 1, j + 1, k) - p(i + 1, j - 1, k) - p(i - 1, j + 1, k) + p(i - 1, j - 1, k)) &
               + b(i, j, k, 2) * (p(i, j + 1, k + 1) - p(i, j - 1, k + 1) - p(i, j + 1, k - 1) + p(i, j - 1, k - 1)) &
               + b(i, j, k, 3) * (p(i + 1, j, k + 1) - p(i - 1, j, k + 1) - p(i + 1, j, k - 1) + p(i - 1, j, k - 1)) &
               + c(i, j, k, 1) * p(i - 1, j, k) + c(i, j, k, 2) * p(i, j - 1, k) + c(i, j, k, 3) * p(i, j, k - 1) &
               + wrk1(i, j, k)
          ss = (s0 * a(i, j, k, 4) - p(i, j, k)) * bnd(i, j, k)
          gosa = gosa + ss * ss
          wrk2(i, j, k) = p(i, j, k) + omega * ss
        end do
      end do
    end do
    p(2:imax - 1, 2:jmax - 1, 2:kmax - 1) = wrk2(2:imax - 1, 2:jmax - 1, 2:kmax - 1)
  end do
end subroutine jacobi

program himeno
  use pressure_field
  implicit none
  integer :: planes, sweeps
  real :: gosa
  character(len=32) :: argument
  planes = 96
  sweeps = 20
  if (command_argument_count() >= 1) then
    call get_command_argument(1, argument)
    read (argument, *) planes
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, argument)
    read (argument, *) sweeps
  end if
  call initmt(planes)
  call jacobi(sweeps, gosa)
  print '(a, es16.8, es24.16)', 'residual, pressure', gosa, sum(real(p, kind(1.0d0)))
end program himeno
