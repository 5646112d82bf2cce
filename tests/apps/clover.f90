! Hydrodynamics on a staggered grid: equation of state, viscosity, acceleration, fluxes and advection of cells by a donor scheme.
! Arguments: cells per side, steps. In tests: 12 3
module chunk_module
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  type :: chunk
    integer :: x_min, x_max, y_min, y_max
    real(dp) :: dx, dy
    real(dp), allocatable :: density(:, :), energy(:, :), pressure(:, :), viscosity(:, :), soundspeed(:, :)
    real(dp), allocatable :: xvel(:, :), yvel(:, :), vol_flux_x(:, :), vol_flux_y(:, :), work(:, :), ener_flux(:, :)
  end type chunk
contains
  subroutine build(c, cells)
    type(chunk), intent(out) :: c
    integer, intent(in) :: cells
    c%x_min = 1
    c%x_max = cells
    c%y_min = 1
    c%y_max = cells
    c%dx = 10.0_dp / cells
    c%dy = 10.0_dp / cells
    allocate (c%density(-1:cells + 2, -1:cells + 2), c%energy(-1:cells + 2, -1:cells + 2))
    allocate (c%pressure(-1:cells + 2, -1:cells + 2), c%viscosity(-1:cells + 2, -1:cells + 2))
    allocate (c%soundspeed(-1:cells + 2, -1:cells + 2), c%work(-1:cells + 2, -1:cells + 2))
    allocate (c%xvel(-1:cells + 3, -1:cells + 3), c%yvel(-1:cells + 3, -1:cells + 3))
    allocate (c%vol_flux_x(-1:cells + 3, -1:cells + 2), c%vol_flux_y(-1:cells + 2, -1:cells + 3))
    allocate (c%ener_flux(-1:cells + 3, -1:cells + 3))
    c%density = 0.2_dp
    c%energy = 1.0_dp
    c%density(-1:cells / 2, -1:cells / 5) = 1.0_dp
    c%energy(-1:cells / 2, -1:cells / 5) = 2.5_dp
    c%pressure = 0.0_dp
    c%viscosity = 0.0_dp
    c%soundspeed = 0.0_dp
    c%xvel = 0.0_dp
    c%yvel = 0.0_dp
    c%vol_flux_x = 0.0_dp
    c%vol_flux_y = 0.0_dp
    c%work = 0.0_dp
    c%ener_flux = 0.0_dp
  end subroutine build
end module chunk_module

module kernels
  use chunk_module, only: dp
  implicit none
