// Boxes by comparison, the best turn by trial.
#include "moco/drawing/box.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace moco::drawing {

namespace {

constexpr int kTurns = 90;  ///< tried in a quarter

Place turned(Place place, double cosine, double sine) {
  return {cosine * place.x - sine * place.y, sine * place.x + cosine * place.y};
}

}  // namespace

Box box_of(std::span<const Place> places) {
  if (places.empty()) {
    return {};
  }
  Box box{places.front(), places.front()};
  for (const Place& place : places) {
    box.low = {std::min(box.low.x, place.x), std::min(box.low.y, place.y)};
    box.high = {std::max(box.high.x, place.x), std::max(box.high.y, place.y)};
  }
  return box;
}

void fit_into(std::span<Place> places, double side) {
  const Box box = box_of(places);
  const double extent = std::max(box.width(), box.height());
  const double unit = extent > 0.0 && std::isfinite(extent) ? side / extent : 0.0;
  for (Place& place : places) {
    place = {(place.x - box.low.x) * unit, (place.y - box.low.y) * unit};
  }
}

void turn_upright(std::span<Place> places) {
  double least = std::numeric_limits<double>::infinity();
  double best = 0.0;
  std::vector<Place> trial(places.size());
  for (int i = 0; i < kTurns; ++i) {
    const double angle = std::numbers::pi / 2.0 * i / kTurns;
    std::ranges::transform(places, trial.begin(), [cosine = std::cos(angle), sine = std::sin(angle)](Place place) {
      return turned(place, cosine, sine);
    });
    const Box box = box_of(trial);
    if (box.width() * box.height() < least) {
      least = box.width() * box.height();
      best = angle + (box.height() > box.width() ? std::numbers::pi / 2.0 : 0.0);
    }
  }
  const double cosine = std::cos(best);
  const double sine = std::sin(best);
  for (Place& place : places) {
    place = turned(place, cosine, sine);
  }
}

}  // namespace moco::drawing
