! The parts of a cell are seen to be neighbours in the new version, too, where the constant is added last: LLVM makes vectors of them.
! RUN: env "POLYTILE=only=collide_" %flang -O3 -march=x86-64-v3 -S -emit-llvm -o - %s | FileCheck %s
! CHECK: define internal void @collide_.polytile.team
! CHECK: load <8 x float>
! CHECK: store <8 x float>
! CHECK: store <8 x float>
! CHECK: {{^}$}}
subroutine collide(u, v, f, feq, r, omega, w, cx, cy, n, m)
  integer :: n, m, i, j, k
  real :: f(0:8, 0:n, 0:m), feq(0:8, 0:n, 0:m), r(0:n, 0:m), w(0:8), cx(0:8), cy(0:8), u(0:n, 0:m), v(0:n, 0:m), omega, t, t1
  do i = 0, n
    do j = 0, m
      t1 = u(i, j) * u(i, j) + v(i, j) * v(i, j)
      do k = 0, 8
        t = u(i, j) * cx(k) + v(i, j) * cy(k)
        feq(k, i, j) = r(i, j) * w(k) * (1.0 + 3.0 * t + 4.5 * t * t - 1.5 * t1)
        f(k, i, j) = omega * feq(k, i, j) + (1.0 - omega) * f(k, i, j)
      end do
    end do
  end do
end subroutine
