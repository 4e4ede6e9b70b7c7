// The elite, the 32 best, against sorting everything ever seen.
#include "moco/engine/cpu/elite.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "moco/model/parameters.h"
#include "moco/policy/solution_identity.h"

namespace moco::cpu {
namespace {

/// A solution of three variables out of 40 with a small integer cost, so that ties and duplicates abound.
struct Candidate {
  double cost;
  std::vector<Index> variables;
};

class EliteTest : public ::testing::TestWithParam<EliteRule> {};

TEST_P(EliteTest, KeepsTheBestOfAllSamplesInOrder) {
  const EliteRule rule = GetParam();
  RandomSequence random(stream_key(1, 0, 0), Purpose::generator);
  Elite elite(3, rule, Identity::variables);
  std::vector<Candidate> expected;
  SampleSet set;
  for (int step = 0; step < 30; ++step) {
    const auto samples = static_cast<Index>(1 + random.next_below(40));
    set.reshape(samples, 3, 0, false);
    std::vector<Candidate> sampled;
    for (Index s = 0; s < samples; ++s) {
      std::set<Index> chosen;
      while (chosen.size() < 3) {
        chosen.insert(static_cast<Index>(random.next_below(7)));
      }
      const double cost = static_cast<double>(*chosen.begin() + *chosen.rbegin());
      std::copy(chosen.begin(), chosen.end(), set.variables.begin() + static_cast<std::ptrdiff_t>(set.row(s)));
      std::copy(chosen.begin(), chosen.end(), set.items.begin() + static_cast<std::ptrdiff_t>(set.row(s)));
      set.costs[static_cast<std::size_t>(s)] = cost;
      set.lengths[static_cast<std::size_t>(s)] = 3;
      sampled.push_back({cost, {chosen.begin(), chosen.end()}});
    }
    elite.insert(set, samples);

    const auto cheaper = [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; };
    std::stable_sort(sampled.begin(), sampled.end(), cheaper);
    for (const Candidate& candidate : sampled) {
      const bool repeated = std::any_of(expected.begin(), expected.end(), [&](const Candidate& other) {
        return other.cost == candidate.cost && other.variables == candidate.variables;
      });
      if (rule == EliteRule::paper || !repeated) {
        expected.insert(rule == EliteRule::newest ? expected.begin() : expected.end(), candidate);
        std::stable_sort(expected.begin(), expected.end(), cheaper);
        expected.resize(std::min<std::size_t>(expected.size(), kEliteSize));
      }
    }
    ASSERT_EQ(elite.size(), static_cast<Index>(expected.size()));
    std::vector<std::uint32_t> mask(7, 0xFFFFFFFFu);
    elite.membership(mask, {});
    for (std::size_t l = 0; l < expected.size(); ++l) {
      const auto rank = static_cast<Index>(l);
      EXPECT_EQ(elite.cost(rank), expected[l].cost);
      const auto items = elite.items(rank);
      EXPECT_EQ(std::vector<Index>(items.begin(), items.end()), expected[l].variables);
      for (Index v = 0; v < 7; ++v) {
        const bool member = std::count(expected[l].variables.begin(), expected[l].variables.end(), v) > 0;
        EXPECT_EQ(((mask[static_cast<std::size_t>(v)] >> l) & 1u) != 0, member);
      }
    }
    for (const std::uint32_t bits : mask) {
      EXPECT_EQ(expected.size() < 32 ? bits >> expected.size() : 0u, 0u) << "bits of empty slots";
    }
  }
  elite.clear();
  EXPECT_EQ(elite.size(), 0);
}

INSTANTIATE_TEST_SUITE_P(Modes, EliteTest, ::testing::Values(EliteRule::paper, EliteRule::distinct, EliteRule::newest),
                         [](const auto& mode) { return std::string(name_of(mode.param)); });

TEST(Elite, VariablesOutsideTheCandidateGraphAreSkipped) {
  Elite elite(2, EliteRule::paper, Identity::variables);
  SampleSet set;
  set.reshape(1, 2, 0, false);
  set.items = {0, 1};
  set.variables = {-1, 3};
  set.costs = {1.0};
  set.lengths = {2};
  elite.insert(set, 1);
  std::vector<std::uint32_t> mask(4);
  elite.membership(mask, {});
  EXPECT_EQ(mask, (std::vector<std::uint32_t>{0, 0, 0, 1}));
}

TEST(Elite, MembershipMarksTheReverseWhereThereIsOne) {
  Elite elite(2, EliteRule::paper, Identity::variables);
  SampleSet set;
  set.reshape(2, 2, 0, false);
  set.items = {0, 1, 0, 1};
  set.variables = {0, 3, 1, 2};
  set.costs = {1.0, 2.0};
  set.lengths = {2, 2};
  elite.insert(set, 2);
  std::vector<std::uint32_t> mask(4);
  elite.membership(mask, std::vector<Index>{2, -1, 0, -1});
  EXPECT_EQ(mask, (std::vector<std::uint32_t>{3, 2, 3, 1}));
}

TEST(Elite, SaysBeforehandWhatItWouldTake) {
  for (const EliteRule rule : {EliteRule::paper, EliteRule::distinct, EliteRule::newest}) {
    Elite elite(1, rule, Identity::variables);
    SampleSet set;
    set.reshape(kEliteSize, 1, 0, false);
    for (Index s = 0; s < kEliteSize; ++s) {
      const auto i = static_cast<std::size_t>(s);
      set.items[i] = set.variables[i] = s;
      set.lengths[i] = 1;
      set.costs[i] = 10.0 + s;
    }
    elite.insert(set, kEliteSize - 1);
    EXPECT_TRUE(elite.takes(1000.0, 1)) << "there is room";
    elite.insert(set, kEliteSize);  // by the paper's rule, duplicates
    const double worst = elite.cost(kEliteSize - 1);
    EXPECT_FALSE(elite.takes(worst + 0.5, 1));
    EXPECT_EQ(elite.takes(worst, 1), rule == EliteRule::newest);
    EXPECT_TRUE(elite.takes(worst - 0.5, 1));
    EXPECT_EQ(elite.takes(10.0, variable_hash(0)), rule == EliteRule::paper) << "it has that one";
  }
}

/// A tour, its reverse (whose lengths add up to a little less), the reverse from another city, and another tour.
SampleSet tours() {
  SampleSet set;
  set.reshape(4, 5, 0, false);
  set.items = {0, 1, 2, 3, 4, 0, 4, 3, 2, 1, 2, 1, 0, 4, 3, 0, 2, 1, 3, 4};
  set.variables = {0, 1, 2, 3, 4, 5, -1, 6, 7, 8, 7, 8, 5, -1, 6, 9, -1, 10, 3, 4};
  set.costs = {10.0, 10.0 - 1e-14, 10.0, 10.0};
  set.lengths = {5, 5, 5, 5};
  return set;
}

TEST(Elite, ATourAndItsReverseAreOneWhereDirectionsDoNotMatter) {
  for (const EliteRule rule : {EliteRule::distinct, EliteRule::newest}) {
    Elite elite(5, rule, Identity::either_direction);
    elite.insert(tours(), 4);
    ASSERT_EQ(elite.size(), 2);
    EXPECT_EQ(elite.items(0)[1], 4) << "the cheaper direction came first";
    elite.insert(tours(), 4);
    EXPECT_EQ(elite.size(), 2);
  }
  Elite paper(5, EliteRule::paper, Identity::either_direction);
  paper.insert(tours(), 4);
  EXPECT_EQ(paper.size(), 4);
}

TEST(Elite, ATourAndItsReverseAreTwoWhereDirectionsMatter) {
  Elite elite(5, EliteRule::distinct, Identity::variables);
  elite.insert(tours(), 4);
  EXPECT_EQ(elite.size(), 4 - 1) << "the third sets the variables of the second";
}

TEST(Elite, TheSameTourAtAnotherCostIsAnother) {
  SampleSet set = tours();
  set.costs[1] = 12.0;  // a penalty for dead ends on the way back
  Elite elite(5, EliteRule::distinct, Identity::either_direction);
  elite.insert(set, 4);
  EXPECT_EQ(elite.size(), 3);
}

}  // namespace
}  // namespace moco::cpu
