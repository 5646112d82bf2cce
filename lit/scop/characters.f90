! A function of characters returns an aggregate (address and length). It is computed behind the loop and no cell holds it: the region ends in front of it.
! RUN: mkdir -p %t.d && flang-22 -O1 -module-dir %t.d %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;verify=on" %flang -module-dir %t.d -O3 -march=native -fopenmp -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
! RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t.new | cmp - %t.expected
module letters
contains
  function lower(string) result(r)
    character(len=*), intent(in) :: string
    character(len=len(string)) :: r
    integer :: i, code
    ! CHECK: characters.f90:[[@LINE+1]]:{{.*}} loop nest transformed
    do i = 1, len(string)
      code = iachar(string(i:i))
      select case (code)
      case (65:90)
        r(i:i) = achar(code + 32)
      case default
        r(i:i) = string(i:i)
      end select
    end do
  end function
end module
program p
  use letters
  character(len=517) :: s
  integer :: n
  s = repeat('AbCd@[`{z', 60)
  do n = 0, 517, 47
    print *, lower(s(1:n))
  end do
end program
