// What the option table says about the values of options and arguments.
#include "completion.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "declared_options.h"
#include "moco/problem.h"

namespace moco::cli {

namespace {

void add(std::vector<std::string_view>& words, const std::vector<std::string_view>& more) {
  std::ranges::copy_if(more, std::back_inserter(words),
                       [&](std::string_view word) { return std::ranges::find(words, word) == words.end(); });
}

void add_names(Candidates& candidates, NameKind names) {
  candidates.models |= names == NameKind::models;
  if (names == NameKind::generators) {
    add(candidates.words, generator_names());
  } else if (names == NameKind::commands) {
    add(candidates.words, command_names());
  } else if (names == NameKind::local_searches) {
    for (const Problem* problem : problems()) {
      add(candidates.words, local_search_names(*problem));
    }
  }
}

/// One of the parts of a placeholder: a word that is typed as it is, or what stands for others.
void add_part(Candidates& candidates, std::string_view part) {
  candidates.files |= part.starts_with("FILE");
  candidates.folders |= part == "FOLDER";
  const auto is_lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
  if (!part.empty() && is_lower(part.front()) &&
      std::ranges::all_of(part, [&](char c) { return is_lower(c) || c == '-'; })) {
    add(candidates.words, {part});
  }
}

}  // namespace

Candidates candidates_of(const OptionSpec& option) {
  Candidates candidates;
  add(candidates.words, option.choices);
  std::string_view rest = option.value;
  for (std::size_t end = rest.find('|'); end != std::string_view::npos; end = rest.find('|')) {
    add_part(candidates, rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  add_part(candidates, rest);
  add_names(candidates, option.names);
  return candidates;
}

Candidates argument_candidates(const CommandSpec& command) {
  Candidates candidates;
  for (const PositionalSpec& positional : command.positionals) {
    add(candidates.words, positional.choices);
    add_names(candidates, positional.names);
    candidates.files |= positional.choices.empty() && positional.names != NameKind::commands;
  }
  return candidates;
}

std::string_view brief(std::string_view help) {
  const auto pause = std::min({help.find("; "), help.find(": "), help.find(". "), help.find(" (")});
  return help.substr(0, pause);
}

std::string completion_script(std::string_view shell) {
  if (shell == "bash") {
    return bash_completion();
  }
  return shell == "zsh" ? zsh_completion() : fish_completion();
}

}  // namespace moco::cli
