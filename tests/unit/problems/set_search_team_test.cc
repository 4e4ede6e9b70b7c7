// The search of independent sets takes the same decisions for a team of any width: threads that meet as the lanes of a
// warp do, against one thread.
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "moco/generate.h"
#include "moco/problems/decision_graph.h"
#include "moco/problems/mis/set_search.h"
#include "options.h"
#include "thread_team.h"

namespace moco {
namespace {

constexpr int kWidth = 4;

/// Memory of one search.
struct Memory {
  explicit Memory(Index nodes)
      : n(static_cast<std::size_t>(nodes)), integers(5 * n), flags(3 * n), reals(n), found(n) {}

  SetWorkspace work() {
    int* i = integers.data();
    return {i, i + n, i + 2 * n, i + 3 * n, flags.data(), flags.data() + n, flags.data() + 2 * n};
  }

  std::size_t n;
  std::vector<int> integers;
  std::vector<unsigned char> flags;
  std::vector<double> reals;
  std::vector<int> found;
};

struct Found {
  std::vector<int> set;
  int moves = 0;
  double total = 0.0;

  friend bool operator==(const Found&, const Found&) = default;
};

template <typename Team, typename Weights>
Found search(const Team& team, const DecisionGraph& graph, Memory& memory, const Weights& weights) {
  const SetGraph<Offset> rows{graph.nodes, graph.offsets.data(), graph.targets.data()};
  SetSearch<Team, Offset, Weights> search(team, rows, {.moves = 0, .plateau_steps = 12}, memory.work(), weights);
  Found found;
  found.moves = search.run(nullptr, 0, [] { return false; });
  const int size = search.write(memory.found.data());
  team.sync();
  found.set.assign(memory.found.begin(), memory.found.begin() + size);
  found.total = static_cast<double>(search.total());
  return found;
}

template <typename WeightsOf>
void expect_same_decisions(const DecisionGraph& graph, const WeightsOf& weights_of) {
  Memory alone(graph.nodes);
  const Found expected = search(SerialTeam(), graph, alone, weights_of(alone));
  Memory shared(graph.nodes);
  std::array<Found, kWidth> found;
  test::run_team<kWidth>([&](const test::ThreadTeam<kWidth>& team) {
    found[static_cast<std::size_t>(team.lane())] = search(team, graph, shared, weights_of(shared));
  });
  for (const Found& own : found) {
    EXPECT_EQ(own, expected);
  }
}

TEST(SetSearchTeam, TakesTheDecisionsOfOneThread) {
  for (const std::string_view weights : {"none", "uniform", "integer", "degree"}) {
    for (std::uint64_t index = 0; index < 3; ++index) {
      GeneratorOptions options = test_generator("er");
      options.nodes = 24;
      options.own.set("weights", weights);
      const DecisionGraph graph = decision_graph(generate(options, index));
      if (graph.weighted) {
        expect_same_decisions(graph, [&](Memory& memory) {
          return NodeWeights{graph.weights.data(), memory.reals.data(), memory.integers.data() + 4 * memory.n};
        });
      } else {
        expect_same_decisions(graph, [](Memory&) { return UnitWeights(); });
      }
    }
  }
}

}  // namespace
}  // namespace moco
