!mod$ v1 sum:8b1666d96abbf726
!need$ cdfeef31a0ac0651 n dense
module diffusion
use dense,only:dp
contains
subroutine relax(t,mask,steps)
real(8),intent(inout)::t(:,:)
logical(4),intent(in)::mask(:,:)
integer(4),intent(in)::steps
end
end
