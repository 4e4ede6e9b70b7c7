// Merging of declarations by key.
#include "moco/problems/declared_options.h"

#include <algorithm>

namespace moco {

namespace {

void collect(std::vector<SharedOption>& all, std::span<const OptionDeclaration> declared, std::string_view owner) {
  for (const OptionDeclaration& option : declared) {
    const auto known =
        std::ranges::find(all, option.key, [](const SharedOption& shared) { return shared.option->key; });
    if (known == all.end()) {
      all.push_back({&option, {owner}});
    } else if (std::ranges::find(known->owners, owner) == known->owners.end()) {
      known->owners.push_back(owner);
    }
  }
}

}  // namespace

std::vector<SharedOption> options_of_all_problems() {
  std::vector<SharedOption> all;
  for (const Problem* problem : problems()) {
    collect(all, problem->options(), problem->name());
  }
  return all;
}

std::vector<SharedOption> options_of_all_generators() {
  std::vector<SharedOption> all;
  for (const Problem* problem : problems()) {
    for (const GeneratorKind& kind : problem->generators()) {
      collect(all, kind.options, kind.name);
    }
  }
  return all;
}

}  // namespace moco
