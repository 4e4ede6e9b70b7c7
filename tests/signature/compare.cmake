# Compares what scripts/signature prints with what is recorded.
execute_process(COMMAND ${SOURCE}/scripts/signature ${MOCO} --engine cpu
  OUTPUT_VARIABLE found RESULT_VARIABLE status)
file(READ ${SOURCE}/tests/signature/cpu.tsv recorded)
if(NOT status EQUAL 0 OR NOT found STREQUAL recorded)
  message(FATAL_ERROR "status ${status}; recorded:\n${recorded}\nfound:\n${found}")
endif()
