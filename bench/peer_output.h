// What programs that search for tours print, as curves of length over time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace moco {

struct TourMoment {
  double seconds = 0.0;
  double length = 0.0;

  friend bool operator==(const TourMoment&, const TourMoment&) = default;
};

/// Lines "instance,seconds,cost" of `moco solve --incumbents`.
std::vector<TourMoment> moments_of_moco(std::string_view output);

/// Lines with "t=2s" or "total 1.4s" and "gap 4.2%", the gap to `reference`, of an iterated local search.
std::vector<TourMoment> moments_of_gaps(std::string_view output, double reference);

/// Lines with "Cost = 7542" and "Time = 0.2 sec" of LKH.
std::vector<TourMoment> moments_of_lkh(std::string_view output);

}  // namespace moco
