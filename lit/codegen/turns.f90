! The numbers of two grids, exchanged by each step, whose own number the sweep uses: one nest with the steps around it. So are pointers that are
! exchanged.
! RUN: rm -rf %t && mkdir -p %t && flang-22 -O2 -march=native -ffp-contract=off -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -ffp-contract=off -fopenmp -module-dir %t -Rpass=polytile %s -o %t/new 2>&1 | FileCheck %s
! RUN: env OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
module steps
contains
  subroutine numbered(u, w, n, nt)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: u(n,n,0:1)
    real(8), intent(in) :: w(nt+1)
    integer :: t, i, j, now, next
    now = 0; next = 1
    ! CHECK-DAG: turns.f90:[[@LINE+2]]:{{.*}} loop nest transformed: 3 statements
    do t = 1, nt
      do j = 2, n-1
        do i = 2, n-1
          u(i,j,next) = u(i,j,now) + w(t)*(u(i-1,j,now)+u(i+1,j,now)+u(i,j-1,now)+u(i,j+1,now)-4*u(i,j,now)) + t
        end do
      end do
      now = 1 - now; next = 1 - next
    end do
  end subroutine
  subroutine pointed(x, y, n, nt)
    integer, intent(in) :: n, nt
    real(8), target, intent(inout) :: x(n,n), y(n,n)
    real(8), pointer, contiguous :: a(:,:), b(:,:), s(:,:)
    integer :: t, i, j
    a => x; b => y
    do t = nt, 1, -1
      do j = 2, n-1
        do i = 2, n-1
          b(i,j) = a(i,j) + 0.1d0*(a(i-1,j)+a(i+1,j)+a(i,j-1)+a(i,j+1)-4*a(i,j)) - t
        end do
      end do
      s => a; a => b; b => s
    end do
  end subroutine
end module
program main
  use steps
  implicit none
  real(8) :: u(30,30,0:1), w(9)
  integer :: i, j, t
  do t = 0, 7
    do j = 1, 30
      do i = 1, 30
        u(i,j,0) = mod(i*j, 17)*0.25d0
        u(i,j,1) = mod(i+3*j, 19)*0.5d0
      end do
    end do
    do i = 1, 9
      w(i) = i*0.01d0
    end do
    call numbered(u, w, 30, t)
    call pointed(u(:,:,0), u(:,:,1), 30, t)
    print '(z16)', u(:,:,0), u(:,:,1)
  end do
end program
