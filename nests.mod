!mod$ v1 sum:aac8b9889525dcde
module nests
type::point
real(8)::v
integer(4)::tag(1_8:3_8)
end type
contains
subroutine product(a,b,c)
real(8),intent(in)::a(:,:)
real(8),intent(in)::b(:,:)
real(8),intent(inout)::c(:,:)
end
subroutine smoothed(a,b)
real(8),intent(in)::a(0_8:,0_8:)
real(8),intent(inout)::b(0_8:,0_8:)
end
subroutine in_space(a,b)
real(4),intent(in)::a(:,:,:)
real(4),intent(inout)::b(:,:,:)
end
end
