// `moco convert`: instances from one format to another.
#include <fmt/format.h>

#include "commands.h"
#include "instance_input.h"
#include "instance_output.h"
#include "moco/formats/detect.h"
#include "moco/io.h"
#include "output_files.h"

namespace moco::cli {

int run_convert(const Arguments& arguments) {
  std::string output = arguments.positional("OUT");
  const InstanceFormat format = instance_format_named(arguments.text("to"));
  if (output == "-") {
    output = "/dev/stdout";
    if (format == InstanceFormat::automatic) {
      throw UsageError("convert: printing needs --to FORMAT");
    }
  } else {
    require_writable(output);
    if (format == InstanceFormat::automatic && instance_format_to_write(output, {}) == InstanceFormat::automatic) {
      throw UsageError(fmt::format("convert: the name '{}' does not tell the format to write; use one of {}, or --to",
                                   output, written_instance_extensions()));
    }
  }
  const ReadOptions options{.format = instance_format_named(arguments.text("from")),
                            .problem = arguments.text("problem"),
                            .complement = arguments.flag("complement")};
  const auto instances = load_instances(arguments.positional("IN"), options, arguments.flag("quiet"));
  write_instance_output(output, instances, format, arguments);
  return kExitSuccess;
}

}  // namespace moco::cli
