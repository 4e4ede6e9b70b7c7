// What a solver keeps between calls, what it refuses, and who may call it when.
#include "moco/solver.h"

#include <atomic>
#include <limits>
#include <memory>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "moco/engine/registry.h"
#include "moco/error.h"
#include "moco/generate.h"
#include "small_search.h"

namespace moco {
namespace {

using search_test::quick;
using search_test::small_model;

std::vector<InstancePtr> cities(std::size_t count) {
  GeneratorOptions options;
  options.nodes = 30;
  std::vector<InstancePtr> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(generate(options, i));
  }
  return all;
}

std::vector<Solution> solutions_of(const std::vector<SolveResult>& results) {
  std::vector<Solution> solutions;
  for (const SolveResult& result : results) {
    solutions.push_back(result.solution);
  }
  return solutions;
}

const SolverOptions kCpu = {.engine = EngineKind::cpu, .threads = 2};

TEST(Solver, ACallLeavesNothingBehindForTheNext) {
  const auto all = cities(3);
  Solver solver(small_model("tsp"), kCpu);
  SolveOptions other = quick();
  other.seed = 5;
  other.loop.restarts = 3;
  const auto first = solutions_of(solver.solve(all, quick()));
  solver.solve(all, other);
  EXPECT_EQ(solutions_of(solver.solve(all, quick())), first);
  EXPECT_EQ(solutions_of(solve_once(all, small_model("tsp"), quick())), first);
  EXPECT_EQ(solver.engine(), "cpu");
}

TEST(Solver, ThreadsThatCallItTakeTurns) {
  const auto all = cities(2);
  Solver solver(small_model("tsp"), kCpu);
  std::vector<std::vector<Solution>> alone;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SolveOptions options = quick();
    options.seed = seed;
    alone.push_back(solutions_of(solver.solve(all, options)));
  }
  std::vector<std::vector<Solution>> found(4);
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      SolveOptions options = quick();
      options.seed = seed;
      found[seed] = solutions_of(solver.solve(all, options));
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(found, alone);
}

TEST(Solver, WhoWaitsCanGiveUp) {
  const auto one = cities(1);
  Solver solver(small_model("tsp"), kCpu);
  std::atomic<bool> searching = false;
  std::atomic<bool> enough = false;
  SolveOptions endless = quick();
  endless.loop.steps = std::numeric_limits<int>::max();
  endless.interrupted = [&] {
    searching = true;
    return enough.load();
  };
  std::thread holder([&] { solver.solve(one, endless); });
  while (!searching) {
    std::this_thread::yield();
  }
  SolveOptions impatient = quick();
  impatient.interrupted = [] { return true; };
  EXPECT_TRUE(solver.solve(one, impatient).empty());
  enough = true;
  holder.join();
  EXPECT_EQ(solver.solve(one, quick()).size(), 1u);
}

TEST(Solver, ItsOwnCallbacksMustNotCallIt) {
  const auto one = cities(1);
  Solver solver(small_model("tsp"), kCpu);
  SolveOptions options = quick();
  options.finished = [&](std::size_t, const SolveResult&) { solver.solve(one, quick()); };
  EXPECT_THROW(solver.solve(one, options), OptionError);
  EXPECT_EQ(solver.solve(one, quick()).size(), 1u) << "and is not held for ever";
}

TEST(Solver, TakesOtherWeights) {
  const auto all = cities(2);
  Model other = small_model("tsp");
  for (float& weight : other.weights) {
    weight *= 0.5f;
  }
  Solver solver(small_model("tsp"), kCpu);
  const auto before = solutions_of(solver.solve(all, quick()));
  solver.set_weights(other.weights);
  const auto after = solutions_of(solver.solve(all, quick()));
  EXPECT_EQ(after, solutions_of(solve_once(all, other, quick())));
  EXPECT_NE(after, before);
  EXPECT_THROW(solver.set_weights(std::span(other.weights).first(5)), OptionError);
  EXPECT_EQ(solver.model().weights, other.weights) << "those refused leave the solver as it was";
}

/// An engine that notes by which numbers the weights of its batches come.
class NumberNoting final : public Engine {
 public:
  std::string_view name() const override { return engine_->name(); }
  MemoryNeed memory_need(const BatchSpec& spec) const override { return engine_->memory_need(spec); }
  std::uint64_t available_bytes() const override { return engine_->available_bytes(); }
  bool filled_by(std::uint64_t variables) const override { return engine_->filled_by(variables); }
  std::unique_ptr<Batch> create(BatchSpec spec) override {
    numbers.push_back(spec.base_weights);
    return engine_->create(std::move(spec));
  }

  std::vector<std::uint64_t> numbers;

 private:
  std::unique_ptr<Engine> engine_ = make_engine(EngineKind::cpu, 1);
};

TEST(Solver, EnginesTellWeightsApartByNumber) {
  const auto one = cities(1);
  const auto engine = std::make_shared<NumberNoting>();
  Solver first(small_model("tsp"), engine, 1);
  Solver second(small_model("tsp"), engine, 1);
  first.solve(one, quick());
  first.solve(one, quick());
  second.solve(one, quick());
  first.set_weights(small_model("tsp").weights);
  first.solve(one, quick());
  const std::vector<std::uint64_t>& numbers = engine->numbers;
  ASSERT_EQ(numbers.size(), 4u);
  EXPECT_EQ(numbers[0], numbers[1]) << "kept on the device";
  EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), 3u);
  EXPECT_THAT(numbers, ::testing::Each(::testing::Ne(0u)));
}

TEST(Solver, RefusesWeightsThatAreNotTheModels) {
  Model model = small_model("tsp");
  model.weights.pop_back();
  EXPECT_THROW(Solver(model, kCpu), OptionError);
  model = small_model("tsp");
  model.weights.push_back(0.0f);
  EXPECT_THROW(Solver(model, kCpu), OptionError);
  model = small_model("tsp");
  model.weights[7] = std::numeric_limits<float>::quiet_NaN();
  try {
    const Solver solver(model, kCpu);
    ADD_FAILURE();
  } catch (const OptionError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("weight 7 of the model is nan"));
  }
  model = adam_model("tsp");
  model.weights = {1.0f};
  EXPECT_THROW(Solver(model, kCpu), OptionError);
}

}  // namespace
}  // namespace moco
