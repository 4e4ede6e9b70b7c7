// Philox4x32-10 against its authors' known answers, and the properties of what is derived from it.
#include "moco/core/random.h"

#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace moco {
namespace {

using ::testing::ElementsAre;

TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_THAT(philox(0, 0, 0, 0, {0, 0}).v, ElementsAre(0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u));
  EXPECT_THAT(philox(~0u, ~0u, ~0u, ~0u, {~0u, ~0u}).v,
              ElementsAre(0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu));
  EXPECT_THAT(philox(0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u, {0xa4093822u, 0x299f31d0u}).v,
              ElementsAre(0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u));
}

TEST(StreamKey, DiffersForNeighbouringArguments) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> keys;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t instance = 0; instance < 10; ++instance) {
      for (std::uint64_t run = 0; run < 10; ++run) {
        const StreamKey key = stream_key(seed, instance, run);
        keys.emplace(key.lo, key.hi);
      }
    }
  }
  EXPECT_EQ(keys.size(), 1000u);
}

TEST(UniformOpen, NeverReachesItsEnds) {
  EXPECT_GT(uniform_open(0u), 0.0f);
  EXPECT_LT(uniform_open(~0u), 1.0f);
  EXPECT_EQ(uniform_open(0u), 0x1p-24f);
  EXPECT_EQ(uniform_open(~0u), 1.0f - 0x1p-24f);
  EXPECT_EQ(uniform_open(0x80000000u), 0.5f + 0x1p-24f);
}

TEST(RandomSequence, WalksOverTheBlocksOfItsPurpose) {
  const StreamKey key = stream_key(7, 8, 9);
  RandomSequence sequence(key, Purpose::generator);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const Philox4 expected = philox(block, 0, 0, static_cast<std::uint32_t>(Purpose::generator), key);
    for (const std::uint32_t word : expected.v) {
      EXPECT_EQ(sequence.next_u32(), word);
    }
  }
  EXPECT_NE(RandomSequence(key, Purpose::sample).next_u32(), RandomSequence(key, Purpose::generator).next_u32());
}

TEST(RandomSequence, DoublesLieInTheUnitInterval) {
  RandomSequence sequence(stream_key(1, 2, 3), Purpose::sample);
  double sum = 0.0;
  const int draws = 100'000;
  for (int i = 0; i < draws; ++i) {
    const double value = sequence.next_double();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
  }
  EXPECT_NEAR(sum / draws, 0.5, 0.004);  // more than four standard errors
}

TEST(RandomSequence, BoundedDrawsAreEven) {
  // 99.9 % quantiles of chi-square with 1, 2, 6, 9 and 99 degrees of freedom.
  const std::vector<std::pair<std::uint32_t, double>> bounds{
      {2, 10.83}, {3, 13.82}, {7, 22.46}, {10, 27.88}, {100, 148.2}};
  for (const auto& [bound, quantile] : bounds) {
    RandomSequence sequence(stream_key(11, bound, 0), Purpose::sample);
    std::vector<int> counts(bound, 0);
    const int draws = 100'000;
    for (int i = 0; i < draws; ++i) {
      ++counts.at(sequence.next_below(bound));
    }
    const double expected = draws / static_cast<double>(bound);
    double chi_square = 0.0;
    for (const int count : counts) {
      chi_square += (count - expected) * (count - expected) / expected;
    }
    EXPECT_LT(chi_square, quantile) << bound;
  }
}

TEST(RandomSequence, BoundedDrawsAreEvenForBoundsNearThePowerLimit) {
  // Without rejection, every third number would come up twice as often as its neighbours for this bound.
  const std::uint32_t bound = 3u << 30;
  RandomSequence sequence(stream_key(12, 0, 0), Purpose::sample);
  int low = 0;
  const int draws = 90'000;
  for (int i = 0; i < draws; ++i) {
    const std::uint32_t value = sequence.next_below(bound);
    ASSERT_LT(value, bound);
    low += value % 3 == 0 ? 1 : 0;
  }
  EXPECT_NEAR(low, draws / 3, 600);
}

TEST(RandomSequence, BoundOneAlwaysGivesZero) {
  RandomSequence sequence(stream_key(1, 1, 1), Purpose::sample);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(sequence.next_below(1), 0u);
  }
}

}  // namespace
}  // namespace moco
