! Arrays of assumed shape: strides in bytes, whose quotients by the size of an element are sizes. Where the first dimension of a
! section has gaps, runs backwards or lies in a structure, the loops that were not versioned run.
! RUN: %flang -O3 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
module nests
  type point
    real(8) :: v
    integer(4) :: tag(3)
  end type
contains
! CHECK: scop "{{.*}}product
! CHECK: write { S0[i0, i1, i2] -> M{{.*}}[i0, i2] }
  subroutine product(a, b, c)
    real(8), intent(in) :: a(:, :), b(:, :)
    real(8), intent(inout) :: c(:, :)
    integer :: i, j, k
    do j = 1, size(c, 2)
      do k = 1, size(a, 2)
        do i = 1, size(c, 1)
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine
! CHECK: scop "{{.*}}smoothed
! CHECK: write { S0[i0, i1] -> M{{.*}}[1 + i0, 1 + i1] }
  subroutine smoothed(a, b)
    real(8), intent(in) :: a(0:, 0:)
    real(8), intent(inout) :: b(0:, 0:)
    integer :: i, j
    do j = 1, ubound(a, 2) - 1
      do i = 1, ubound(a, 1) - 1
        b(i, j) = .25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
  end subroutine
! CHECK: scop "{{.*}}in_space
! CHECK: write { S0[i0, i1, i2] -> M{{.*}}[{{.*}}i0, {{.*}}i1, {{.*}}i2] }
  subroutine in_space(a, b)
    real(4), intent(in) :: a(:, :, :)
    real(4), intent(inout) :: b(:, :, :)
    integer :: i, j, k
    do k = 2, size(a, 3) - 1
      do j = 2, size(a, 2) - 1
        do i = 2, size(a, 1) - 1
          b(i, j, k) = a(i, j, k) - .1 * (a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) + a(i, j + 1, k) + a(i, j, k - 1) + a(i, j, k + 1))
        end do
      end do
    end do
  end subroutine
end module

program main
  use nests
  integer, parameter :: n = 41
  real(8) :: a(n, n), b(n, n), c(n, n)
  real(4) :: u(n, n, 9), v(n, n, 9)
  type(point) :: p(n, n), q(n, n)
  integer :: i, j, k, m
  do m = 0, n, 20
    call fill()
    call product(a(:m, :m), b(:m, :), c(:m, :))
    call smoothed(b(:m, :), a(:m, :))
    call in_space(u(:m, :, :), v(:m, :, :))
    ! Gaps, columns that run backwards, rows that run backwards, a transposed order of columns, parts of structures.
    call product(a(:m:2, :), b, c(:m:2, :))
    call product(a(:m, n:1:-1), b(:, ::3), c(:m, ::3))
    call product(a(n:1:-1, :), b(:, :m), c(:, :m))
    call smoothed(b(:, n:1:-2), a(:, n:1:-2))
    call in_space(u(:, m + 1:, 9:1:-1), v(:, m + 1:, 9:1:-1))
    call smoothed(p%v, q%v)
    call smoothed(p(:m, ::2)%v, c(:m, ::2))
    call smoothed(a, q(:, :)%v)
    print *, sum(a), sum(b), sum(c), sum(u), sum(v), sum(q%v), sum(q%tag(2))
    print *, c(:, 7), a(11, :), v(:, 5, 3)
  end do
contains
  subroutine fill()
    do j = 1, n
      do i = 1, n
        a(i, j) = mod(i * j, 13)
        b(i, j) = mod(i + 3 * j, 7) * .5d0
        c(i, j) = i - j
        p(i, j)%v = mod(i * i + j, 31)
        p(i, j)%tag = i
        q(i, j)%v = j
        q(i, j)%tag = i + j
        do k = 1, 9
          u(i, j, k) = mod(i * k + j, 17)
          v(i, j, k) = k
        end do
      end do
    end do
  end subroutine
end program
