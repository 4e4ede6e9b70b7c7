// Packing by bisection, and the memory it asks for.
#include "moco/search/packing.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/error.h"

namespace moco {

namespace {

constexpr double kMemoryShare = 0.9;

bool within_share(std::uint64_t bytes, std::uint64_t available) {
  return static_cast<double>(bytes) <= kMemoryShare * static_cast<double>(available);
}

}  // namespace

std::vector<IndexRange> pack(std::size_t count, const std::function<bool(IndexRange)>& fits) {
  std::vector<IndexRange> ranges;
  std::size_t guess = count;  // the length of the range before is the likeliest for the next
  for (std::size_t begin = 0; begin < count;) {
    const std::size_t left = count - begin;
    std::size_t most = 1;          // known to fit, or the least there can be
    std::size_t least = left + 1;  // known not to
    std::size_t next = std::min(guess, left);
    while (most + 1 < least) {
      next = std::clamp(next, most + 1, least - 1);
      (fits({begin, begin + next}) ? most : least) = next;
      next = most == next ? 2 * most : most + (least - most) / 2;
    }
    ranges.push_back({begin, begin + most});
    begin += most;
    guess = most;
  }
  return ranges;
}

bool BatchRoom::fits(const MemoryNeed& need) {
  if (!proven(need)) {
    if (!within_share(need.engine, engine_.available_bytes()) ||
        !within_share(need.host, engine_.available_host_bytes())) {
      return false;
    }
    prove(need);
  }
  return true;
}

void BatchRoom::require(const MemoryNeed& need, std::string_view instance) {
  const auto require_bytes = [&](std::uint64_t needed, std::uint64_t available) {
    if (needed > available) {
      constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
      throw ResourceError(fmt::format(
          "{}: the search needs about {:.1f} GiB and {:.1f} GiB are available; lower the samples, restarts or "
          "neighbours",
          instance, static_cast<double>(needed) / kGiB, static_cast<double>(available) / kGiB));
    }
  };
  if (!proven(need)) {
    require_bytes(need.engine, engine_.available_bytes());
    require_bytes(need.host, engine_.available_host_bytes());
    prove(need);
  }
}

void BatchRoom::prove(const MemoryNeed& need) {
  proven_ = {std::max(proven_.engine, need.engine), std::max(proven_.host, need.host)};
}

}  // namespace moco
