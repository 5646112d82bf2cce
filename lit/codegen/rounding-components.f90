! Components stored side by side: where all four are in lanes, one vector holds several of them, which LLVM puts together of vectors for each when the sums are
! made already, and their operands in turn. The same bytes with and without the plugin.
! RUN: rm -rf %t && mkdir -p %t
! RUN: %flang -O3 -g1 -march=x86-64-v4 -Rpass=polytile -Rpass-missed=polytile -mllvm -polytile-min-work=0 -S -o /dev/null -module-dir %t %s 2>&1 | FileCheck %s
! RUN: flang-22 -O3 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/new
! RUN: env OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
! RUN: env OMP_NUM_THREADS=1 %t/new | cmp - %t/expected
! CHECK-NOT: round a sum
! CHECK: rounding-components.f90:[[@LINE+8]]:3: remark: loop nest transformed
! CHECK-NOT: round a sum
subroutine flux(q, f, a, n, m)
  integer, intent(in) :: n, m
  real(8), intent(in) :: q(4, n, m), a
  real(8), intent(out) :: f(4, n, m)
  integer :: i, j
  real(8) :: u, v, p
  do j = 1, m
    do i = 1, n
      u = q(2, i, j) / q(1, i, j)
      v = q(3, i, j) / q(1, i, j)
      p = 0.4d0 * (q(4, i, j) - 0.5d0 * (q(2, i, j) * u + q(3, i, j) * v))
      f(1, i, j) = q(2, i, j) - a * q(1, i, j)
      f(2, i, j) = q(2, i, j) * u + p - a * q(2, i, j)
      f(3, i, j) = q(3, i, j) * u - a * q(3, i, j)
      f(4, i, j) = (q(4, i, j) + p) * u - a * q(4, i, j)
    end do
  end do
end subroutine
program main
  integer, parameter :: n = 77, m = 30
  real(8), allocatable :: q(:, :, :), f(:, :, :)
  integer :: i, j, k, t
  allocate (q(4, n, m), f(4, n, m))
  do j = 1, m
    do i = 1, n
      do k = 1, 4
        q(k, i, j) = 1 + mod(i * 7 + j * 13 + k * 5, 101) / 37d0
      end do
    end do
  end do
  do t = 1, 3
    call flux(q, f, 0.25d0 + t, n, m)
    q(1, 1, 1) = q(1, 1, 1) + 1d-3 * f(1, 2, 2)
  end do
  print *, sum(f), maxval(f), minval(f)
end program
