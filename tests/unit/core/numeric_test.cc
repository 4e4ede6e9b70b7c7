#include "moco/core/numeric.h"

#include <gtest/gtest.h>

namespace moco {
namespace {

TEST(FastLog, IsAccurateOverTheRangeTheSamplersUse) {
  for (std::uint32_t bits = 0; bits < (1u << 23); bits += 97) {
    const float u = uniform_open(bits << 9);
    const double exact = std::log(static_cast<double>(u));
    EXPECT_NEAR(static_cast<double>(fast_log(u)), exact, 4e-7 * std::abs(exact));
    const float e = -fast_log(u);
    EXPECT_NEAR(static_cast<double>(fast_log(e)), std::log(static_cast<double>(e)), 1e-6);
  }
}

TEST(Gumbel, HasItsMeanAndVariance) {
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kCount = 400000;
  for (std::uint32_t i = 0; i < kCount / 4; ++i) {
    const Philox4 block = philox(i, 0, 0, 0, stream_key(1, 0, 0));
    for (const std::uint32_t bits : block.v) {
      const double g = static_cast<double>(gumbel(bits));
      ASSERT_TRUE(std::isfinite(g));
      sum += g;
      squares += g * g;
    }
  }
  const double mean = sum / kCount;
  EXPECT_NEAR(mean, 0.5772157, 0.01);
  EXPECT_NEAR(squares / kCount - mean * mean, 1.6449341, 0.02);
}

TEST(Gumbel, IsFiniteAtBothEndsOfTheUniformRange) {
  EXPECT_TRUE(std::isfinite(gumbel(0u)));
  EXPECT_TRUE(std::isfinite(gumbel(0xFFFFFFFFu)));
}

}  // namespace
}  // namespace moco
