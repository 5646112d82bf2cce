! Sets of automatic arrays run unless a product of their sizes is zero: that says which of the sizes are. Three of them, and a recurrence, are one SCoP.
! RUN: env "POLYTILE=stop-after=scop;dump=scop" %flang -O3 -march=x86-64-v4 -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O3 -march=native -DMAIN -cpp %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;verify=on" %flang -O3 -march=native -fopenmp -DMAIN -cpp %s -o %t.new
! RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
! CHECK: scop {{.*}} function "sweep_"
! CHECK-NOT: p_expr
! CHECK: domain { S{{[0-9]+}}[i0, i1, i2] :
! CHECK: scop {{.*}} function "faces_"
! CHECK-NOT: p_expr
! CHECK: assume no-trap {{.*}} <= 2097150
! CHECK: domain { S{{[0-9]+}}[i0, i1, i2] :
subroutine sweep(n, m, na, w, q, phi)
  implicit none
  integer, intent(in) :: n, m, na
  real(8), intent(in) :: w(na), q(n,m)
  real(8), intent(out) :: phi(n,m)
  real(8) :: x(m,na), y(n,na), psi
  integer :: i, j, a
  phi = 0; x = 0; y = 0
  do a = 1, na
    do j = 1, m
      do i = 1, n
        psi = q(i,j) + x(j,a) + y(i,a)
        x(j,a) = max(psi - x(j,a), 0d0)
        y(i,a) = max(psi - y(i,a), 0d0)
        phi(i,j) = phi(i,j) + w(a)*psi
      end do
    end do
  end do
end subroutine
! Three sizes of 32 bits may wrap: each has a third of the bits. Lower bounds are zero.
subroutine faces(n, m, l, q, phi)
  implicit none
  integer, intent(in) :: n, m, l
  real(8), intent(in) :: q(n,m,l)
  real(8), intent(out) :: phi(n,m,l)
  real(8) :: x(0:n,m,l), y(n,0:m,l)
  integer :: i, j, k
  x = 0; y = 0; phi = 0
  do k = 1, l
    do j = 1, m
      do i = 2, n
        x(i,j,k) = .5d0*(q(i-1,j,k) + q(i,j,k))
      end do
    end do
  end do
  do k = 1, l
    do j = 2, m
      do i = 1, n
        y(i,j,k) = .5d0*(q(i,j-1,k) + q(i,j,k))
      end do
    end do
  end do
  do k = 1, l
    do j = 1, m
      do i = 1, n
        phi(i,j,k) = x(i,j,k) - x(i-1,j,k) + y(i,j,k) - y(i,j-1,k)
      end do
    end do
  end do
end subroutine
#ifdef MAIN
program main
  implicit none
  integer :: s, n, m, na
  real(8) :: q(600), phi(600), w(4)
  w = [1d0, .5d0, .25d0, -.125d0]
  do s = 1, 600
    q(s) = mod(s*7, 11)*.25d0 - 1
  end do
  do s = 0, 11
    n = 2*s; m = mod(s*5, 7)*3; na = mod(s, 5)
    phi = -1
    call sweep(n, m, na, w, q, phi)
    print '(z16)', phi(1:n*m)
    n = mod(s*3, 8); m = mod(s*7, 9); na = mod(s*5, 6)
    phi = -1
    call faces(n, m, na, q, phi)
    print '(z16)', phi(1:n*m*na)
  end do
end program
#endif
