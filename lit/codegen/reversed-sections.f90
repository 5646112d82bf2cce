! Array assignments to reversed sections of what they read. A compiler leaves out bits of where the last column begins that its multiple in bytes has
! no place for: it lies at n2 + 2^61 - 1 columns.
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O2 -fopenmp -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
! RUN: flang-22 -O1 %s -o %t.plain && %t.plain > %t.expected
! RUN: %t.new | cmp - %t.expected
! CHECK-DAG: reversed-sections.f90:13:{{.*}}loop nest transformed
module sections
  implicit none
contains
  subroutine reversed(n1, n2, a, b)
    integer, intent(in) :: n1, n2
    real(8) :: a(n1, n2), b(n1, n2)
    a(:, n2:1:-1) = max(a, b)
  end subroutine
  subroutine moved(n1, n2, a, b)
    integer, intent(in) :: n1, n2
    real(8) :: a(n1, n2), b(n1, n2)
    a(:, 2:n2) = a(:, 1:n2-1) + b(:, n2:2:-1)
  end subroutine
  subroutine turned(n, a, b)
    integer, intent(in) :: n
    real(8) :: a(n), b(n)
    a(n:1:-1) = a + b
  end subroutine
end module
program p
  use sections
  real(8), allocatable :: a(:, :), b(:, :)
  integer :: i, j, n1, n2
  do n1 = 1, 40, 13
    do n2 = 1, 31, 5
      allocate(a(n1, n2), b(n1, n2))
      do j = 1, n2
        do i = 1, n1
          a(i, j) = mod(i * 7 + j * 3, 11)
          b(i, j) = mod(i * 3 + j, 5)
        end do
      end do
      call reversed(n1, n2, a, b)
      print *, sum(a(:, 1)), sum(a(:, n2)), sum(a)
      call moved(n1, n2, a, b)
      print *, sum(a(:, 1)), sum(a(:, n2)), sum(a)
      call turned(n1, a(:, 1), b)
      print *, sum(a(:, 1)), sum(a)
      deallocate(a, b)
    end do
  end do
end program
