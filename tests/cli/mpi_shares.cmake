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

# What is wrong in all of them is told once.
foreach(command "solve;none.txt" "eval;none.txt" "solve;tours.txt;--model;none" "eval;tours.txt;--model;none")
  execute_process(COMMAND ${MPIEXEC} --allow-run-as-root --oversubscribe -np 2 ${MOCO} ${command}
                  WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE errors)
  string(REGEX MATCHALL "moco: " told "${errors}")
  list(LENGTH told times)
  if(NOT status EQUAL 2 OR NOT times EQUAL 1 OR errors MATCHES "MPI_ABORT")
    message(FATAL_ERROR "two processes end '${command}' with ${status} and say:\n${errors}")
  endif()
endforeach()

# What goes wrong in one process ends all: only the first one writes results.
execute_process(COMMAND ${MPIEXEC} --allow-run-as-root --oversubscribe -np 2 ${MOCO} solve tours.txt --json=/dev/full
                WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE errors)
if(status EQUAL 0 OR NOT errors MATCHES "process 0: [^\n]*/dev/full")
  message(FATAL_ERROR "with a full disk two processes end with ${status} and say:\n${errors}")
endif()
