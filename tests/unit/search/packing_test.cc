// Lists cut by what fits.
#include "moco/search/packing.h"

#include <gmock/gmock.h>

namespace moco {
namespace {

std::vector<std::size_t> lengths(std::size_t count, const std::function<bool(IndexRange)>& fits) {
  std::vector<std::size_t> found;
  std::size_t next = 0;
  for (const IndexRange range : pack(count, fits)) {
    EXPECT_EQ(range.begin, next);
    next = range.end;
    found.push_back(range.size());
  }
  EXPECT_EQ(next, count);
  return found;
}

TEST(PackRanges, AreAsLongAsFits) {
  for (std::size_t most = 1; most <= 12; ++most) {
    for (std::size_t count = 0; count <= 30; ++count) {
      std::vector<std::size_t> expected(count / most, most);
      if (count % most > 0) {
        expected.push_back(count % most);
      }
      EXPECT_EQ(lengths(count, [&](IndexRange range) { return range.size() <= most; }), expected)
          << count << " by " << most;
    }
  }
}

TEST(PackRanges, FollowTheEntries) {
  const std::vector<int> weights = {1, 1, 1, 9, 1, 4, 4, 1, 1, 1, 1, 1};
  const auto fits = [&](IndexRange range) {
    int sum = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      sum += weights[i];
    }
    return sum <= 5;
  };
  EXPECT_THAT(lengths(weights.size(), fits), ::testing::ElementsAre(3, 1, 2, 2, 4)) << "one that never fits is alone";
}

TEST(PackRanges, AskOnceWhereAllFits) {
  int asked = 0;
  EXPECT_THAT(lengths(1000, [&](IndexRange) { return ++asked > 0; }), ::testing::ElementsAre(1000));
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace moco
