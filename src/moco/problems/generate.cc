// Dispatch of the instance generators by kind.
#include "moco/generate.h"

#include <array>

#include <fmt/format.h>

#include "moco/core/random.h"
#include "moco/error.h"
#include "moco/problems/generators.h"

namespace moco {

namespace {

using Generator = InstancePtr (*)(const GeneratorOptions&, std::string, RandomSequence&);

struct Kind {
  std::string_view name;
  std::string_view problem;
  Generator generator;
};

constexpr std::array<Kind, 6> kinds{{{"uniform", "tsp", generate_uniform},
                                     {"clustered", "tsp", generate_clustered},
                                     {"er", "mis", generate_er},
                                     {"ba", "mis", generate_ba},
                                     {"rb", "mis", generate_rb},
                                     {"sat", "mis", generate_sat}}};

const Kind& find_kind(std::string_view name) {
  std::string known;
  for (const Kind& kind : kinds) {
    if (kind.name == name) {
      return kind;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.name);
  }
  throw OptionError(fmt::format("unknown generator '{}'; known are {}", name, known));
}

}  // namespace

InstancePtr generate(const GeneratorOptions& options, std::uint64_t index) {
  const Kind& kind = find_kind(options.kind);
  RandomSequence random(stream_key(options.seed, index, 0), Purpose::generator);
  return kind.generator(options, fmt::format("{}-seed{}-{}", kind.name, options.seed, index), random);
}

std::string_view problem_of_generator(std::string_view kind) {
  return find_kind(kind).problem;
}

void require_option(bool holds, std::string_view what) {
  if (!holds) {
    throw OptionError(std::string(what));
  }
}

Index draw_between(Index least, Index most, RandomSequence& random) {
  if (most <= least) {
    return least;
  }
  return least + static_cast<Index>(random.next_below(static_cast<std::uint32_t>(most - least) + 1));
}

}  // namespace moco
