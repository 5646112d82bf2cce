!mod$ v1 sum:1514c3af09ecfdfa
module pressure_field
integer(4)::imax
integer(4)::jmax
integer(4)::kmax
real(4),parameter::omega=8.00000011920928955078125e-1_4
real(4),allocatable::p(:,:,:)
real(4),allocatable::wrk1(:,:,:)
real(4),allocatable::wrk2(:,:,:)
real(4),allocatable::bnd(:,:,:)
real(4),allocatable::a(:,:,:,:)
real(4),allocatable::b(:,:,:,:)
real(4),allocatable::c(:,:,:,:)
end
