// Which window a city is in is decided first; then one walk along the tour sorts the cities into their windows.
#include "moco/problems/tsp/tour_windows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace moco {

namespace {

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

/// `window_at` gives the window of the city at each place of the tour.
TourWindows sort_into_windows(std::span<const Index> tour, const std::vector<Index>& window_at, std::size_t count) {
  const std::size_t n = tour.size();
  TourWindows windows{std::vector<Index>(n), std::vector<std::size_t>(count + 1, 0), std::vector<std::size_t>(n),
                      std::vector<unsigned char>(n, 0)};
  for (const Index window : window_at) {
    ++windows.first[at(window) + 1];
  }
  for (std::size_t window = 0; window < count; ++window) {
    windows.first[window + 1] += windows.first[window];
  }
  std::vector<std::size_t> next(windows.first.begin(), windows.first.end() - 1);
  for (std::size_t place = 0; place < n; ++place) {
    const std::size_t window = at(window_at[place]);
    const std::size_t slot = next[window]++;
    windows.cities[slot] = tour[place];
    windows.slot[at(tour[place])] = slot;
    const std::size_t following = place + 1 == n ? 0 : place + 1;
    windows.joined[slot] = at(window_at[following]) == window ? 1 : 0;
  }
  return windows;
}

struct PlacedCity {
  double along = 0.0;  ///< coordinates on the turned axes
  double across = 0.0;
  Index place = 0;  ///< on the tour
};

/// Halves and halves of them, each across the longer side.
class Cells {
 public:
  Cells(RandomSequence& random, std::vector<Index>& window_at) : random_(random), window_at_(window_at) {}

  void cut(std::span<PlacedCity> cities, std::size_t count) {
    if (count == 1) {
      for (const PlacedCity& city : cities) {
        window_at_[at(city.place)] = next_;
      }
      ++next_;
      return;
    }
    const auto [left, right] = std::ranges::minmax(cities, {}, &PlacedCity::along);
    const auto [bottom, top] = std::ranges::minmax(cities, {}, &PlacedCity::across);
    double PlacedCity::*const axis =
        right.along - left.along > top.across - bottom.across ? &PlacedCity::along : &PlacedCity::across;
    const double share = static_cast<double>(count / 2) / static_cast<double>(count);
    const double shift = kMostShift * (random_.next_double() - 0.5);
    const auto middle = static_cast<std::ptrdiff_t>((1.0 + shift) * share * static_cast<double>(cities.size()));
    std::nth_element(cities.begin(), cities.begin() + middle, cities.end(),
                     [axis](const PlacedCity& a, const PlacedCity& b) {
                       return a.*axis != b.*axis ? a.*axis < b.*axis : a.place < b.place;
                     });
    cut(cities.first(static_cast<std::size_t>(middle)), count / 2);
    cut(cities.subspan(static_cast<std::size_t>(middle)), count - count / 2);
  }

 private:
  static constexpr double kMostShift = 0.3;  // of a part

  RandomSequence& random_;
  std::vector<Index>& window_at_;
  Index next_ = 0;
};

}  // namespace

TourWindows cut_into_cells(std::span<const Point> points, std::span<const Index> tour, std::size_t count,
                           RandomSequence& random) {
  const double angle = std::numbers::pi * random.next_double();
  const double cosine = std::cos(angle);
  const double sine = std::sin(angle);
  std::vector<PlacedCity> cities;
  cities.reserve(tour.size());
  for (const Index city : tour) {
    const Point& point = points[at(city)];
    cities.push_back(
        {cosine * point.x + sine * point.y, cosine * point.y - sine * point.x, static_cast<Index>(cities.size())});
  }
  std::vector<Index> window_at(tour.size());
  Cells(random, window_at).cut(cities, count);
  return sort_into_windows(tour, window_at, count);
}

}  // namespace moco
