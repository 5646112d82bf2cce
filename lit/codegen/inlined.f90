! A function that LLVM leaves as one, in the loops that call it, with scalars by reference. The original keeps its calls, so that what the back end
! fuses in the function is fused as before. The same bytes with and without the plugin.
! RUN: rm -rf %t && mkdir -p %t && flang-22 -O2 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O2 -g1 -march=native -fopenmp -Rpass=polytile -module-dir %t %s -o %t/new 2>&1 | FileCheck %s
! RUN: env OMP_NUM_THREADS=1 %t/new | cmp - %t/expected
! RUN: env OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
! RUN: env POLYTILE_DISABLE=1 OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
module points
contains
  subroutine point(a, b, c, f)
    real(8), intent(in) :: a(8), b(8), f
    real(8), intent(inout) :: c(8)
    real(8) :: s, t
    s = (a(1) + b(1))/(3 + abs(a(2) - b(2))) - (a(3) + b(3))/(3 + abs(a(4) - b(4)))
    t = (a(5) - b(5))/(3 + abs(a(6) + b(6))) + (a(7) - b(7))/(3 + abs(a(8) + b(8)))
    c(1) = c(1) - f*s
    c(2) = sqrt(abs(c(2) + t))/(2 + abs(c(1)))
    c(3) = sqrt(abs(c(3) - t))/(2 + abs(c(2)))
    c(4) = sqrt(abs(c(4) + s))/(2 + abs(c(3)))
    c(5) = c(5) + f*t
    c(6) = sqrt(abs(c(6) - s))/(2 + abs(c(5)))
    c(7) = sqrt(abs(c(7) + t))/(2 + abs(c(6)))
    c(8) = sqrt(abs(c(8) - t))/(2 + abs(c(7)))
  end subroutine
end module
program main
  use points
  integer, parameter :: most = 40
  real(8) :: a(8,most,most), b(8,most,most), c(8,most,most), f
  integer :: sizes(5) = [0, 1, 7, 20, 40], s, n, i, j
  f = 0.7d0
  do s = 1, 5
    n = sizes(s)
    call numbers(a, 7919)
    call numbers(b, 10472)
    call numbers(c, 31)
    ! CHECK-DAG: inlined.f90:[[@LINE+2]]:{{[0-9]+}}: remark: loop nest transformed
    do j = 1, n
      do i = 1, n
        call point(a(:,i,j), b(:,j,i), c(:,i,j), f)
      end do
    end do
    do j = 1, n
      do i = 1, n
        call point(b(:,i,j), a(:,i,j), c(:,j,i), f)
      end do
    end do
    print '(4z17.16)', c
  end do
contains
  subroutine numbers(x, by)
    real(8), intent(out) :: x(8*most*most)
    integer, intent(in) :: by
    integer :: i
    do i = 1, 8*most*most
      x(i) = mod(i*by, 1009)/1007d0 - 0.3d0
    end do
  end subroutine
end program
