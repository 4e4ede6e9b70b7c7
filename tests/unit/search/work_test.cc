// Packing of instances into batches, with an engine of which only the sizes are asked.
#include "moco/search/work.h"

#include <limits>

#include <gmock/gmock.h>

#include "moco/error.h"
#include "moco/generate.h"
#include "options.h"

namespace moco {
namespace {

class SizedEngine final : public Engine {
 public:
  SizedEngine(std::uint64_t available, std::uint64_t available_host, std::uint64_t to_fill)
      : available_(available), available_host_(available_host), to_fill_(to_fill) {}

  std::string_view name() const override { return "sized"; }
  MemoryNeed memory_need(const BatchSpec& spec) const override {
    std::uint64_t bytes = 0;
    for (const Trajectory& t : spec.trajectories) {
      bytes += static_cast<std::uint64_t>(spec.graphs[t.graph]->variables) + spec.graphs[t.graph]->targets.size();
    }
    return {bytes, 10 * spec.trajectories.size()};
  }
  std::uint64_t available_bytes() const override { return available_; }
  std::uint64_t available_host_bytes() const override { return available_host_; }
  bool filled_by(std::uint64_t variables) const override { return variables >= to_fill_; }
  std::unique_ptr<Batch> create(BatchSpec) override { return nullptr; }

 private:
  std::uint64_t available_;
  std::uint64_t available_host_;
  std::uint64_t to_fill_;
};

/// Complete graphs of 10 nodes: 10 variables and 90 targets each.
std::vector<InstancePtr> graphs(std::size_t count) {
  GeneratorOptions options = test_generator("er");
  options.nodes = 10;
  options.own.set("probability", 1.0);
  std::vector<InstancePtr> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(generate(options, i));
  }
  return all;
}

constexpr std::uint64_t kPlenty = 1000000;

std::vector<std::size_t> sizes(std::uint64_t available, std::uint64_t to_fill, const SolveOptions& options,
                               std::uint64_t available_host = kPlenty) {
  constexpr std::size_t count = 7;
  const std::vector<InstancePtr> all = graphs(count);
  std::vector<std::size_t> found;
  std::size_t next = 0;
  for (const IndexRange range :
       pack_instances(SizedEngine(available, available_host, to_fill), all, adam_model("mis"), options)) {
    EXPECT_EQ(range.begin, next);
    next = range.end;
    found.push_back(range.size());
  }
  EXPECT_EQ(next, count);
  return found;
}

SolveOptions with_batch(int batch) {
  SolveOptions options;
  options.batch = batch;
  return options;
}

TEST(Pack, FillsTheEngine) {
  EXPECT_THAT(sizes(kPlenty, 30, with_batch(0)), ::testing::ElementsAre(3, 3, 1));
  EXPECT_THAT(sizes(kPlenty, 0, with_batch(0)), ::testing::Each(1)) << "an engine that gains nothing";
  SolveOptions restarts = with_batch(0);
  restarts.loop.restarts = 2;
  EXPECT_THAT(sizes(kPlenty, 40, restarts), ::testing::ElementsAre(2, 2, 2, 1));
}

TEST(Pack, TakesAsManyAsAskedFor) {
  EXPECT_THAT(sizes(kPlenty, 0, with_batch(4)), ::testing::ElementsAre(4, 3));
  EXPECT_THAT(sizes(kPlenty, 30, with_batch(100)), ::testing::ElementsAre(7));
}

TEST(Pack, KeepsThreadsBusyWithKicks) {
  const std::vector<InstancePtr> all = graphs(7);
  const auto packed = [&](const SolveOptions& options, std::size_t threads) {
    std::vector<std::size_t> found;
    for (const IndexRange range :
         pack_instances(SizedEngine(kPlenty, kPlenty, 0), all, adam_model("mis"), options, threads)) {
      found.push_back(range.size());
    }
    return found;
  };
  SolveOptions options = with_batch(0);
  options.loop.steps = 0;
  options.greedy_start = true;
  options.kicks = 400'000;
  EXPECT_THAT(packed(options, 1), ::testing::Each(1)) << "there is something to show after each";
  EXPECT_THAT(packed(options, 3), ::testing::ElementsAre(3, 3, 1));
  options.kicks = 2'000'000;
  EXPECT_THAT(packed(options, 3), ::testing::Each(1)) << "each takes long";
  options.kicks = 100'000;
  EXPECT_THAT(packed(options, 1), ::testing::ElementsAre(4, 3)) << "half a million";
  options.kicks = 0;
  EXPECT_THAT(packed(options, 1), ::testing::ElementsAre(7)) << "greedy solutions take little time";
  options.loop.steps = 1;
  EXPECT_THAT(packed(options, 4), ::testing::Each(1)) << "all threads work on a step";
  options.loop.steps = 0;
  options.time_limit = 1.0;
  EXPECT_THAT(packed(options, 4), ::testing::Each(1));
}

TEST(Pack, ATimeLimitIsEachInstancesOwn) {
  SolveOptions options = with_batch(0);
  options.time_limit = 1.0;
  EXPECT_THAT(sizes(kPlenty, kPlenty, options), ::testing::Each(1));
  options.batch = 7;
  EXPECT_THAT(sizes(kPlenty, kPlenty, options), ::testing::ElementsAre(7));
}

TEST(Pack, ShrinksToTheMemoryThatIsThere) {
  EXPECT_THAT(sizes(250, kPlenty, with_batch(0)), ::testing::ElementsAre(2, 2, 2, 1)) << "100 bytes each";
  EXPECT_THAT(sizes(250, 0, with_batch(5)), ::testing::ElementsAre(2, 2, 2, 1));
  EXPECT_THAT(sizes(105, kPlenty, with_batch(0)), ::testing::Each(1));
  EXPECT_THROW(sizes(99, kPlenty, with_batch(0)), ResourceError);
}

TEST(Pack, ShrinksToTheMemoryOfTheHostToo) {
  EXPECT_THAT(sizes(kPlenty, kPlenty, with_batch(0), 35), ::testing::ElementsAre(3, 3, 1)) << "10 bytes each";
  EXPECT_THROW(sizes(kPlenty, kPlenty, with_batch(0), 9), ResourceError);
}

/// Graphs are the host's: 24 bytes for each of 12 edges and 16 for each of 4 cities.
TEST(Pack, GraphsAreInTheMemoryOfTheHost) {
  GeneratorOptions generator;
  generator.nodes = 4;
  const std::vector<InstancePtr> city = {generate(generator)};
  SolveOptions options;
  options.loop.problem.set("neighbours", 3);
  EXPECT_EQ(pack_instances(SizedEngine(24, 394, 0), city, adam_model("tsp"), options).size(), 1u);
  EXPECT_THROW(pack_instances(SizedEngine(24, 393, 0), city, adam_model("tsp"), options), ResourceError);
  EXPECT_THROW(pack_instances(SizedEngine(11, 394, 0), city, adam_model("tsp"), options), ResourceError);
}

}  // namespace
}  // namespace moco
