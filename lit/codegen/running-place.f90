! A running maximum in a register with its place in memory: the store branches, and the maximum with it, as in the original. A selection would wait for the one before.
! RUN: rm -rf %t && mkdir -p %t
! RUN: env POLYTILE=dump=scop %flang -O3 -march=x86-64-v3 -module-dir %t -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -fopenmp -module-dir %t %s -o %t/new
! RUN: env OMP_NUM_THREADS=1 %t/new | cmp - %t/expected
! RUN: env OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
! CHECK: scop "_QMstatesPbest
! CHECK: may-write
! CHECK: choose
! CHECK: stmt
! CHECK: f64 op {{.*}} choose
module states
contains
  subroutine best(n, m, d, a, e, at)
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n,n)
    real(8), intent(inout) :: d(n), e(n)
    integer, intent(out) :: at(n,m)
    integer :: t, i, j
    do t = 1, m
      do j = 1, n
        e(j) = -huge(1d0)
        do i = 1, n
          if (d(i) + a(i,j) > e(j)) then
            e(j) = d(i) + a(i,j)
            at(j,t) = i
          end if
        end do
      end do
      d = e*0.5d0
    end do
  end subroutine
end module
program main
  use states
  integer, parameter :: n = 41, m = 9
  real(8) :: d(n), e(n), a(n,n)
  integer :: at(n,m), i, j
  do j = 1, n
    d(j) = mod(j*7, 11)
    do i = 1, n
      a(i,j) = mod(i*13 + j*5, 17)*0.25d0
    end do
  end do
  call best(n, m, d, a, e, at)
  print *, d, sum(at), at(:,m)
end program
