! A solver of lines that takes arrays of explicit shape, for sections of arrays of assumed shape: in each iteration the program asks whether the section's
! elements lie side by side, and copies them if not. That is asked once, in front of a nest without copies. Sizes of work arrays come from another array
! than those of the loops that read them. Strided sections, and sizes that do not fit, run the original.
! RUN: %flang -O3 -ffp-contract=off -march=native -fopenmp -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -ffp-contract=off -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env OMP_NUM_THREADS=1 POLYTILE_VERBOSE=1 %t.new 2>%t.runs | cmp - %t.expected
! RUN: FileCheck --check-prefix=RUNS %s < %t.runs
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -ffp-contract=off -march=native -fopenmp %s -o %t.all
! RUN: env OMP_NUM_THREADS=3 %t.all | cmp - %t.expected
! CHECK-DAG: sections.f90:36:{{.*}}loop nest transformed
! CHECK-DAG: sections.f90:53:{{.*}}loop nest transformed
! RUNS-DAG: columns: new version 3
! RUNS-DAG: lines: new version 3
module solvers
  implicit none
contains
  subroutine solve(a, b, c, d, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), c(n)
    real(8), intent(inout) :: b(n), d(n)
    integer :: i
    do i = 2, n
      b(i) = b(i) - a(i) / b(i-1) * c(i-1)
      d(i) = d(i) - a(i) / b(i-1) * d(i-1)
    end do
    d(n) = d(n) / b(n)
    do i = n - 1, 1, -1
      d(i) = (d(i) - c(i) * d(i+1)) / b(i)
    end do
  end subroutine
  subroutine columns(k, d)
    real(8), intent(in) :: k(:,:)
    real(8), intent(inout) :: d(:,:)
    real(8), dimension(size(k,1)) :: a, b, c
    integer :: i, j
    do j = 1, size(k,2)
      do i = 1, size(k,1)
        a(i) = -0.25d0 * k(i,j)
        c(i) = -0.125d0 * k(i,j)
        b(i) = 1 - a(i) - c(i)
      end do
      call solve(a, b, c, d(:,j), size(k,1))
    end do
  end subroutine
  ! Along the last dimension, with work arrays of the other array's size.
  subroutine lines(k, d)
    real(8), intent(in) :: k(:,:,:)
    real(8), intent(inout) :: d(:,:,:)
    real(8), dimension(size(d,3)) :: a, b, c, x
    integer :: i, j, n
    n = size(d,3)
    do j = 1, size(d,2)
      do i = 1, size(d,1)
        a = -0.25d0 * k(i,j,:)
        c = -0.125d0 * k(i,j,:)
        b = 1 - a - c
        x = d(i,j,:)
        call solve(a, b, c, x, n)
        d(i,j,:) = x
      end do
    end do
  end subroutine
end module
program p
  use solvers
  integer, parameter :: n = 120, m = 90, l = 40
  real(8) :: k(n, m), d(n, m), wide(2 * n, m), k3(n, m, l), d3(n, m, l), wide3(2 * n, m, l)
  integer :: i, t
  k = reshape([(mod(i * 7, 13) / 16d0, i = 1, n * m)], [n, m])
  d = reshape([(mod(i * 5, 11) * 1d0, i = 1, n * m)], [n, m])
  wide = reshape([(mod(i * 3, 17) * 1d0, i = 1, 2 * n * m)], [2 * n, m])
  k3 = reshape([(mod(i * 7, 13) / 16d0, i = 1, n * m * l)], [n, m, l])
  d3 = reshape([(mod(i * 5, 11) * 1d0, i = 1, n * m * l)], [n, m, l])
  wide3 = reshape([(mod(i * 3, 17) * 1d0, i = 1, 2 * n * m * l)], [2 * n, m, l])
  do t = 1, 3
    call columns(k, d)
    call lines(k3, d3)
  end do
  call columns(k, wide(1::2,:))
  call columns(k(:,:), wide(2::2,:))
  call columns(k(1:1,:), d(5:5,:))
  call lines(k3, wide3(2::2,:,:))
  print '(es24.16)', sum(d), sum(wide), d(3,4), wide(7,8), sum(d3), sum(wide3), d3(3,4,5)
end program