contains
  subroutine ideal_gas_kernel(x_min, x_max, y_min, y_max, density, energy, pressure, soundspeed)
    integer, intent(in) :: x_min, x_max, y_min, y_max
    real(dp), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 2) :: density, energy, pressure, soundspeed
    integer :: j, k
    real(dp) :: v, pressurebyenergy, pressurebyvolume, sound_speed_squared
    do k = y_min, y_max
      do j = x_min, x_max
        v = 1.0_dp / density(j, k)
        pressure(j, k) = (1.4_dp - 1.0_dp) * density(j, k) * energy(j, k)
        pressurebyenergy = (1.4_dp - 1.0_dp) * density(j, k)
        pressurebyvolume = -density(j, k) * pressure(j, k)
        sound_speed_squared = v * v * (pressure(j, k) * pressurebyenergy - pressurebyvolume)
        soundspeed(j, k) = sqrt(sound_speed_squared)
      end do
    end do
  end subroutine ideal_gas_kernel

  subroutine halo_kernel(x_min, x_max, y_min, y_max, field)
    integer, intent(in) :: x_min, x_max, y_min, y_max
    real(dp), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 2) :: field
    integer :: j, k
    do k = 1, 2
      do j = x_min - 2, x_max + 2
        field(j, 1 - k) = field(j, k)
        field(j, y_max + k) = field(j, y_max + 1 - k)
      end do
    end do
    do k = y_min - 2, y_max + 2
      do j = 1, 2
        field(1 - j, k) = field(j, k)
        field(x_max + j, k) = field(x_max + 1 - j, k)
      end do
    end do
  end subroutine halo_kernel

  subroutine viscosity_kernel(x_min, x_max, y_min, y_max, dx, dy, density, pressure, viscosity, xvel, yvel)
    integer, intent(in) :: x_min, x_max, y_min, y_max
    real(dp), intent(in) :: dx, dy
    real(dp), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 2) :: density, pressure, viscosity
    real(dp), dimension(x_min - 2:x_max + 3, y_min - 2:y_max + 3) :: xvel, yvel
    integer :: j, k
    real(dp) :: ugrad, vgrad, grad2, pgradx, pgrady, grad, div, limiter, strain2
    do k = y_min, y_max
      do j = x_min, x_max
        ugrad = (xvel(j + 1, k) + xvel(j + 1, k + 1)) - (xvel(j, k) + xvel(j, k + 1))
        vgrad = (yvel(j, k + 1) + yvel(j + 1, k + 1)) - (yvel(j, k) + yvel(j + 1, k))
        div = dx * ugrad + dy * vgrad
        strain2 = 0.5_dp * (xvel(j, k + 1) + xvel(j + 1, k + 1) - xvel(j, k) - xvel(j + 1, k)) / dy &
                  + 0.5_dp * (yvel(j + 1, k) + yvel(j + 1, k + 1) - yvel(j, k) - yvel(j, k + 1)) / dx
        pgradx = (pressure(j + 1, k) - pressure(j - 1, k)) / (2.0_dp * dx)
        pgrady = (pressure(j, k + 1) - pressure(j, k - 1)) / (2.0_dp * dy)
        grad2 = pgradx * pgradx + pgrady * pgrady
        limiter = (0.5_dp * ugrad / dx * pgradx**2 + 0.5_dp * vgrad / dy * pgrady**2 + strain2 * pgradx * pgrady) &
                  / max(grad2, 1.0e-16_dp)
        if (limiter > 0.0_dp .or. div >= 0.0_dp) then
          viscosity(j, k) = 0.0_dp
        else
          grad = sign(max(1.0e-16_dp, abs(pgradx)), pgradx)
          grad = min(abs(dx * sqrt(grad2) / grad), dy)
          viscosity(j, k) = 2.0_dp * density(j, k) * grad * grad * limiter * limiter
        end if
      end do
    end do
  end subroutine viscosity_kernel

  function calc_dt_kernel(x_min, x_max, y_min, y_max, dx, soundspeed, viscosity, density, xvel, yvel) result(dt)
    integer, intent(in) :: x_min, x_max, y_min, y_max
    real(dp), intent(in) :: dx
    real(dp), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 2) :: soundspeed, viscosity, density
    real(dp), dimension(x_min - 2:x_max + 3, y_min - 2:y_max + 3) :: xvel, yvel
    real(dp) :: dt, cc
    integer :: j, k
    dt = 1.0e10_dp
    do k = y_min, y_max
      do j = x_min, x_max
        cc = soundspeed(j, k)**2 + 2.0_dp * viscosity(j, k) / density(j, k)
        cc = sqrt(cc) + max(abs(xvel(j, k)), abs(yvel(j, k)))
        dt = min(dt, 0.3_dp * dx / cc)
      end do
    end do
  end function calc_dt_kernel

  subroutine accelerate_kernel(x_min, x_max, y_min, y_max, dt, dx, dy, density, pressure, viscosity, xvel, yvel)
    integer, intent(in) :: x_min, x_max, y_min, y_max
    real(dp), intent(in) :: dt, dx, dy
    real(dp), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 2) :: density, pressure, viscosity
    real(dp), dimension(x_min - 2:x_max + 3, y_min - 2:y_max + 3) :: xvel, yvel
    integer :: j, k
    real(dp) :: nodal_mass, stepbymass
    do k = y_min, y_max + 1
      do j = x_min, x_max + 1
        nodal_mass = (density(j - 1, k - 1) + density(j, k - 1) + density(j, k) + density(j - 1, k)) * 0.25_dp * dx * dy
        stepbymass = 0.5_dp * dt / nodal_mass
        xvel(j, k) = xvel(j, k) - stepbymass * dy * (pressure(j, k) - pressure(j - 1, k) &
                     + pressure(j, k - 1) - pressure(j - 1, k - 1))
        yvel(j, k) = yvel(j, k) - stepbymass * dx * (pressure(j, k) - pressure(j, k - 1) &
                     + pressure(j - 1, k) - pressure(j - 1, k - 1))
        xvel(j, k) = xvel(j, k) - stepbymass * dy * (viscosity(j, k) - viscosity(j - 1, k) &
                     + viscosity(j, k - 1) - viscosity(j - 1, k - 1))
        yvel(j, k) = yvel(j, k) - stepbymass * dx * (viscosity(j, k) - viscosity(j, k - 1) &
                     + viscosity(j - 1, k) - viscosity(j - 1, k - 1))
      end do
    end do
    do k = y_min, y_max + 1
      xvel(x_min, k) = 0.0_dp
      xvel(x_max + 1, k) = 0.0_dp
    end do
    do j = x_min, x_max + 1
      yvel(j, y_min) = 0.0_dp
      yvel(j, y_max + 1) = 0.0_dp
    end do
  end subroutine accelerate_kernel

  subroutine flux_calc_kernel(x_min, x_max, y_min, y_max, dt, dx, dy, xvel, yvel, vol_flux_x, vol_flux_y)
    integer, intent(in) :: x_min, x_max, y_min, y_max
    real(dp), intent(in) :: dt, dx, dy
    real(dp), dimension(x_min - 2:x_max + 3, y_min - 2:y_max + 3) :: xvel, yvel
    real(dp), dimension(x_min - 2:x_max + 3, y_min - 2:y_max + 2) :: vol_flux_x
    real(dp), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 3) :: vol_flux_y
    integer :: j, k
    do k = y_min, y_max
      do j = x_min, x_max + 1
        vol_flux_x(j, k) = 0.5_dp * dt * dy * (xvel(j, k) + xvel(j, k + 1))
      end do
    end do
    do k = y_min, y_max + 1
      do j = x_min, x_max
        vol_flux_y(j, k) = 0.5_dp * dt * dx * (yvel(j, k) + yvel(j + 1, k))
      end do
    end do
  end subroutine flux_calc_kernel

  subroutine pdv_kernel(x_min, x_max, y_min, y_max, volume, density, energy, pressure, viscosity, vol_flux_x, vol_flux_y)
    integer, intent(in) :: x_min, x_max, y_min, y_max
    real(dp), intent(in) :: volume
    real(dp), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 2) :: density, energy, pressure, viscosity
    real(dp), dimension(x_min - 2:x_max + 3, y_min - 2:y_max + 2) :: vol_flux_x
    real(dp), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 3) :: vol_flux_y
    integer :: j, k
    real(dp) :: total_flux
    do k = y_min, y_max
      do j = x_min, x_max
        total_flux = vol_flux_x(j + 1, k) - vol_flux_x(j, k) + vol_flux_y(j, k + 1) - vol_flux_y(j, k)
        energy(j, k) = energy(j, k) - (pressure(j, k) + viscosity(j, k)) / density(j, k) * total_flux / volume
      end do
    end do
  end subroutine pdv_kernel

  ! Donor cells along x, then y; the fluxes are of mass and of energy.
  subroutine advec_cell_kernel(x_min, x_max, y_min, y_max, volume, density, energy, vol_flux_x, vol_flux_y, mass_flux, ener_flux)
    integer, intent(in) :: x_min, x_max, y_min, y_max
    real(dp), intent(in) :: volume
    real(dp), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 2) :: density, energy, mass_flux
    real(dp), dimension(x_min - 2:x_max + 3, y_min - 2:y_max + 3) :: ener_flux
    real(dp), dimension(x_min - 2:x_max + 3, y_min - 2:y_max + 2) :: vol_flux_x
    real(dp), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 3) :: vol_flux_y
    integer :: j, k, donor
    real(dp) :: mass, before
    do k = y_min, y_max
      do j = x_min, x_max + 1
        if (vol_flux_x(j, k) > 0.0_dp) then
          donor = j - 1
        else
          donor = j
        end if
        mass_flux(j, k) = vol_flux_x(j, k) * density(donor, k)
        ener_flux(j, k) = mass_flux(j, k) * energy(donor, k)
      end do
    end do
    do k = y_min, y_max
      do j = x_min, x_max
        before = density(j, k) * volume
        mass = before + mass_flux(j, k) - mass_flux(j + 1, k)
        energy(j, k) = (energy(j, k) * before + ener_flux(j, k) - ener_flux(j + 1, k)) / mass
        density(j, k) = mass / volume
      end do
    end do
    do k = y_min, y_max + 1
      do j = x_min, x_max
        if (vol_flux_y(j, k) > 0.0_dp) then
          donor = k - 1
        else
          donor = k
        end if
        mass_flux(j, k) = vol_flux_y(j, k) * density(j, donor)
        ener_flux(j, k) = mass_flux(j, k) * energy(j, donor)
      end do
    end do
    do k = y_min, y_max
      do j = x_min, x_max
        before = density(j, k) * volume
        mass = before + mass_flux(j, k) - mass_flux(j, k + 1)
        energy(j, k) = (energy(j, k) * before + ener_flux(j, k) - ener_flux(j, k + 1)) / mass
        density(j, k) = mass / volume
      end do
    end do
  end subroutine advec_cell_kernel
