# Makes the Debian packages, unpacks them into a folder and looks at what they hold. Variables: BUILD, FOLDER, VERSION.
find_program(dpkg_deb dpkg-deb)
find_program(dpkg_shlibdeps dpkg-shlibdeps)
if(NOT dpkg_deb OR NOT dpkg_shlibdeps)
  message("skipped: dpkg-dev is not installed")
  return()
endif()
file(REMOVE_RECURSE ${FOLDER})
set(CMAKE_EXECUTE_PROCESS_COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_CPACK_COMMAND} -G DEB -B ${FOLDER} --config ${BUILD}/CPackConfig.cmake
  -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip OUTPUT_QUIET)

function(expect_field package field pattern)
  file(GLOB file ${FOLDER}/${package}_${VERSION}_*.deb)
  execute_process(COMMAND ${dpkg_deb} --field ${file} ${field} OUTPUT_VARIABLE value)
  if(NOT value MATCHES "${pattern}")
    message(FATAL_ERROR "${package} has ${field} '${value}'")
  endif()
  execute_process(COMMAND ${dpkg_deb} --extract ${file} ${FOLDER}/${package})
endfunction()

expect_field(moco Depends "libc6.*libstdc\\+\\+6.*zlib1g")
expect_field(libmoco-dev Depends "moco \\(= ${VERSION}\\).*libxsmm-dev")
foreach(file moco/usr/bin/moco moco/usr/share/moco/models/manifest.toml moco/usr/share/man/man1/moco.1.gz
    moco/usr/share/bash-completion/completions/moco moco/usr/share/zsh/vendor-completions/_moco
    moco/usr/share/fish/vendor_completions.d/moco.fish moco/usr/share/doc/moco/copyright
    moco/usr/share/doc/moco/changelog.gz libmoco-dev/usr/include/moco/version.h libmoco-dev/usr/lib/libmoco.a
    libmoco-dev/usr/lib/cmake/moco/moco-config.cmake libmoco-dev/usr/share/doc/libmoco-dev/copyright)
  file(SIZE ${FOLDER}/${file} size)  # an error where there is none
endforeach()
if(EXISTS ${FOLDER}/moco/usr/include OR EXISTS ${FOLDER}/libmoco-dev/usr/bin)
  message(FATAL_ERROR "the packages share files")
endif()
execute_process(COMMAND ${FOLDER}/moco/usr/bin/moco models --names OUTPUT_VARIABLE names)
if(NOT names MATCHES "tsp100\n")
  message(FATAL_ERROR "the packaged program knows the models '${names}'")
endif()
file(REMOVE_RECURSE ${FOLDER})
