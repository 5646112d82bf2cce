! A product that is stored and read again in the same iteration: once the loop over the block is unrolled, instruction selection hands the
! product of its last row on to the sum and fuses them, there and nowhere else. The same bytes with and without the plugin.
! RUN: rm -rf %t && mkdir -p %t && flang-22 -O3 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/new && %t/new | cmp - %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=run" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/both && %t/both | cmp - %t/expected
! RUN: %flang -O3 -march=x86-64-v3 -mllvm -polytile-min-work=0 -Rpass-missed=polytile -S -o /dev/null -module-dir %t %s 2>&1 | FileCheck %s
! CHECK: rounded-stores.f90:[[@LINE+9]]:5: remark: loop nest not transformed: the compiler may round a sum of products in two ways
module blocks
  integer, parameter :: n = 4000
  real(8) :: dt, coupling(5, 5)
contains
  subroutine fill_blocks(line, lhs)
    real(8), intent(in) :: line(5, n)
    real(8), intent(out) :: lhs(5, 5, 3, n)
    integer :: i, l, m
    do i = 2, n - 1
      do m = 1, 5
        do l = 1, 5
          lhs(l, m, 1, i) = -dt * coupling(l, m) * (1d0 + 0.1d0 * line(l, i - 1))
          lhs(l, m, 2, i) = 2d0 * dt * coupling(l, m) * (1d0 + 0.1d0 * line(m, i))
          lhs(l, m, 3, i) = -dt * coupling(l, m) * (1d0 + 0.1d0 * line(l, i + 1))
        end do
        lhs(m, m, 2, i) = lhs(m, m, 2, i) + 1d0
      end do
    end do
  end subroutine
end module
program main
  use blocks
  real(8) :: line(5, n), lhs(5, 5, 3, n)
  integer :: i, l
  dt = 0.0123d0
  do l = 1, 5
    do i = 1, 5
      coupling(i, l) = 0.1d0 / (1d0 + abs(l - i))
    end do
    do i = 1, n
      line(l, i) = sin(0.37d0 * i * l)
    end do
  end do
  lhs = 0d0
  call fill_blocks(line, lhs)
  print '(z17.16)', lhs(5, 5, 2, :)
end program
