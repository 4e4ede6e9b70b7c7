// Dispatch of the instance generators by kind.
#include "moco/generate.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/core/memory.h"
#include "moco/core/random.h"
#include "moco/error.h"
#include "moco/problems/generators.h"

namespace moco {

namespace {

using Generator = InstancePtr (*)(const GeneratorOptions&, std::string, RandomSequence&);
using Expectation = ExpectedSize (*)(const GeneratorOptions&);

struct Kind {
  std::string_view name;
  std::string_view problem;
  Generator generator;
  Expectation expectation;
};

constexpr std::array<Kind, 6> kinds{{{"uniform", "tsp", generate_uniform, expected_points},
                                     {"clustered", "tsp", generate_clustered, expected_points},
                                     {"er", "mis", generate_er, expected_er},
                                     {"ba", "mis", generate_ba, expected_ba},
                                     {"rb", "mis", generate_rb, expected_rb},
                                     {"sat", "mis", generate_sat, expected_sat}}};

// Bytes per node and edge. An edge in the making lies in a list that may have grown to twice its length, twice as an
// arc in either order, and in the adjacency; kept, it is in the adjacency twice.
constexpr double kNodeKept = 16.0;
constexpr double kNodeMade = 40.0;
constexpr double kWeight = 8.0;
constexpr double kEdgeKept = 8.0;
constexpr double kEdgeMade = 56.0;
// Two coordinates or two ends in digits, in a text that may have grown to twice its length.
constexpr double kNodeText = 80.0;
constexpr double kEdgeText = 36.0;

/// Below this nothing is asked: the system's answer takes longer than a small instance.
constexpr double kAlwaysThere = 64.0 * 1024 * 1024;

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

void require_weights(const GeneratorOptions& options, std::string_view problem) {
  const auto& known = node_weight_kinds();
  if (std::ranges::find(known, options.weights) == known.end()) {
    throw OptionError(fmt::format("node weights '{}' are not one of {}", options.weights, fmt::join(known, ", ")));
  }
  require_option(options.weights == "none" || problem == "mis", "node weights are for graphs, not for points");
  require_option(options.max_weight >= 1, "the largest weight must be at least 1");
}

}  // namespace

void require_memory(const GeneratorOptions& options, std::uint64_t count, bool written) {
  const ExpectedSize size = find_kind(options.kind).expectation(options);
  const double weights = options.weights == "none" ? 0.0 : kWeight * size.nodes;
  const double making = kNodeMade * size.nodes + kEdgeMade * size.edges + size.other_bytes + weights;
  const double kept = kNodeKept * size.nodes + kEdgeKept * size.edges + weights;
  const double text = written ? kNodeText * size.nodes + kEdgeText * size.edges : 0.0;
  const double all = static_cast<double>(count) * (kept + text);
  const double bytes = std::max(making, all);
  const double available = bytes < kAlwaysThere ? bytes : static_cast<double>(available_memory());
  if (bytes <= available) {
    return;
  }
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  const std::string edges = size.edges > 0.0 ? fmt::format(" and about {:.3g} edges", size.edges) : "";
  throw ResourceError(fmt::format(
      "{} instance{} of kind {} with {:.3g} nodes{}{} would need about {:.1f} GiB, and {:.1f} GiB are available", count,
      count == 1 ? "" : "s", options.kind, size.nodes, edges, count == 1 ? "" : " each", bytes / kGiB,
      available / kGiB));
}

InstancePtr generate(const GeneratorOptions& options, std::uint64_t index) {
  const Kind& kind = find_kind(options.kind);
  require_weights(options, kind.problem);
  RandomSequence random(stream_key(options.seed, index, 0), Purpose::generator);
  return kind.generator(options, fmt::format("{}-seed{}-{}", kind.name, options.seed, index), random);
}

const std::vector<std::string_view>& node_weight_kinds() {
  static const std::vector<std::string_view> kinds = {"none", "uniform", "integer", "degree"};
  return kinds;
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
