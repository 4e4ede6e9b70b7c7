# What `cmake --install` puts where, and the Debian packages of it. Two components: "runtime" is the program with its
# models, man page and completions, "development" what other programs are built with.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(moco_data ${CMAKE_INSTALL_DATADIR}/moco)
set(moco_cmake ${CMAKE_INSTALL_LIBDIR}/cmake/moco)

# The program makes its own man page and completions.
set(made ${CMAKE_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${made})
add_custom_command(OUTPUT ${made}/moco.1 ${made}/moco.bash ${made}/_moco ${made}/moco.fish
  COMMAND moco help --man > ${made}/moco.1
  COMMAND moco help --completion bash > ${made}/moco.bash
  COMMAND moco help --completion zsh > ${made}/_moco
  COMMAND moco help --completion fish > ${made}/moco.fish
  DEPENDS moco VERBATIM)
add_custom_target(moco_texts ALL DEPENDS ${made}/moco.1 ${made}/moco.bash ${made}/_moco ${made}/moco.fish)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME runtime)
install(TARGETS moco RUNTIME)
file(GLOB models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.safetensors)
install(FILES ${models} models/manifest.toml models/README.md DESTINATION ${moco_data}/models)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs 
  FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN results EXCLUDE)
install(FILES ${made}/moco.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/moco.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME moco)
install(FILES ${made}/_moco DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${made}/moco.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS moco_library EXPORT moco ARCHIVE INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/moco DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT moco NAMESPACE moco:: FILE moco-targets.cmake DESTINATION ${moco_cmake})
set(MOCO_NEEDS Threads ZLIB Nettle libxsmm)
if(MOCO_PNG AND Cairo_FOUND)
  list(APPEND MOCO_NEEDS Cairo)
endif()
if(MOCO_CUDA)
  list(APPEND MOCO_NEEDS CUDAToolkit)
endif()
set(MOCO_MODELS_DIR ${moco_data}/models)
configure_package_config_file(cmake/moco-config.cmake.in moco-config.cmake INSTALL_DESTINATION ${moco_cmake}
  PATH_VARS MOCO_MODELS_DIR NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(moco-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/moco-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/moco-config-version.cmake
  cmake/FindNettle.cmake cmake/Findlibxsmm.cmake cmake/FindCairo.cmake DESTINATION ${moco_cmake})

# `cpack -G DEB` in the build folder: moco and libmoco-dev.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_CONTACT "The moco authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_layout.cmake)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME moco)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"Finds good tours, independent sets, vertex covers and cliques, checks and
draws them, and trains the networks that guide its search. With the trained
models, a man page and completions for bash, zsh and fish.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libmoco-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "moco (= ${PROJECT_VERSION}), libxsmm-dev, nettle-dev, zlib1g-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"Headers, a static library and CMake files to build programs with the solver
of moco.")
if(MOCO_PNG AND Cairo_FOUND)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS fonts-dejavu-core)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libcairo2-dev")
endif()
include(CPack)
