// Partial samples of tours by a team of any width are those of the CPU's working copies: the same choices, the same
// cities at the same places, the same length, bit for bit.
#include "moco/problems/tsp/changed_tour.h"

#include <gtest/gtest.h>

#include "rebuilding.h"
#include "thread_team.h"

namespace moco {
namespace {

using test::at;
using test::Rebuilding;

constexpr int kSamples = 12;

/// What becomes of a tour, and what was chosen.
struct Outcome {
  std::vector<Index> order;
  double chosen = 0.0;
  double length = 0.0;
  std::uint64_t identity = 0;
  std::vector<Index> variables;
  std::vector<double> costs;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Notes what it hears of.
struct Notes {
  const DecisionGraph& graph;
  Outcome& outcome;

  void chosen(int step, Index here, int rank, double cost) const {
    EXPECT_EQ(at(step), outcome.variables.size());
    outcome.variables.push_back(here * graph.degree + rank);
    outcome.costs.push_back(cost);
  }
};

/// The mended base, samples of it each on its own, then all of them one on top of the other.
std::vector<Outcome> expected_outcomes(const Rebuilding& search) {
  const auto copy = search.copy();
  std::vector<Outcome> outcomes;
  const auto note = [&](const PartialSample& sample, const ChoiceRecord& choices) {
    outcomes.push_back({copy->items(), sample.chosen, sample.cost, sample.identity, {}, {}});
    Outcome& own = outcomes.back();
    for (const ChosenVariable& choice : choices.made) {
      own.variables.push_back(choice.variable);
      own.costs.push_back(choice.cost);
    }
  };
  copy->mend([] { return false; });
  note({0.0, copy->cost(), copy->identity()}, {});
  ChoiceRecord choices;
  for (int i = 0; i < 2 * kSamples; ++i) {
    const PartialSample sample =
        copy->sample(search.theta_.data(), {stream_key(3, 1, 0), 4, static_cast<Index>(i), 0}, choices);
    note(sample, choices);
    if (i < kSamples) {
      copy->take_back();
    }
  }
  return outcomes;
}

template <typename City, typename Team>
std::vector<Outcome> outcomes_of(const Team& team, const Rebuilding& search, Index most, unsigned char* memory) {
  const DecisionGraph& graph = search.graph_;
  const auto& cities = dynamic_cast<const TspInstance&>(*graph.instance);
  const auto distance = [&](Index from, Index to) { return cities.distance(from, to); };
  ChangedTour<Team, City, decltype(distance)> tour(team, graph.nodes, distance,
                                                   {graph.targets.data(), graph.length.data(), graph.degree},
                                                   graph.cost_scale, ChangedTourMemory<City>(memory, graph.nodes));
  std::vector<Outcome> outcomes;
  const auto order = [&] { return std::vector<Index>(tour.order(), tour.order() + graph.nodes); };
  tour.assign(search.base_.data(), 0.0, 0);
  tour.measure();
  tour.mend();
  const std::vector<Index> base = order();
  const double length = tour.length();
  const std::uint64_t identity = tour.identity();
  outcomes.push_back({base, 0.0, length, identity, {}, {}});
  for (std::uint32_t i = 0; i < 2 * kSamples; ++i) {
    Outcome own;
    Notes notes{graph, own};
    own.chosen = tour.sample(search.theta_.data(), most, stream_key(3, 1, 0), 4, i, notes);
    own.length = tour.length();
    own.identity = tour.identity();
    team.sync();
    own.order = order();
    team.sync();
    outcomes.push_back(own);
    if (i < kSamples) {
      tour.assign(base.data(), length, identity);
    }
  }
  return outcomes;
}

void expect_same(const std::vector<Outcome>& expected, const std::vector<Outcome>& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(expected[i], actual[i]) << "number " << i;
  }
}

TEST(ChangedTour, IsWhatTheWorkingCopyBecomes) {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const Index n = 1 + static_cast<Index>(seed * seed % 90);
    const Index most = 1 + static_cast<Index>(seed % 20);
    const Rebuilding search(test::random_tsp(n, 1 + static_cast<Index>(seed % 13), true, seed), most, 6.0, seed);
    const std::vector<Outcome> expected = expected_outcomes(search);
    std::vector<unsigned char> memory(at(n) * ChangedTourMemory<int>::kBytesPerCity);
    SCOPED_TRACE(seed);
    expect_same(expected, outcomes_of<int>(SerialTeam(), search, most, memory.data()));
    expect_same(expected, outcomes_of<std::uint16_t>(SerialTeam(), search, most, memory.data()));
  }
}

template <int Width>
void expect_same_for_team(std::uint64_t seed) {
  const Index n = 1 + static_cast<Index>(seed * seed % 70);
  const Index most = 1 + static_cast<Index>(seed * 3 % 20);
  const Rebuilding search(test::random_tsp(n, 1 + static_cast<Index>(seed % 13), true, seed), most, 6.0, seed);
  const std::vector<Outcome> expected = expected_outcomes(search);
  std::vector<unsigned char> memory(at(n) * ChangedTourMemory<int>::kBytesPerCity);
  std::array<std::vector<Outcome>, Width> found;
  test::run_team<Width>([&](const test::ThreadTeam<Width>& team) {
    found[at(team.lane())] = outcomes_of<std::uint16_t>(team, search, most, memory.data());
  });
  SCOPED_TRACE(seed);
  for (const std::vector<Outcome>& lane : found) {
    expect_same(expected, lane);
  }
}

TEST(ChangedTour, IsTheSameForTeamsOfAnyWidth) {
  for (std::uint64_t seed = 1; seed < 12; ++seed) {
    expect_same_for_team<4>(seed);
  }
  expect_same_for_team<32>(13);
}

}  // namespace
}  // namespace moco
