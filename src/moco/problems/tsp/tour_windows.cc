// Which window a city is in is decided first; then one walk along the tour sorts the cities into their windows.
#include "moco/problems/tsp/tour_windows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

#include "moco/core/ceil_div.h"
#include "moco/core/halt.h"

namespace moco {

namespace {

constexpr std::size_t kCitiesPerTask = 65536;

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

/// `window_at` gives the window of the city at each place of the tour.
TourWindows sort_into_windows(std::span<const Index> tour, const RawVector<Index>& window_at, std::size_t count,
                              const Halt* halt) {
  const std::size_t n = tour.size();
  TourWindows windows{RawVector<Index>(n), std::vector<std::size_t>(count + 1, 0), RawVector<std::size_t>(n),
                      RawVector<unsigned char>(n)};
  for (const Index window : window_at) {
    ++windows.first[at(window) + 1];
  }
  for (std::size_t window = 0; window < count; ++window) {
    windows.first[window + 1] += windows.first[window];
  }
  std::vector<std::size_t> next(windows.first.begin(), windows.first.end() - 1);
  HaltWatch watch(halt);
  for (std::size_t place = 0; place < n; ++place) {
    watch.look();
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
  double along;  ///< coordinates on the turned axes
  double across;
  Index place;  ///< on the tour
};

/// Cities that become so many windows, the first of this number. `draw` is the first of its cuts' random numbers.
struct Piece {
  std::span<PlacedCity> cities;
  std::size_t count = 0;
  std::size_t window = 0;
  std::size_t draw = 0;
};

/// Two parts of about half the windows each, cut across the longer side; `random` is in [0, 1).
std::array<Piece, 2> halves(const Piece& piece, double random, const Halt* halt) {
  constexpr double kMostShift = 0.3;  // of the windows
  const auto [left, right] = std::ranges::minmax(piece.cities, {}, &PlacedCity::along);
  const auto [bottom, top] = std::ranges::minmax(piece.cities, {}, &PlacedCity::across);
  double PlacedCity::*const axis =
      right.along - left.along > top.across - bottom.across ? &PlacedCity::along : &PlacedCity::across;
  const auto count = static_cast<double>(piece.count);
  const double half = std::round(count * (0.5 + kMostShift * (random - 0.5)));
  const auto first = static_cast<std::size_t>(std::clamp(half, 1.0, count - 1.0));
  const std::size_t middle = piece.cities.size() * first / piece.count;
  HaltWatch watch(halt);
  std::nth_element(piece.cities.begin(), piece.cities.begin() + static_cast<std::ptrdiff_t>(middle), piece.cities.end(),
                   watch.with([axis](const PlacedCity& a, const PlacedCity& b) {
                     return a.*axis != b.*axis ? a.*axis < b.*axis : a.place < b.place;
                   }));
  return {Piece{piece.cities.first(middle), first, piece.window, piece.draw + 1},
          Piece{piece.cities.subspan(middle), piece.count - first, piece.window + first, piece.draw + first}};
}

/// Halves and halves of them, those of one depth side by side.
std::vector<Piece> cut(const Piece& all, RandomSequence& random, const Executor& executor) {
  std::vector<double> draws(all.count - 1);
  std::ranges::generate(draws, [&] { return random.next_double(); });
  std::vector<Piece> pieces = {all};
  while (pieces.size() < all.count) {
    std::vector<std::array<Piece, 2>> cut(pieces.size());
    executor.for_each(pieces.size(), [&](std::size_t i, std::size_t) {
      cut[i] = pieces[i].count > 1 ? halves(pieces[i], draws[pieces[i].draw], executor.halt())
                                   : std::array{pieces[i], Piece{}};
    });
    pieces.clear();
    for (const auto& two : cut) {
      std::ranges::copy_if(two, std::back_inserter(pieces), [](const Piece& piece) { return piece.count > 0; });
    }
  }
  return pieces;
}

}  // namespace

TourWindows cut_into_cells(std::span<const Point> points, std::span<const Index> tour, std::size_t count,
                           RandomSequence& random, const Executor& executor) {
  const double angle = std::numbers::pi * random.next_double();
  const double cosine = std::cos(angle);
  const double sine = std::sin(angle);
  RawVector<PlacedCity> cities(tour.size());
  executor.for_each_range(tour.size(), kCitiesPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t place = begin; place < end; ++place) {
      const Point& point = points[at(tour[place])];
      cities[place] = {cosine * point.x + sine * point.y, cosine * point.y - sine * point.x, static_cast<Index>(place)};
    }
  });
  RawVector<Index> window_at(tour.size());
  const std::vector<Piece> pieces = cut({cities, count, 0, 0}, random, executor);
  executor.for_each(pieces.size(), [&](std::size_t i, std::size_t) {
    for (const PlacedCity& city : pieces[i].cities) {
      window_at[at(city.place)] = static_cast<Index>(pieces[i].window);
    }
  });
  return sort_into_windows(tour, window_at, count, executor.halt());
}

}  // namespace moco
