!mod$ v1 sum:cdfeef31a0ac0651
module dense
integer(4),parameter::dp=8_4
intrinsic::selected_real_kind
contains
subroutine gauss_jordan(a,b)
real(8),intent(inout)::a(:,:)
real(8),intent(inout)::b(:,:)
end
function power(a,exponent) result(p)
real(8),intent(in)::a(:,:)
integer(4),intent(in)::exponent
real(8)::p(1_8:size(a,dim=1,kind=8),1_8:size(a,dim=2,kind=8))
end
subroutine least_squares(a,b,residual)
real(8),intent(inout)::a(:,:)
real(8),intent(inout)::b(:)
real(8),intent(out)::residual
end
end
