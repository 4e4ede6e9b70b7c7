# One, two and four processes must train the same model bit for bit.
# Arguments: MOCO (the program), MPIEXEC (the launcher), FOLDER (for the runs).
file(REMOVE_RECURSE ${FOLDER})
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
foreach(processes 1 2 4)
  set(launcher)
  if(processes GREATER 1)
    set(launcher ${MPIEXEC} --allow-run-as-root --oversubscribe -np ${processes})
  endif()
  execute_process(
    COMMAND ${launcher} ${MOCO} train --preset tsp20-smoke --steps 6 --pairs 9 --search-steps 4 --validate-every 3
            --validation-instances 7 --engine cpu --threads 1 --quiet -o ${FOLDER}/${processes}
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${processes} processes: status ${status}")
  endif()
  foreach(file last.safetensors best.safetensors)
    execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FOLDER}/1/${file} ${FOLDER}/${processes}/${file}
                    RESULT_VARIABLE different)
    if(different)
      message(FATAL_ERROR "${file} of ${processes} processes differs from that of one")
    endif()
  endforeach()
endforeach()