end module kernels

program clover
  use chunk_module
  use kernels
  implicit none
  type(chunk) :: c
  integer :: cells, steps, step
  real(dp) :: dt, time
  character(len=32) :: argument
  cells = 320
  steps = 200
  if (command_argument_count() >= 1) then
    call get_command_argument(1, argument)
    read (argument, *) cells
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, argument)
    read (argument, *) steps
  end if
  call build(c, cells)
  time = 0.0_dp
  do step = 1, steps
    call ideal_gas_kernel(c%x_min, c%x_max, c%y_min, c%y_max, c%density, c%energy, c%pressure, c%soundspeed)
    call halo_kernel(c%x_min, c%x_max, c%y_min, c%y_max, c%pressure)
    call halo_kernel(c%x_min, c%x_max, c%y_min, c%y_max, c%density)
    call halo_kernel(c%x_min, c%x_max, c%y_min, c%y_max, c%energy)
    call viscosity_kernel(c%x_min, c%x_max, c%y_min, c%y_max, c%dx, c%dy, c%density, c%pressure, c%viscosity, c%xvel, c%yvel)
    call halo_kernel(c%x_min, c%x_max, c%y_min, c%y_max, c%viscosity)
    dt = calc_dt_kernel(c%x_min, c%x_max, c%y_min, c%y_max, c%dx, c%soundspeed, c%viscosity, c%density, c%xvel, c%yvel)
    call accelerate_kernel(c%x_min, c%x_max, c%y_min, c%y_max, dt, c%dx, c%dy, c%density, c%pressure, c%viscosity, c%xvel, c%yvel)
    call flux_calc_kernel(c%x_min, c%x_max, c%y_min, c%y_max, dt, c%dx, c%dy, c%xvel, c%yvel, c%vol_flux_x, c%vol_flux_y)
    call pdv_kernel(c%x_min, c%x_max, c%y_min, c%y_max, c%dx * c%dy, c%density, c%energy, c%pressure, c%viscosity, &
                    c%vol_flux_x, c%vol_flux_y)
    call advec_cell_kernel(c%x_min, c%x_max, c%y_min, c%y_max, c%dx * c%dy, c%density, c%energy, c%vol_flux_x, c%vol_flux_y, &
                           c%work, c%ener_flux)
    time = time + dt
  end do
  print '(a, 3es24.16)', 'time, mass, energy', time, sum(c%density(1:cells, 1:cells)), &
    sum(c%density(1:cells, 1:cells) * c%energy(1:cells, 1:cells))
end program clover
