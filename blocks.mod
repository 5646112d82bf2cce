!mod$ v1 sum:4e3bd46bfdffcd55
!need$ 1379828c22aa7bda n fields
module blocks
use fields,only:dp
contains
subroutine binvcrhs(lhs,c,r)
real(8),intent(inout)::lhs(1_8:5_8,1_8:5_8)
real(8),intent(inout)::c(1_8:5_8,1_8:5_8)
real(8),intent(inout)::r(1_8:5_8)
end
subroutine matvec_sub(a,v,b)
real(8),intent(in)::a(1_8:5_8,1_8:5_8)
real(8),intent(in)::v(1_8:5_8)
real(8),intent(inout)::b(1_8:5_8)
end
subroutine matmul_sub(a,b,c)
real(8),intent(in)::a(1_8:5_8,1_8:5_8)
real(8),intent(in)::b(1_8:5_8,1_8:5_8)
real(8),intent(inout)::c(1_8:5_8,1_8:5_8)
end
end
