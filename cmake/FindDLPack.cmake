# Finds the header of DLPack (tensors handed from library to library) as the target DLPack::DLPack.
find_path(DLPack_INCLUDE_DIR dlpack/dlpack.h)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DLPack REQUIRED_VARS DLPack_INCLUDE_DIR)

if(DLPack_FOUND AND NOT TARGET DLPack::DLPack)
  add_library(DLPack::DLPack INTERFACE IMPORTED)
  set_target_properties(DLPack::DLPack PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${DLPack_INCLUDE_DIR})
endif()
mark_as_advanced(DLPack_INCLUDE_DIR)
