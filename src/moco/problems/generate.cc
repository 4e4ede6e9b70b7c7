// Dispatch of the instance generators by kind.
#include "moco/generate.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/core/memory.h"
#include "moco/core/random.h"
#include "moco/error.h"
#include "moco/problem.h"
#include "moco/problems/generators.h"

namespace moco {

namespace {

// Bytes per node, with a weight, and edge. An edge in the making lies in a list that may have grown to twice its
// length, twice as an arc in either order, and in the adjacency; kept, it is in the adjacency twice.
constexpr double kNodeKept = 24.0;
constexpr double kNodeMade = 48.0;
constexpr double kEdgeKept = 8.0;
constexpr double kEdgeMade = 56.0;
// Two coordinates or two ends in digits, in a text that may have grown to twice its length.
constexpr double kNodeText = 80.0;
constexpr double kEdgeText = 36.0;

/// Below this nothing is asked: the system's answer takes longer than a small instance.
constexpr double kAlwaysThere = 64.0 * 1024 * 1024;

}  // namespace

const GeneratorKind& find_generator(const GeneratorOptions& options) {
  const auto kinds = find_problem(options.problem).generators();
  if (options.kind.empty() && !kinds.empty()) {
    return kinds.front();
  }
  const auto found = std::ranges::find(kinds, options.kind, &GeneratorKind::name);
  if (found == kinds.end()) {
    std::vector<std::string_view> known;
    std::ranges::transform(kinds, std::back_inserter(known), &GeneratorKind::name);
    throw OptionError(fmt::format("unknown generator '{}' for {}; known are {}", options.kind, options.problem,
                                  fmt::join(known, ", ")));
  }
  return *found;
}

void require_memory(const GeneratorOptions& options, std::uint64_t count, bool written) {
  const GeneratorKind& kind = find_generator(options);
  validate(options.own, kind.options, fmt::format("kind {}", kind.name));
  const ExpectedSize size = kind.expect(options);
  const double making = kNodeMade * size.nodes + kEdgeMade * size.edges + size.other_bytes;
  const double kept = kNodeKept * size.nodes + kEdgeKept * size.edges;
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
      count == 1 ? "" : "s", kind.name, size.nodes, edges, count == 1 ? "" : " each", bytes / kGiB, available / kGiB));
}

InstancePtr generate(const GeneratorOptions& options, std::uint64_t index) {
  const GeneratorKind& kind = find_generator(options);
  require_memory(options, 1, false);
  RandomSequence random(stream_key(options.seed, index, 0), Purpose::generator);
  InstanceData data = kind.generate(options, random);
  data.name = fmt::format("{}-seed{}-{}", kind.name, options.seed, index);
  return find_problem(options.problem).make(std::move(data));
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
