! A field that is filled element by element, and updated by threes in the next nest: statements share loops, each in steps of its own. The set
! library did not generate such loops in the order that was asked for, so they are read back before they are taken.
! RUN: rm -rf %t && mkdir -p %t && flang-22 -O2 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;verify=on" %flang -O2 -march=native -fopenmp -module-dir %t %s -o %t/new
! RUN: env OMP_NUM_THREADS=2 %t/new | cmp - %t/expected
module points
contains
  subroutine point(a, b, c, f, n)
    real(4), intent(in) :: a(3), b(3), f
    real(4), intent(inout) :: c(3)
    integer, intent(in) :: n
    real(4) :: s, t
    integer :: k
    s = sqrt(abs(sqrt(abs((0.3_4 + 0.3_4)))))
    t = f*0.5_4
    t = sqrt(abs(s))*(t)/(3 + abs(a(1)))
    do k = 1, 3
      c(k) = c(k) - a(k)*b(k)
    end do
    if (s > t) c(3) = (t*2.0_4 - max(b(3), s))
    c(2) = sqrt(abs(f))
    c(3) = a(2)
  end subroutine
subroutine work(n, a, b, c, w, f, g)
  integer, intent(in) :: n
  real(4), intent(inout) :: a(3,n,n), b(3,n,n), c(3,n,n), w(n,n)
  real(4), value :: f
  real(4), intent(in) :: g
  integer :: i, j
    do j = 1, n
      do i = 1, n
        call point(a(:,i,j), b(:,j,i), c(:,i,j), g, n)
      end do
    end do
    do j = 2, n
      do i = 1, n
        call point(b(:,i,j), a(:,i,j), c(:,i,j), f, n)
        w(i,j) = w(i,j) + w(i,j-1)*f
      end do
    end do
end subroutine
end module
program main
  use points
  integer :: sizes(6) = [1,2,5,8,21,50]
  integer :: s, n
  real(4), allocatable :: a(:,:,:), b(:,:,:), c(:,:,:), w(:,:)
  open(9, file='/dev/stdout', access='stream')
  do s = 1, 6
    n = sizes(s)
    allocate(a(3,n,n), b(3,n,n), c(3,n,n), w(n,n))
    call fill(a, 3*n*n, 7919)
    call fill(b, 3*n*n, 104)
    call fill(c, 3*n*n, 37)
    call fill(w, n*n, 77)
    call work(n, a, b, c, w, 0.7_4, 0.3_4)
    write(9) a, b, c, w
    deallocate(a, b, c, w)
  end do
contains
  subroutine fill(x, k, by)
    integer, intent(in) :: k, by
    real(4), intent(out) :: x(k)
    integer :: i
    do i = 1, k
      x(i) = real(mod(i*by, 1009)/1007d0 - 0.3d0, 4)
    end do
  end subroutine
end program
