! Arrays behind descriptions: their words are known in front of nests, wherever LLVM reads them.
! RUN: mkdir -p %t.d
! RUN: %flang -mllvm -inline-threshold=-1000 -O3 -march=x86-64-v3 -g1 -Rpass=polytile -module-dir %t.d -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -ffp-contract=off -module-dir %t.d %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -mllvm -inline-threshold=-1000 -O3 -ffp-contract=off -fopenmp -module-dir %t.d %s -o %t.new
! RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
! RUN: env POLYTILE_VERBOSE=1 OMP_NUM_THREADS=1 %t.new 2>&1 | FileCheck --check-prefix=RAN %s
module arrays
  real(8), allocatable :: a(:, :)
contains
  ! The words of `b` are read between those of `c` and `a` and the loops; its elements are no look-ups in tables.
  ! CHECK: descriptions.f90:[[@LINE+4]]:{{[0-9]+}}: remark: loop nest transformed: 1 statement, {{.*}} 1 register tile
  subroutine product(n, x, b, c)
    integer, intent(in) :: n
    real(8), allocatable, intent(inout) :: x(:, :), b(:, :), c(:, :)
    do j = 1, n
      do l = 1, n
        do i = 1, n
          c(i, j) = c(i, j) + x(i, l) * b(l, j)
        end do
      end do
    end do
  end subroutine

  ! The words of one description are read in front of the nest and once more in it: one array.
  ! CHECK: descriptions.f90:[[@LINE+4]]:{{[0-9]+}}: remark: loop nest transformed: 2 statements, {{.*}} 1 register tile
  ! RAN: {{.*}}factor: new version 1 {{.*}} original 0
  subroutine factor(n)
    integer, intent(in) :: n
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

  ! The loop over i counts down to one, behind `n - r < 2147483647u`: it has one case, whose window sums run in lanes.
  ! CHECK: descriptions.f90:[[@LINE+5]]:{{[0-9]+}}: remark: loop nest transformed: 2 statements, 1 parallel loop, 1 vector loop; at run time: {{[0-9]+}} conditions, enough work
  subroutine window(n, r, p, w, q)
    integer, intent(in) :: n, r
    real(8) :: s
    real(8), allocatable, intent(inout) :: p(:, :), w(:, :), q(:, :)
    do j = 1, n - r + 1
      do i = 1, n - r + 1
        s = 0
        do l = 1, r
          do k = 1, r
            s = s + w(k, l) * p(i + k - 1, j + l - 1)
          end do
        end do
        q(i, j) = s
      end do
    end do
  end subroutine
end module

program main
  use arrays
  real(8), allocatable :: x(:, :), b(:, :), c(:, :)
  allocate(a(90, 90), x(90, 90), b(90, 90), c(90, 90))
  do j = 1, 90
    do i = 1, 90
      x(i, j) = mod(i * 7 + j, 23)
      b(i, j) = mod(i + j * 5, 17)
      c(i, j) = 1
      a(i, j) = mod(i * 3 + j, 13) + merge(500, 0, i == j)
    end do
  end do
  call product(90, x, b, c)
  call factor(90)
  call window(80, 5, x, b, c)
  write (*, '(3z17)') sum(a), sum(c), c(7, 9)
end program
