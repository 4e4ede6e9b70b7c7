# Several processes share the instances of a search and of an evaluation, and write what one process writes.
# Arguments: MOCO (the program), MPIEXEC (the launcher), FOLDER (for the files).
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: status ${status}\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Seconds and numbers of instances side by side depend on who shares the work.
function(read_without_seconds file text)
  file(READ ${FOLDER}/${file} content)
  string(REGEX REPLACE "\"(seconds|whole|search|batch)\":[-+0-9.e]+" "" content "${content}")
  set(${text} "${content}" PARENT_SCOPE)
endfunction()

run(${MOCO} generate tsp -n 20 --count 11 --seed 4 -o tours.txt)
foreach(processes 1 3)
  set(launcher)
  if(processes GREATER 1)
    set(launcher ${MPIEXEC} --allow-run-as-root --oversubscribe -np ${processes})
  endif()
  run(${launcher} ${MOCO} solve tours.txt -K 3 -M 2 --batch 2 --threads 1 -q --json=solve${processes}.jsonl
      -o solve${processes}.csv)
  run(${launcher} ${MOCO} eval tours.txt -K 2,4 --batch 2 --threads 1 -q --json eval${processes}.jsonl --per-instance)
  run(${launcher} ${MOCO} solve tours.txt --json --threads 1 -q)
  string(REGEX MATCHALL "\n" ends "${output}")
  list(LENGTH ends lines)
  if(NOT lines EQUAL 11)
    message(FATAL_ERROR "${processes} processes print ${lines} results of 11:\n${output}")
  endif()
endforeach()
foreach(file solve eval)
  read_without_seconds(${file}1.jsonl alone)
  read_without_seconds(${file}3.jsonl shared)
  if(NOT alone STREQUAL shared)
    message(FATAL_ERROR "three processes write another ${file}.jsonl than one:\n${alone}\n${shared}")
  endif()
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FOLDER}/solve1.csv ${FOLDER}/solve3.csv
                RESULT_VARIABLE different)
if(different)
  message(FATAL_ERROR "three processes write other solutions than one")
endif()

# What is wrong in one process ends all.
execute_process(COMMAND ${MPIEXEC} --allow-run-as-root --oversubscribe -np 2 ${MOCO} solve none.txt
                WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
if(status EQUAL 0)
  message(FATAL_ERROR "a file that is not there is solved")
endif()
