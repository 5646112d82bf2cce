! flang runs the pass at -O1 and above. It runs the extension point at -O0 as well, where nothing may happen.
! RUN: %flang -O2 -S -emit-llvm -o - %s | FileCheck %s
! RUN: %flang -O0 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NOTHING
! RUN: %flang -O2 -mllvm -polytile-only=other -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NOTHING
! CHECK: define void @product_
! CHECK: call {{.*}}@__kmpc_fork_call(
! NOTHING-NOT: {{remark:|@[^ (]*(polytile|kmpc)}}
subroutine product(a, b, c)
  real(8) :: a(400, 400), b(400, 400), c(400, 400)
  integer :: i, j, k
  do j = 1, 400
    do k = 1, 400
      do i = 1, 400
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine
