!mod$ v1 sum:dbabca3a7e45e6b0
module chunk_module
integer(4),parameter::dp=8_4
intrinsic::kind
type::chunk
integer(4)::x_min
integer(4)::x_max
integer(4)::y_min
integer(4)::y_max
real(8)::dx
real(8)::dy
real(8),allocatable::density(:,:)
real(8),allocatable::energy(:,:)
real(8),allocatable::pressure(:,:)
real(8),allocatable::viscosity(:,:)
real(8),allocatable::soundspeed(:,:)
real(8),allocatable::xvel(:,:)
real(8),allocatable::yvel(:,:)
real(8),allocatable::vol_flux_x(:,:)
real(8),allocatable::vol_flux_y(:,:)
real(8),allocatable::work(:,:)
real(8),allocatable::ener_flux(:,:)
end type
contains
subroutine build(c,cells)
type(chunk),intent(out)::c
integer(4),intent(in)::cells
end
end
