// Options as tests write them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "moco/generate.h"
#include "moco/options.h"
#include "moco/problem.h"

namespace moco {

/// So many candidate neighbours per city.
inline OptionValues test_neighbours(int k) {
  return OptionValues().set("neighbours", k);
}

/// A generator of this kind, for the first problem that has it.
inline GeneratorOptions test_generator(std::string_view kind, Index nodes = 100) {
  for (const Problem* problem : problems()) {
    for (const GeneratorKind& known : problem->generators()) {
      if (known.name == kind) {
        return {.problem = std::string(problem->name()), .kind = std::string(kind), .nodes = nodes};
      }
    }
  }
  return {.problem = "no problem", .kind = std::string(kind), .nodes = nodes};
}

/// Sets an option where it is declared: one list of values serves several problems, or several kinds of instances.
template <typename Value>
void set_where_declared(OptionValues& values, std::span<const OptionDeclaration> declared, std::string_view key,
                        Value value) {
  if (find_option(declared, key) != nullptr) {
    values.set(key, value);
  }
}

template <typename Value>
void set_where_declared(GeneratorOptions& options, std::string_view key, Value value) {
  set_where_declared(options.own, find_generator(options).options, key, value);
}

/// Of these values those that are declared.
inline OptionValues only_declared(OptionValues values, std::span<const OptionDeclaration> declared) {
  const OptionValues given = values;
  for (const auto& [key, value] : given.all()) {
    if (find_option(declared, key) == nullptr) {
      values.erase(key);
    }
  }
  return values;
}

inline const Problem& mis() {
  return find_problem("mis");
}

}  // namespace moco
