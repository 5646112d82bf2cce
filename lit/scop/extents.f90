! Extents that are default integers, with lower bounds: a row has max(0, n) or 1 + max(-1, n + 1) elements, which is taken for
! a size where it is one.
! RUN: %flang -O2 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
module nests
contains
! CHECK: scop "{{.*}}product
! CHECK: read { S0[i0, i1, i2] -> M{{.*}}[i1, i2] }
  subroutine product(n, a, b, c)
    integer :: n, i, j, k
    real(8) :: a(n, n), b(n, n), c(n, n)
    do j = 1, n
      do k = 1, n
        do i = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine
! CHECK: scop "{{.*}}bordered
! CHECK: read { S0[i0, i1] -> M{{.*}}[i0, 1 + i1] }
  subroutine bordered(n, a, b)
    integer :: n, i, j
    real(8) :: a(0:n + 1, 0:n + 1), b(0:n + 1, 0:n + 1)
    do j = 1, n
      do i = 1, n
        b(i, j) = .25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
  end subroutine
! CHECK: scop "{{.*}}eliminated
! CHECK: write { S0[i0, i1] -> [[A:M[a-z0-9_]*]][i0, 1 + i0 + i1] }
! CHECK: write { S1[i0, i1, i2] -> [[A]][1 + i0 + i1, 1 + i0 + i2] }
  subroutine eliminated(n, a)
    integer :: n, i, j, k
    real(8) :: a(n, n)
    do k = 1, n
      do i = k + 1, n
        a(i, k) = a(i, k) / a(k, k)
      end do
      do j = k + 1, n
        do i = k + 1, n
          a(i, j) = a(i, j) - a(i, k) * a(k, j)
        end do
      end do
    end do
  end subroutine
! Bounds of arrays and loops are two arguments.
! CHECK: scop "{{.*}}flux
! CHECK: write { S0[i0, i1] -> M{{.*}}[2 + i0, 2 + i1] }
  subroutine flux(x0, x1, y0, y1, a, v, c)
    integer :: x0, x1, y0, y1, j, k
    real(8), dimension(x0 - 2:x1 + 3, y0 - 2:y1 + 2) :: a, c
    real(8), dimension(x0 - 2:x1 + 3, y0 - 2:y1 + 3) :: v
    do k = y0, y1
      do j = x0, x1 + 1
        c(j, k) = .25d0 * a(j, k) * (v(j, k) + v(j, k + 1))
      end do
    end do
  end subroutine
end module

program main
  use nests
  integer :: n, i, j
  real(8) :: a(64, 64), b(64, 64), c(64, 64)
  do n = -1, 61, 6
    do j = 1, 64
      do i = 1, 64
        a(i, j) = mod(i * j, 13)
        b(i, j) = mod(i + j, 7)
        c(i, j) = i - j
        if (mod((j - 1) * 64 + i, n + 2) == 1) b(i, j) = 80
      end do
    end do
    call product(n, a, b, c)
    call bordered(n, b, a)
    call eliminated(n, b)
    call flux(-3, n - 8, 5, 40, a, b, c)
    call flux(7, n - 3, -2, n / 3, b, a, c)
    print *, a, b, c
  end do
end program
