! Selection looks into one block: what comes from another one, and from places a constant apart, is not taken up by a sum. Elements of a product of
! vectors are not, either, where several are used.
! RUN: rm -rf %t && mkdir -p %t
! RUN: %flang -O3 -g1 -march=x86-64-v4 -Rpass=polytile -Rpass-missed=polytile -S -o /dev/null -module-dir %t %s 2>&1 | FileCheck %s
! CHECK-NOT: may round
! RUN: flang-22 -O3 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/new
! RUN: env POLYTILE=verify=on %flang -O3 -march=native -module-dir %t %s -o %t/usual
! RUN: env OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
! RUN: env OMP_NUM_THREADS=1 %t/new | cmp - %t/expected
! RUN: %t/usual | cmp - %t/expected
module kernels
  implicit none
contains
  ! products of what does not change in the inner loop, made in front of it, in scalars and as all lanes of a vector
  subroutine in_front(n, m, a, b, q, w, u)
    integer, intent(in) :: n, m
    real(8), intent(in) :: a, b, q(n,m), w(n,m)
    real(8), intent(inout) :: u(n,m)
    integer :: i, j
    do j = 1, m
      do i = 1, n
        u(i,j) = a*b + q(i,j)*w(i,j) - a*a*w(i,j)
      end do
    end do
  end subroutine
  ! unrolled by LLVM, an iteration loads a number beside the product that the one before has stored
  subroutine beside(n, m, a, b, c, q, w, u, p, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: a, b, c, q(n,m), w(n,m)
    real(8), intent(inout) :: u(n,m), p(n,m), x(m), y(n)
    integer :: i, j
    real(8) :: t, s
    do j = 1, m
      do i = 1, n
        t = w(i,j) + b*(a + y(i)) - u(i,j)*c - a*(x(j) - q(i,j))
        s = b*(x(j) - w(i,j)) + a*c
        x(j) = .25d0*s
        p(i,j) = t
        y(i) = .25d0*(b*s - y(i)*a + u(i,j)*u(i,j) + w(i,j)*c)
      end do
    end do
  end subroutine
  ! the SLP vectorizer packs two products of one sum
  subroutine elements(n, m, na, mu, eta, weight, d, q, phi, dx, dy)
    integer, intent(in) :: n, m, na
    real(8), intent(in) :: mu(na), eta(na), weight(na), d(n,m), q(n,m), dx, dy
    real(8), intent(out) :: phi(n,m)
    real(8) :: x(m,na), y(n,na), psi
    integer :: i, j, a
    phi = 0; x = 0; y = 0
    do a = 1, na
      do j = 1, m
        do i = 1, n
          psi = (q(i,j) + 2*mu(a)/dx*x(j,a) + 2*eta(a)/dy*y(i,a))/(d(i,j) + 2*mu(a)/dx + 2*eta(a)/dy)
          x(j,a) = max(2*psi - x(j,a), 0d0)
          y(i,a) = max(2*psi - y(i,a), 0d0)
          phi(i,j) = phi(i,j) + weight(a)*psi
        end do
      end do
    end do
  end subroutine
  ! rows and elements a distance apart that is known at run time
  subroutine averages(n, m, u, f)
    integer, intent(in) :: n, m
    real(8), pointer, intent(in) :: u(:,:), f(:,:)
    integer :: i, j
    ! CHECK: rounding-blocks.f90:[[@LINE+1]]:{{[0-9]+}}: remark: loop nest transformed
    do j = 1, m
      do i = 1, n
        u(i,j) = .25d0*(u(i,j) + f(i,j))
      end do
    end do
  end subroutine
end module
! CHECK-NOT: may round
program main
  use kernels
  implicit none
  integer :: n, m, i, j, t
  real(8), allocatable, target :: u(:,:), phi(:,:)
  real(8), pointer :: ends(:,:), others(:,:)
  real(8), allocatable :: q(:,:), w(:,:), p(:,:), x(:), y(:)
  do t = 1, 5
    n = 13*t; m = 7 + 11*t
    allocate(q(n,m), w(n,m), u(n,m), p(n,m), phi(n,m), x(m), y(n))
    do j = 1, m
      x(j) = mod(j*3, 7)*.1d0
      do i = 1, n
        q(i,j) = mod(i*j, 7)*.13d0 - .3d0; w(i,j) = mod(i+j*2, 11)*.07d0 - .4d0; u(i,j) = mod(i*2+j*j, 13)*.03d0; phi(i,j) = 0
      end do
    end do
    do i = 1, n
      y(i) = mod(i*5, 9)*.05d0
    end do
    call in_front(n, m, .37d0, .71d0, q, w, u)
    print '(z16)', u
    call beside(n, m, .31d0, -.77d0, .23d0, q, w, u, p, x, y)
    print '(z16)', p, x, y
    call elements(n, m, 2, [.3d0, .7d0], [.8d0, .4d0], [1d0, .5d0], w, q, phi, .1d0, .2d0)
    print '(z16)', phi
    ends => u(1:n:2,m:1:-1); others => phi(1:n:2,:)
    call averages((n+1)/2, m, ends, others)
    print '(z16)', u
    deallocate(q, w, u, p, phi, x, y)
  end do
end program
