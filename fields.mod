!mod$ v1 sum:1379828c22aa7bda
module fields
integer(4),parameter::dp=8_4
intrinsic::kind
integer(4)::n
real(8)::dt
real(8)::h
real(8),allocatable::u(:,:,:,:)
real(8),allocatable::rhs(:,:,:,:)
real(8),allocatable::forcing(:,:,:,:)
real(8)::coupling(1_8:5_8,1_8:5_8)
contains
subroutine set_up(cells)
integer(4),intent(in)::cells
end
end
