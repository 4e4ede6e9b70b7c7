// Kicks of windows on the device against teams of one thread: the same tours, city by city.
#include <gtest/gtest.h>

#include "moco/core/random.h"
#include "moco/problems/tsp/plane_window_search.h"
#include "moco/problems/tsp/quick_tours.h"
#include "parity/side_by_side.h"
#include "serial_windows.h"

namespace moco::parity {
namespace {

PlaneWindows random_windows(const std::vector<int>& sizes, double fixed_share, LengthRounding rounding) {
  RandomSequence random(stream_key(4, 0, 0), Purpose::generator);
  PlaneWindows windows;
  windows.rounding = rounding;
  for (const int n : sizes) {
    for (int i = 0; i < n; ++i) {
      const auto coordinate = [&] { return static_cast<float>(1000.0 * random.next_double() - 500.0); };
      const float x = coordinate();
      windows.points.push_back({x, coordinate()});
      windows.fixed.push_back(random.next_double() < fixed_share ? 1 : 0);
    }
    windows.first.push_back(static_cast<std::uint32_t>(windows.points.size()));
    windows.keys.push_back(stream_key(5, windows.first.size(), 0));
  }
  return windows;
}

class PlaneWindowKicks : public ::testing::TestWithParam<LengthRounding> {};

TEST_P(PlaneWindowKicks, Agree) {
  MOCO_NEEDS_DEVICE();
  const auto engine = make_cuda_engine({});
  SerialWindows serial;
  for (const double share : {0.0, 0.1}) {
    const PlaneWindows windows =
        random_windows({257, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 64, 448, 100, 99, 12}, share, GetParam());
    engine->window_kicks()->begin(windows);
    serial.begin(windows);
    for (const KickSlice& slice :
         {KickSlice{0, 1, 30.0f, 0.03f}, KickSlice{1, 100, 30.0f, 0.03f}, KickSlice{100, 1000, 30.0f, 0.03f}}) {
      engine->window_kicks()->kick(slice);
      serial.kick(slice);
      const auto found = engine->window_kicks()->orders();
      const auto expected = serial.orders();
      ASSERT_TRUE(std::ranges::equal(found, expected)) << "kicks " << slice.begin << " to " << slice.end;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlaneWindowKicks,
                         ::testing::Values(LengthRounding::none, LengthRounding::nearest, LengthRounding::up));

TEST(PlaneWindowKicks, OfTheLargestWindowsAgree) {
  MOCO_NEEDS_DEVICE();
  const auto engine = make_cuda_engine({});
  SerialWindows serial;
  const PlaneWindows windows = random_windows({kMostPlaneCities, 600}, 0.05, LengthRounding::nearest);
  for (WindowKicks* kicks : {engine->window_kicks(), static_cast<WindowKicks*>(&serial)}) {
    kicks->begin(windows);
    kicks->kick({0, 50, 10.0f, 0.0f});
  }
  EXPECT_TRUE(std::ranges::equal(engine->window_kicks()->orders(), serial.orders()));
  EXPECT_GE(engine->window_kicks()->at_once(kMostPlaneCities), 1u);
}

TEST(PlaneWindowKicks, OfALargeTourAgree) {
  MOCO_NEEDS_DEVICE();
  const auto engine = make_cuda_engine({});
  ThreadPool pool(4);
  SerialWindows serial(Executor(pool), engine->window_kicks()->at_once(256));
  const InstancePtr instance = generate({.nodes = 5000, .seed = 6});
  const DecisionGraph graph = decision_graph(instance, {});
  std::vector<std::vector<Index>> tours;
  for (WindowKicks* kicks : {engine->window_kicks(), static_cast<WindowKicks*>(&serial)}) {
    std::vector<Index> tour = curve_tour(dynamic_cast<const TspInstance&>(*instance)).items;
    const DividedKicks task{210'000, [](const KickMoment&) { return 0.0; }, {}};
    EXPECT_GE(search_plane_windows(graph, tour, stream_key(3, 0, 0), task, *kicks, Executor(pool)), 210'000);
    EXPECT_TRUE(instance->check({tour}).feasible);
    tours.push_back(std::move(tour));
  }
  EXPECT_EQ(tours[0], tours[1]);
}

}  // namespace
}  // namespace moco::parity
