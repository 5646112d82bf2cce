! The greatest or least element of an array is a number if there is one, and the first of them in the array's order where zeros have both signs. It is
! found in parts, column by column, with the same bits.
! RUN: mkdir -p %t.d
! RUN: env POLYTILE=min-work=0 %flang -O3 -module-dir %t.d -Rpass=polytile -c %s -o %t.o 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -module-dir %t.d %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t.d %s -o %t.new
! RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
module ends
  implicit none
contains
! CHECK-DAG: maxval.f90:[[@LINE+5]]:5: {{.*}}: loop nest transformed: {{[0-9]+}} statements, {{[0-9]+}} parallel loop
  subroutine of(a, n, m, most)
    integer, intent(in) :: n, m
    double precision, intent(in) :: a(n,m)
    double precision, intent(out) :: most
    most = maxval(a)
  end subroutine
! CHECK-DAG: maxval.f90:[[@LINE+5]]:5: {{.*}}: loop nest transformed: {{[0-9]+}} statements, {{[0-9]+}} parallel loop
  subroutine least_of(a, n, m, least)
    integer, intent(in) :: n, m
    double precision, intent(in) :: a(n,m)
    double precision, intent(out) :: least
    least = minval(a)
  end subroutine
! CHECK-DAG: maxval.f90:[[@LINE+5]]:5: {{.*}}: loop nest transformed: {{[0-9]+}} statements, {{[0-9]+}} parallel loop
  subroutine change_of(a, b, n, m, change)
    integer, intent(in) :: n, m
    double precision, intent(in) :: a(n,m), b(n,m)
    double precision, intent(out) :: change
    change = maxval(abs(a - b))
  end subroutine
end module
program main
  use ends
  implicit none
  integer, parameter :: n = 37, m = 29
  double precision :: a(n,m), b(n,m), nan, most, least, change
  integer :: form, i, j
  nan = transfer(9221120237041090561_8, nan)
  do form = 1, 8
    do j = 1, m
      do i = 1, n
        a(i,j) = mod(i*7 + j*5, 23) - 11
        b(i,j) = mod(i*3 + j*11, 19)
      end do
    end do
    select case (form)
    case (2)
      a(1,1) = nan
    case (3)
      a(:,:4) = nan
    case (4)
      a = nan
      a(5,7) = transfer(-1_8, nan)
    case (5)
      a = -0d0
      a(4,5) = 0d0
    case (6)
      a = 0d0
      a(4,5) = -0d0
    case (7)
      a(n,m) = nan
      a(3,:) = -huge(1d0)
    case (8)
      a = nan
      a(n,m) = -1
    end select
    call of(a, n, m, most)
    call least_of(a, n, m, least)
    call change_of(a, b, n, m, change)
    print '(i2,3(1x,z16))', form, most, least, change
  end do
end program
