# Installs moco into a folder of the build tree, moves that elsewhere, and builds and runs the consumer against it.
# Variables: BUILD, SOURCE, FOLDER, GENERATOR, COMPILER, FLAGS, VERSION.
file(REMOVE_RECURSE ${FOLDER})
set(CMAKE_EXECUTE_PROCESS_COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/first OUTPUT_QUIET)
file(RENAME ${FOLDER}/first ${FOLDER}/moved)
set(prefix ${FOLDER}/moved)

foreach(file bin/moco share/moco/models/manifest.toml share/man/man1/moco.1 share/bash-completion/completions/moco
    share/zsh/site-functions/_moco share/fish/vendor_completions.d/moco.fish share/doc/moco/LICENSE)
  file(SIZE ${prefix}/${file} size)  # an error where there is none
  if(size EQUAL 0)
    message(FATAL_ERROR "${file} is empty")
  endif()
endforeach()

# The program finds its models where it now is.
execute_process(COMMAND ${prefix}/bin/moco --version OUTPUT_VARIABLE version)
if(NOT version STREQUAL "moco ${VERSION}\n")
  message(FATAL_ERROR "the program says '${version}', CMake ${VERSION}")
endif()
execute_process(COMMAND ${prefix}/bin/moco models --json OUTPUT_VARIABLE models)
string(FIND "${models}" "\"file\":\"${prefix}/share/moco/models/tsp100.safetensors\"" found)
if(found EQUAL -1)
  message(FATAL_ERROR "no tsp100 of ${prefix} in: ${models}")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Debug
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_PREFIX_PATH=${prefix})
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER}/build)
execute_process(COMMAND ${FOLDER}/build/consumer)
file(REMOVE_RECURSE ${FOLDER})
