// Completions for shells, made from the option table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "option_table.h"

namespace moco::cli {

/// What may be typed for a value.
struct Candidates {
  std::vector<std::string_view> words;
  bool models = false;  ///< names that `moco models --names` prints
  bool files = false;
  bool folders = false;

  bool none() const { return words.empty() && !models && !files && !folders; }
};

/// Of an option, which is no flag.
Candidates candidates_of(const OptionSpec& option);
/// Of a command's arguments, whichever comes next.
Candidates argument_candidates(const CommandSpec& command);

/// The help text up to the first pause, for lists of candidates.
std::string_view brief(std::string_view help);

/// The script that a shell reads: "bash", "zsh" or "fish".
std::string completion_script(std::string_view shell);
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace moco::cli
