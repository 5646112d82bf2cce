! The question whether elements lie side by side is asked in front of a loop, which hands the answer on to the nest behind it: the other versions of
! its innermost loops are no part of the model there, either.
! RUN: %flang -O3 -march=x86-64-v3 -c -Rpass=polytile -Rpass-missed=polytile %s -o %t.o 2>&1 | FileCheck %s
! CHECK-NOT: a loop in it was transformed alone
! CHECK: versions-behind-a-loop.f90:18:5: remark: loop nest transformed: {{.*}} register tile
! CHECK-NOT: a loop in it was transformed alone
subroutine covariances(x, c)
  implicit none
  real, intent(in) :: x(:, :)
  real, intent(out) :: c(:, :)
  real :: m(size(x, 2))
  integer :: i, j, k, n
  n = size(x, 1)
  do j = 1, size(x, 2)
    m(j) = sum(x(:, j)) / n
  end do
  do i = 1, size(x, 2)
    do j = 1, size(x, 2)
      c(i, j) = 0
      do k = 1, n
        c(i, j) = c(i, j) + (x(k, i) - m(i)) * (x(k, j) - m(j))
      end do
    end do
  end do
end subroutine
