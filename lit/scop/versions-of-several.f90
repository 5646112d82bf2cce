! A nest that asks for the strides of three arrays at once, and is too large for that to be taken out of it: those for arrays with gaps are no part of the model.
! Where one of them is a section with gaps the original runs.
! RUN: %flang -O3 -Rpass=polytile -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
module residuals
contains
  subroutine residual(u, f, r, h2, n)
    integer, intent(in) :: n
    real(8), intent(in) :: h2, u(0:, 0:, 0:), f(0:, 0:, 0:)
    real(8), intent(out) :: r(0:, 0:, 0:)
    integer :: i, j, k
    r = 0
    ! CHECK: versions-of-several.f90:[[@LINE+1]]:{{[0-9]+}}: remark: loop nest transformed: 1 statement, {{.*}}bands of 3
    do k = 1, n - 1
      do j = 1, n - 1
        do i = 1, n - 1
          r(i, j, k) = f(i, j, k) - (6 * u(i, j, k) - u(i - 1, j, k) - u(i + 1, j, k) - u(i, j - 1, k) - u(i, j + 1, k) &
                                     - u(i, j, k - 1) - u(i, j, k + 1)) / h2
        end do
      end do
    end do
  end subroutine
end module
program main
  use residuals
  real(8) :: u(0:20, 0:20, 0:20), f(0:20, 0:20, 0:20), r(0:20, 0:20, 0:20), w(0:41, 0:20, 0:20)
  integer :: i, j, k, n
  do k = 0, 20
    do j = 0, 20
      do i = 0, 20
        u(i, j, k) = mod(i * 7 + j * 5 + k * 3, 13) * .1d0
        f(i, j, k) = mod(i * j + k, 7) * .2d0
      end do
    end do
  end do
  do n = 1, 20, 19
    call residual(u, f, r, .5d0, n)
    print *, sum(r), r(1, 1, 1)
  end do
  w = 3
  w(0:40:2, :, :) = u
  call residual(w(0:40:2, :, :), f, r, .5d0, 20)
  print *, sum(r)
  call residual(u, f, w(0:40:2, :, :), .5d0, 20)
  print *, sum(w)
  call residual(u, f(20:0:-1, :, :), r, .5d0, 20)
  print *, sum(r)
  call residual(u(:, 20:0:-1, :), f, r(:, :, 20:0:-1), .5d0, 20)
  print *, sum(r), r(3, 4, 5)
end program
