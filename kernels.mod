!mod$ v1 sum:682569fbbe125008
!need$ dbabca3a7e45e6b0 n chunk_module
module kernels
use chunk_module,only:dp
contains
subroutine ideal_gas_kernel(x_min,x_max,y_min,y_max,density,energy,pressure,soundspeed)
integer(4),intent(in)::x_min
integer(4),intent(in)::x_max
integer(4),intent(in)::y_min
integer(4),intent(in)::y_max
real(8)::density(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::energy(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::pressure(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::soundspeed(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
end
subroutine halo_kernel(x_min,x_max,y_min,y_max,field)
integer(4),intent(in)::x_min
integer(4),intent(in)::x_max
integer(4),intent(in)::y_min
integer(4),intent(in)::y_max
real(8)::field(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
end
subroutine viscosity_kernel(x_min,x_max,y_min,y_max,dx,dy,density,pressure,viscosity,xvel,yvel)
integer(4),intent(in)::x_min
integer(4),intent(in)::x_max
integer(4),intent(in)::y_min
integer(4),intent(in)::y_max
real(8),intent(in)::dx
real(8),intent(in)::dy
real(8)::density(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::pressure(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::viscosity(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::xvel(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
real(8)::yvel(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
end
function calc_dt_kernel(x_min,x_max,y_min,y_max,dx,soundspeed,viscosity,density,xvel,yvel) result(dt)
integer(4),intent(in)::x_min
integer(4),intent(in)::x_max
integer(4),intent(in)::y_min
integer(4),intent(in)::y_max
real(8),intent(in)::dx
real(8)::soundspeed(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::viscosity(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::density(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::xvel(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
real(8)::yvel(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
real(8)::dt
end
subroutine accelerate_kernel(x_min,x_max,y_min,y_max,dt,dx,dy,density,pressure,viscosity,xvel,yvel)
integer(4),intent(in)::x_min
integer(4),intent(in)::x_max
integer(4),intent(in)::y_min
integer(4),intent(in)::y_max
real(8),intent(in)::dt
real(8),intent(in)::dx
real(8),intent(in)::dy
real(8)::density(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::pressure(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::viscosity(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::xvel(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
real(8)::yvel(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
end
subroutine flux_calc_kernel(x_min,x_max,y_min,y_max,dt,dx,dy,xvel,yvel,vol_flux_x,vol_flux_y)
integer(4),intent(in)::x_min
integer(4),intent(in)::x_max
integer(4),intent(in)::y_min
integer(4),intent(in)::y_max
real(8),intent(in)::dt
real(8),intent(in)::dx
real(8),intent(in)::dy
real(8)::xvel(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
real(8)::yvel(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
real(8)::vol_flux_x(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::vol_flux_y(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
end
subroutine pdv_kernel(x_min,x_max,y_min,y_max,volume,density,energy,pressure,viscosity,vol_flux_x,vol_flux_y)
integer(4),intent(in)::x_min
integer(4),intent(in)::x_max
integer(4),intent(in)::y_min
integer(4),intent(in)::y_max
real(8),intent(in)::volume
real(8)::density(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::energy(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::pressure(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::viscosity(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::vol_flux_x(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::vol_flux_y(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
end
subroutine advec_cell_kernel(x_min,x_max,y_min,y_max,volume,density,energy,vol_flux_x,vol_flux_y,mass_flux,ener_flux)
integer(4),intent(in)::x_min
integer(4),intent(in)::x_max
integer(4),intent(in)::y_min
integer(4),intent(in)::y_max
real(8),intent(in)::volume
real(8)::density(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::energy(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::vol_flux_x(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::vol_flux_y(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
real(8)::mass_flux(int(x_min-2_4,kind=8):int(x_max+2_4,kind=8),int(y_min-2_4,kind=8):int(y_max+2_4,kind=8))
real(8)::ener_flux(int(x_min-2_4,kind=8):int(x_max+3_4,kind=8),int(y_min-2_4,kind=8):int(y_max+3_4,kind=8))
end
end
