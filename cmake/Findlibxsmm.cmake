# Finds LIBXSMM (small matrix products, generated at run time for the CPU at hand) as the target libxsmm::libxsmm.
# The variant without a BLAS fallback is enough: every product here has a shape its generator covers.
find_path(libxsmm_INCLUDE_DIR libxsmm.h PATH_SUFFIXES libxsmm)
find_library(libxsmm_LIBRARY NAMES libxsmm.a xsmm)
find_library(libxsmm_NOBLAS_LIBRARY NAMES libxsmmnoblas.a xsmmnoblas)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(libxsmm REQUIRED_VARS libxsmm_LIBRARY libxsmm_NOBLAS_LIBRARY libxsmm_INCLUDE_DIR)

if(libxsmm_FOUND AND NOT TARGET libxsmm::libxsmm)
  add_library(libxsmm::libxsmm UNKNOWN IMPORTED)
  set_target_properties(libxsmm::libxsmm PROPERTIES
    IMPORTED_LOCATION ${libxsmm_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${libxsmm_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${libxsmm_NOBLAS_LIBRARY};${CMAKE_DL_LIBS};m;rt")
endif()
mark_as_advanced(libxsmm_INCLUDE_DIR libxsmm_LIBRARY libxsmm_NOBLAS_LIBRARY)
