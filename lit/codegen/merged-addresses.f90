! Whole lines as `d = t(i, j, :)` and `t(i, j, :) = d` around a solver: on either way around an empty loop the compiler computes where the line begins, and the
! two addresses merge. They are one.
! RUN: %flang -O3 -ffp-contract=off -march=native -fopenmp -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -ffp-contract=off -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env OMP_NUM_THREADS=1 POLYTILE_VERBOSE=1 %t.new 2>%t.runs | cmp - %t.expected
! RUN: FileCheck --check-prefix=RUNS %s < %t.runs
! CHECK: merged-addresses.f90:19:{{.*}}loop nest transformed
! RUNS: sweep: new version 2
module sweeps
  implicit none
contains
  subroutine sweep(t, k, dt, nr, np, n)
    integer, intent(in) :: nr, np, n
    real(8), intent(inout) :: t(nr,np,n)
    real(8), intent(in) :: k(nr,np,n), dt
    real(8), dimension(n) :: a, b, d
    integer :: i, j, l
    do j = 1, np
      do i = 1, nr
        do l = 1, n
          a(l) = -dt * k(i,j,l)
        end do
        a(1) = 0
        do l = 1, n
          b(l) = 1 - a(l)
        end do
        d = t(i,j,:)
        do l = 2, n
          b(l) = b(l) - a(l) / b(l-1) * a(l-1)
          d(l) = d(l) - a(l) / b(l-1) * d(l-1)
        end do
        d(n) = d(n) / b(n)
        do l = n - 1, 1, -1
          d(l) = (d(l) - a(l) * d(l+1)) / b(l)
        end do
        t(i,j,:) = d
      end do
    end do
  end subroutine
end module
program p
  use sweeps
  integer, parameter :: nr = 48, np = 64, nz = 40
  real(8) :: t(nr,np,nz), k(nr,np,nz)
  integer :: i
  t = reshape([(mod(i * 5, 11) * 1d0, i = 1, nr * np * nz)], [nr, np, nz])
  k = reshape([(mod(i * 7, 13) / 16d0, i = 1, nr * np * nz)], [nr, np, nz])
  call sweep(t, k, 0.25d0, nr, np, nz)
  call sweep(t, k, 0.5d0, nr, np, nz)
  print '(2es24.16)', sum(t), t(5,6,7)
end program
