// The search of independent sets takes the same decisions for a team of any width: threads that meet as the lanes of a
// warp do, against one thread.
#include <array>
#include <barrier>
#include <thread>

#include <gtest/gtest.h>

#include "moco/generate.h"
#include "moco/problems/decision_graph.h"
#include "moco/problems/mis/set_search.h"
#include "options.h"

namespace moco {
namespace {

constexpr int kWidth = 4;

/// What the lanes of a team share to meet.
struct Meeting {
  std::barrier<> barrier{kWidth};
  std::array<unsigned, kWidth> values{};

  /// Every lane's value, known to all.
  std::array<unsigned, kWidth> exchange(int lane, unsigned value) {
    values[static_cast<std::size_t>(lane)] = value;
    barrier.arrive_and_wait();
    const std::array<unsigned, kWidth> all = values;
    barrier.arrive_and_wait();
    return all;
  }
};

class ThreadTeam {
 public:
  static constexpr int width = kWidth;

  ThreadTeam(Meeting& meeting, int lane) : meeting_(&meeting), lane_(lane) {}
  int lane() const { return lane_; }
  void sync() const { meeting_->barrier.arrive_and_wait(); }
  TeamChoice best(const TeamChoice& own) const {
    return first(own);
  }  // no choice of this search is by the largest gain
  TeamChoice first(const TeamChoice& own) const {
    unsigned lowest = ~0u;
    for (const unsigned number : meeting_->exchange(lane_, static_cast<unsigned>(own.number))) {
      lowest = std::min(lowest, number);
    }
    return {own.gain, static_cast<int>(lowest)};
  }
  int rank(bool flag, int& total) const {
    const auto flags = meeting_->exchange(lane_, flag ? 1 : 0);
    int before = 0;
    total = 0;
    for (int i = 0; i < kWidth; ++i) {
      before += i < lane_ && flags[static_cast<std::size_t>(i)] != 0 ? 1 : 0;
      total += flags[static_cast<std::size_t>(i)] != 0 ? 1 : 0;
    }
    return before;
  }

 private:
  Meeting* meeting_;
  int lane_;
};

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
  Meeting meeting;
  std::array<Found, kWidth> found;
  std::vector<std::thread> lanes;
  for (int lane = 0; lane < kWidth; ++lane) {
    lanes.emplace_back([&, lane] {
      found[static_cast<std::size_t>(lane)] = search(ThreadTeam(meeting, lane), graph, shared, weights_of(shared));
    });
  }
  for (std::thread& lane : lanes) {
    lane.join();
  }
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
