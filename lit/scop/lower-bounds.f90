! Allocatable arrays of a module and of a derived type, whose descriptions might be changed by any store: their words are read once in front of
! the nest, and each description is compared with what is written as one range. Lower bounds are no parameters: elements are counted from another
! place, whatever the bounds are.
! RUN: %flang -O3 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0" %flang -O3 -march=native -fopenmp -Rpass=polytile %s -o %t.told 2>&1 | FileCheck --check-prefix=PAIRS %s
module nests
  real(4), allocatable, dimension(:, :, :) :: p, q, r, s
  real(4), allocatable, dimension(:, :, :, :) :: a, b
  type grid
    integer :: n
    real(8), allocatable :: u(:, :), v(:, :)
  end type
contains
! CHECK: scop "{{.*}}nineteen
! CHECK: array M{{[0-9]+}}{{.*}} f32 memory v{{[0-9]+}} strides {{.*}} extents {{.*}} origin v{{[0-9]+}} {{.*}} origin v
! CHECK: array H{{[0-9]+}} x{{[0-9]+}} memory
! CHECK: write { S{{[0-9]+}}[i0, i1, i2] -> M{{.*}}[p{{[a-z0-9_]+}} + i0, p{{[a-z0-9_]+}} + i1, p{{[a-z0-9_]+}} + i2] }
! PAIRS: remark: loop nest transformed: {{.*}} 6 pairs of arrays apart
  subroutine nineteen(l, h, total)
    integer, intent(in) :: l(3), h(3)
    real(4), intent(out) :: total
    integer :: i, j, k
    real(4) :: ss
    total = 0
    do k = l(3) + 1, h(3) - 1
      do j = l(2) + 1, h(2) - 1
        do i = l(1) + 1, h(1) - 1
          ss = a(i, j, k, 1) * p(i + 1, j, k) + a(i, j, k, 2) * p(i, j + 1, k) + a(i, j, k, 3) * p(i, j, k + 1) &
               + b(i, j, k, 1) * (p(i + 1, j + 1, k) - p(i - 1, j - 1, k)) + b(i, j, k, 2) * (p(i, j + 1, k + 1) - p(i, j - 1, k - 1)) &
               + r(i, j, k) * s(i, j, k) - p(i, j, k)
          total = total + ss * ss
          q(i, j, k) = p(i, j, k) + .8 * ss
        end do
      end do
    end do
  end subroutine
! CHECK: scop "{{.*}}smoothed
! CHECK: write { S{{[0-9]+}}[i0, i1] -> M{{.*}}[{{(1 \+ )?}}i0, {{(1 \+ )?}}i1] }
  subroutine smoothed(g)
    type(grid), intent(inout) :: g
    integer :: i, j
    do j = 1, g%n
      do i = 1, g%n
        g%v(i, j) = .25d0 * (g%u(i - 1, j) + g%u(i + 1, j) + g%u(i, j - 1) + g%u(i, j + 1))
      end do
    end do
  end subroutine
! Ends of rows beside interior cells: what the array begins with and what it ends with.
! CHECK: scop "{{.*}}ends
  subroutine ends(g)
    type(grid), intent(inout) :: g
    integer :: j
    do j = 0, g%n + 1
      g%u(0, j) = g%u(1, j)
      g%u(g%n + 1, j) = g%u(g%n, j) * 2
      g%v(g%n - 1, j) = g%u(g%n, j) + j
    end do
  end subroutine
! Bounds of 64 bits, so that a bound times a row is more than an address has.
! CHECK: scop "{{.*}}far
  subroutine far(x, y, l, n)
    integer(8), intent(in) :: l, n
    real(8), allocatable, intent(inout) :: x(:, :), y(:, :)
    integer(8) :: i, j
    do j = l, l + n - 1
      do i = 1, n
        x(i, j) = x(i, j) + y(i, j) * 2
      end do
    end do
  end subroutine
end module

program main
  use nests
  integer :: n, lows(3, 4), c, lo(3), hi(3)
  real(4) :: total
  type(grid) :: g
  real(8), allocatable :: x(:, :), y(:, :)
  integer(8) :: l, bounds(3) = [1_8, -2_8**20, 2_8**58]
  lows = reshape([1, 1, 1, 0, 0, 0, -3, 7, -1000, 1, 0, 100000], [3, 4])
  do c = 1, 4
    do n = 0, 13
      lo = lows(:, c)
      hi = lo + [n, n + 1, n / 2] - 1
      allocate (p(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)), q(lo(1):hi(1) + 1, lo(2):hi(2), lo(3):hi(3)))
      allocate (r(lo(1):hi(1), lo(2) - 1:hi(2), lo(3):hi(3)), s(lo(1) - 2:hi(1), lo(2):hi(2) + 3, lo(3):hi(3)))
      allocate (a(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3), 3), b(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3), -1:2))
      call fill(p, 1)
      call fill(q, 2)
      call fill(r, 3)
      call fill(s, 4)
      a = .25
      b = -.125
      call nineteen(lo, hi, total)
      print *, total, sum(q), sum(p)
      deallocate (p, q, r, s, a, b)
    end do
  end do
  do n = 0, 9
    g%n = n
    allocate (g%u(0:n + 1, 0:n + 1), g%v(-1:n + 1, 0:n + 1))
    g%u = reshape([(mod(c * c, 17), c=1, (n + 2)**2)], [n + 2, n + 2])
    g%v = 0
    call smoothed(g)
    call ends(g)
    print *, g%u, g%v
    deallocate (g%u, g%v)
  end do
  do c = 1, 3
    l = bounds(c)
    allocate (x(1:40, l:l + 39), y(1:40, l:l + 39))
    x = reshape([(mod(i, 13), i=1, 1600)], [40, 40])
    y = reshape([(mod(i, 7), i=1, 1600)], [40, 40])
    call far(x, y, l, 40_8)
    call far(y, x, l, 1_8)
    call far(y, x, l, 0_8)
    print *, sum(x), x(:, l + 39), sum(y)
    deallocate (x, y)
  end do
contains
  subroutine fill(x, k)
    real(4), intent(out) :: x(:, :, :)
    integer :: k, i1, i2, i3
    do i3 = 1, size(x, 3)
      do i2 = 1, size(x, 2)
        do i1 = 1, size(x, 1)
          x(i1, i2, i3) = mod(i1 * k + i2 * 3 + i3, 11) * .5
        end do
      end do
    end do
  end subroutine
end program
