!mod$ v1 sum:21d0c82e540940b9
!need$ 1379828c22aa7bda n fields
!need$ 4e3bd46bfdffcd55 n blocks
module solver
use fields,only:dp
use fields,only:n
use fields,only:dt
use fields,only:h
use fields,only:u
use fields,only:rhs
use fields,only:forcing
use fields,only:coupling
use fields,only:set_up
use blocks,only:binvcrhs
use blocks,only:matvec_sub
use blocks,only:matmul_sub
contains
subroutine compute_rhs()
end
subroutine fill_blocks(line,lhs)
real(8),intent(in)::line(1_8:5_8,1_8:int(n,kind=8))
real(8),intent(out)::lhs(1_8:5_8,1_8:5_8,1_8:3_8,1_8:int(n,kind=8))
end
subroutine x_solve()
end
subroutine z_solve()
end
subroutine add()
end
end
