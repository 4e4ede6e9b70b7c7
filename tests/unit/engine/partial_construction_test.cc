// Working copies of a base know what they do: costs, identities, feasibility, undoing.
#include "moco/policy/partial_construction.h"

#include "rebuilding.h"

namespace moco {
namespace {

using test::Kind;
using test::random_graph;
using test::Rebuilding;

class PartialConstructionTest : public ::testing::TestWithParam<Kind> {};

TEST_P(PartialConstructionTest, CopiesKnowWhatTheyDoAndUndoIt) {
  std::size_t changed = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const auto n = static_cast<Index>(seed < 40 ? 1 + seed % 8 : 5 + seed % 37);
    const Index most = 1 + static_cast<Index>(seed * 7 % (2 * static_cast<std::uint64_t>(n)));
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << n << " nodes, " << most << " anew");
    Rebuilding search(random_graph(GetParam(), n, seed), most, 4.0, seed);
    WorkingCopy& copy = *search.copy_;
    const double scale = 1e-9 * std::max(search.graph_.cost_scale * n, 1e-300);
    for (Index number = 0; number < 12; ++number) {
      const std::vector<Index> before = copy.items();
      const auto [cost, identity] = search.recomputed(before);
      EXPECT_NEAR(copy.cost(), cost, scale);
      EXPECT_EQ(copy.identity(), identity);
      const double kept_cost = copy.cost();

      ChoiceRecord choices;
      const PartialSample sample = search.sample(number, choices);
      const std::vector<Index> after = copy.items();
      search.expect_feasible(after);
      const auto [new_cost, new_identity] = search.recomputed(after);
      EXPECT_NEAR(sample.cost, new_cost, scale);
      EXPECT_EQ(sample.cost, copy.cost());
      EXPECT_EQ(sample.identity, new_identity);
      EXPECT_LE(sample.cost, sample.chosen + scale) << "local search makes nothing worse";
      changed += sample.identity != identity ? 1 : 0;

      copy.take_back();
      EXPECT_EQ(copy.items(), before);
      EXPECT_EQ(copy.cost(), kept_cost);
      EXPECT_EQ(copy.identity(), identity);
      if (number % 2 == 0) {  // every second one is gone on from
        ChoiceRecord again;
        EXPECT_EQ(search.sample(number, again).cost, sample.cost);
        EXPECT_EQ(copy.items(), after);
      }
    }
  }
  EXPECT_GT(changed, 300u);
}

TEST_P(PartialConstructionTest, SamplesDependOnBaseThetaAndDrawAlone) {
  for (std::uint64_t seed = 40; seed < 60; ++seed) {
    Rebuilding search(random_graph(GetParam(), 30, seed), 9, 4.0, seed);
    ChoiceRecord choices;
    for (Index number = 0; number < 25; ++number) {
      search.sample(number, choices);
      if (number % 3 != 0) {
        search.copy_->take_back();
      }
    }
    search.base_ = search.copy_->items();
    const auto fresh = search.copy();
    search.copy_->assign(search.base_);
    for (Index number = 30; number < 60; ++number) {
      ChoiceRecord others;
      const PartialSample one = search.sample(number, choices);
      const PartialSample other = fresh->sample(search.theta_.data(), {stream_key(3, 1, 0), 0, number, 0}, others);
      EXPECT_EQ(one.chosen, other.chosen);
      EXPECT_EQ(one.cost, other.cost);
      EXPECT_EQ(one.identity, other.identity);
      EXPECT_EQ(choices.open, others.open);
      EXPECT_EQ(search.copy_->items(), fresh->items());
      search.copy_->take_back();
      fresh->take_back();
    }
  }
}

TEST_P(PartialConstructionTest, MendingEverywhereLeavesNothingForSamplesToMend) {
  for (std::uint64_t seed = 40; seed < 60; ++seed) {
    Rebuilding search(random_graph(GetParam(), 40, seed), 3, 4.0, seed);
    const double before = search.copy_->cost();
    search.copy_->mend([] { return false; });
    EXPECT_LE(search.copy_->cost(), before);
    const std::vector<Index> items = search.copy_->items();
    search.expect_feasible(items);
    EXPECT_EQ(search.copy_->identity(), search.recomputed(items).second);
    search.copy_->mend([] { return false; });
    EXPECT_EQ(search.copy_->items(), items);
    search.copy_->assign(search.base_);
    search.copy_->mend([] { return true; });  // told to end at once
    search.expect_feasible(search.copy_->items());
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, PartialConstructionTest,
                         ::testing::Values(Kind::symmetric, Kind::asymmetric, Kind::set, Kind::weighted_set,
                                           Kind::fixed, Kind::fixed_asymmetric),
                         [](const auto& kind) { return test::name_of_kind(kind.param); });

}  // namespace
}  // namespace moco
