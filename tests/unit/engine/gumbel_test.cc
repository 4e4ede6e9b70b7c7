#include "moco/policy/gumbel.h"

#include <vector>

#include <gtest/gtest.h>

#include "moco/core/numeric.h"

namespace moco {
namespace {

// The vectorised bulk version is the scalar definition that other engines use, bit for bit.
TEST(FillGumbel, EqualsTheScalarDefinition) {
  const StreamKey key = stream_key(5, 6, 7);
  for (const std::size_t blocks : {1u, 15u, 16u, 17u, 100u}) {
    std::vector<float> noise(4 * blocks);
    fill_gumbel(key, 12, 3, blocks, noise.data());
    for (std::uint32_t q = 0; q < blocks; ++q) {
      const Philox4 block = philox(q, 3, 12, static_cast<std::uint32_t>(Purpose::sample), key);
      for (std::size_t r = 0; r < 4; ++r) {
        ASSERT_EQ(noise[4 * q + r], gumbel(block.v[r]));
      }
    }
  }
}

}  // namespace
}  // namespace moco
