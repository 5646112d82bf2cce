# find_package(Polytile) for CMake: target_link_libraries(program PRIVATE Polytile::polytile) compiles a target's sources with the plugin, and
# links it with the OpenMP runtime (unless Polytile_OPENMP is off). The folder may be moved.
#
# The plugin works at -O1 and above (CMAKE_BUILD_TYPE=Release). Which processor to compile for is the project's choice (-march=native).
get_filename_component(_polytile_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Polytile_PLUGIN "${_polytile_prefix}/lib/polytile/libpolytile.so")
unset(_polytile_prefix)
option(Polytile_OPENMP "Link programs with the OpenMP runtime, so that loops run on several threads" ON)

if(NOT EXISTS "${Polytile_PLUGIN}")
  set(Polytile_FOUND FALSE)
  set(Polytile_NOT_FOUND_MESSAGE "${Polytile_PLUGIN} is missing")
  return()
endif()

# A plugin and its host are of one LLVM.
set(_polytile_id_C Clang)
set(_polytile_id_CXX Clang)
set(_polytile_id_Fortran LLVMFlang)
set(_polytile_options "")
foreach(_polytile_language C CXX Fortran)
  if(NOT CMAKE_${_polytile_language}_COMPILER_LOADED)
    continue()
  endif()
  set(_polytile_id "${CMAKE_${_polytile_language}_COMPILER_ID}")
  set(_polytile_version "${CMAKE_${_polytile_language}_COMPILER_VERSION}")
  if(_polytile_id STREQUAL _polytile_id_${_polytile_language} AND NOT (_polytile_version AND NOT _polytile_version MATCHES "^22\\."))
    foreach(_polytile_option "-fpass-plugin=${Polytile_PLUGIN}" "$<$<BOOL:${Polytile_OPENMP}>:-fopenmp>")
      list(APPEND _polytile_options "$<$<COMPILE_LANGUAGE:${_polytile_language}>:${_polytile_option}>")
    endforeach()
  elseif(NOT Polytile_FIND_QUIETLY)
    message(STATUS "Polytile: the ${_polytile_language} compiler is ${_polytile_id} ${_polytile_version}; the plugin needs clang or flang of LLVM 22")
  endif()
endforeach()
if(NOT _polytile_options)
  set(Polytile_FOUND FALSE)
  set(Polytile_NOT_FOUND_MESSAGE "no compiler of this project is clang or flang of LLVM 22 (CMAKE_C_COMPILER=clang-22)")
  return()
endif()

if(NOT TARGET Polytile::polytile)
  add_library(Polytile::polytile INTERFACE IMPORTED)
  set_target_properties(Polytile::polytile PROPERTIES
    INTERFACE_COMPILE_OPTIONS "${_polytile_options}"
    INTERFACE_LINK_OPTIONS "$<$<BOOL:${Polytile_OPENMP}>:-fopenmp>")
endif()
foreach(_polytile_name options language id version option id_C id_CXX id_Fortran name)
  unset(_polytile_${_polytile_name})
endforeach()
