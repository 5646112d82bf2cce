! Arrays from a lower to an upper bound that are both default integers: rows of 1 + max(-1, (last + 2) - (first - 2)) elements. Where
! that is nothing, and where a loop runs past its row, the original runs.
! RUN: %flang -O2 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: %flang -O3 -g1 -march=x86-64-v3 -mllvm -polytile-only=_QMnestsPpressure -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=GAIN
! RUN: flang-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
! GAIN: loop nest transformed: {{.*}} 1 parallel loop
module nests
contains
! CHECK: scop "{{.*}}pressure
! CHECK: write { S0[i0, i1] -> M{{[a-z0-9_]*}}[{{.*}}, 2 + i1] }
  subroutine pressure(x_min, x_max, y_min, y_max, p, e, c)
    integer :: x_min, x_max, y_min, y_max, j, k
    real(8), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 2) :: p, e, c
    do k = y_min, y_max
      do j = x_min, x_max
        p(j, k) = .4 * e(j, k) + e(j - 1, k) + e(j, k + 2)
        c(j, k) = sqrt(p(j, k))
      end do
    end do
  end subroutine
! One more column than the other array.
! CHECK: scop "{{.*}}staggered
! CHECK: write { S0[i0, i1] -> M{{[a-z0-9_]*}}[{{.*}}, 2 + i1] }
  subroutine staggered(x_min, x_max, y_min, y_max, v, p)
    integer :: x_min, x_max, y_min, y_max, j, k
    real(8), dimension(x_min - 2:x_max + 3, y_min - 2:y_max + 3) :: v
    real(8), dimension(x_min - 2:x_max + 2, y_min - 2:y_max + 2) :: p
    do k = y_min, y_max + 1
      do j = x_min, x_max + 1
        v(j, k) = v(j, k) - (p(j, k) - p(j - 1, k) + p(j, k - 1) - p(j - 1, k - 1))
      end do
    end do
  end subroutine
! The loop has other ends than the row.
! CHECK: scop "{{.*}}other
  subroutine other(first, last, x_min, x_max, y_min, y_max, a)
    integer :: first, last, x_min, x_max, y_min, y_max, j, k
    real(8), dimension(x_min:x_max, y_min:y_max) :: a
    do k = y_min, y_max
      do j = first, last
        a(j, k) = a(j, k) * .5 + k
      end do
    end do
  end subroutine
end module

program main
  use nests
  integer :: at, n, m, lows(5), low
  real(8) :: p(5000), e(5000), c(5000)
  lows = [1, 0, -7, 2147483600, -2147483640]
  do at = 1, 5
    low = lows(at)
    do n = -5, 3, 2
      do m = -3, 30, 11
        call fill(p, e, c)
        call pressure(low, low + n, 5, 5 + m, p, e, c)
        call staggered(low, low + n, 5, 5 + m, c, p)
        call other(low, low + n + 2, low, low + n, 3, 3 + m, e)
        print *, sum(p), sum(e), sum(c)
      end do
    end do
    do m = 0, 20, 5
      call fill(p, e, c)
      call pressure(low, low + 37, -m, m, p, e, c)
      call staggered(low, low + 37, -m, m, c, p)
      print *, sum(p), sum(e), sum(c)
    end do
  end do
contains
  subroutine fill(p, e, c)
    real(8) :: p(:), e(:), c(:)
    integer :: i
    do i = 1, size(p)
      p(i) = mod(i, 13)
      e(i) = mod(i * 7, 31)
      c(i) = i
    end do
  end subroutine
end program
