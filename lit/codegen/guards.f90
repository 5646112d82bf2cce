! Updates by columns that are skipped where a factor is zero, as reference implementations of matrix products do it.
! RUN: rm -rf %t && mkdir -p %t && flang-22 -O2 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O2 -march=native -fopenmp -Rpass=polytile -module-dir %t %s -o %t/new 2>&1 | FileCheck %s
! RUN: env OMP_NUM_THREADS=1 %t/new | cmp - %t/expected
! RUN: env OMP_NUM_THREADS=2 %t/new | cmp - %t/expected
! CHECK: guards.f90:[[@LINE+8]]:{{[0-9]+}}: remark: loop nest transformed
module updates
contains
  subroutine update(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: c(n, n)
    integer :: i, j, l
    do j = 1, n
      do l = 1, n
        if (b(l, j) /= 0.0d0) then
          do i = 1, n
            c(i, j) = c(i, j) + b(l, j)*a(i, l)
          end do
        end if
      end do
    end do
  end subroutine
end module

program test
  use updates
  integer, parameter :: n = 80
  real(8) :: a(n, n), b(n, n), c(n, n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i*7 + j*3, 11)*0.25d0 - 1
      b(i, j) = 0
      if (mod(i*5 + j, 3) == 0) b(i, j) = 0.5d0*i - j
      c(i, j) = i - j
    end do
  end do
  call update(n, a, b, c)
  print *, transfer(sum(c), 0_8), transfer(c(3, 5), 0_8), transfer(c(n, n), 0_8), maxval(c), minval(c)
end program
