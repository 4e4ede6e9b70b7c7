# Run by cpack before it packs: brings what was installed into the shape that Debian asks for.
find_program(gzip gzip REQUIRED)

function(compress file)
  execute_process(COMMAND ${gzip} -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(share ${CPACK_TEMPORARY_DIRECTORY}/runtime/usr/share)
compress(${share}/man/man1/moco.1)
file(RENAME ${share}/doc/moco/CHANGELOG.md ${share}/doc/moco/changelog)
compress(${share}/doc/moco/changelog)
file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
file(RENAME ${share}/zsh/site-functions/_moco ${share}/zsh/vendor-completions/_moco)
file(REMOVE_RECURSE ${share}/zsh/site-functions)

set(copyright ${CPACK_TEMPORARY_DIRECTORY}/development/usr/share/doc/libmoco-dev/copyright)
file(COPY_FILE ${share}/doc/moco/LICENSE ${share}/doc/moco/copyright)
file(REMOVE ${share}/doc/moco/LICENSE)
get_filename_component(folder ${copyright} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
file(COPY_FILE ${share}/doc/moco/copyright ${copyright})
