// Wording that the help texts, docs/cli.md and the man page share.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "option_table.h"

namespace moco::cli {

inline constexpr std::string_view kTagline = "graph combinatorial optimization with a learned meta optimizer";

/// An exit status of the program, and what it means.
struct ExitStatusSpec {
  std::string_view status;
  std::string_view meaning;
};

inline constexpr std::array kExitStatuses = {
    ExitStatusSpec{"0", "success, also after a signal"},
    ExitStatusSpec{"1", "an infeasible solution or a failure of the work such as a full disk or a device that fails"},
    ExitStatusSpec{"2",
                   "a request that cannot be met: bad usage, unreadable input, an engine that is not there, or work "
                   "that does not fit into memory"},
    ExitStatusSpec{"130", "second signal"}};

/// For those who see the program for the first time.
inline constexpr std::array kFirstExamples = {
    ExampleSpec{"moco solve cities.tsp -o best.tour --plot tour.svg", "find a good tour, keep it and draw it"},
    ExampleSpec{"moco check cities.tsp best.tour", "compute its length independently"},
    ExampleSpec{"moco generate mis -n 200 -o random.graph", "make a random graph"},
    ExampleSpec{"moco solve random.graph --time-limit 10", "look for a large independent set for ten seconds"},
    ExampleSpec{"moco solve --help", "explain a command"}};

/// "0 success, also after a signal; 1 …".
std::string exit_status_text();

/// "-o, --output".
std::string option_names(const OptionSpec& option);
/// What stands for the option's value: "FILE", "auto|cpu", "[FILE]", or nothing for a flag.
std::string placeholder(const OptionSpec& option);
/// Both: "-o, --output FILE".
std::string spelled_names(const OptionSpec& option);
/// "from 1 to 10", "at least 0", or nothing.
std::string short_range(const OptionSpec& option);
/// The help text, and in parentheses what else the table knows: kinds, choices, range and default.
std::string full_meaning(const OptionSpec& option);
/// "FILE…".
std::string spelled_name(const PositionalSpec& positional);
/// "moco solve FILE… [OPTIONS]".
std::string usage_of(const CommandSpec& command);

}  // namespace moco::cli
