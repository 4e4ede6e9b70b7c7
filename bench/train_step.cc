// Seconds of an outer step of training, for the rows that docs/training.md reports, and how much of it is not
// evaluation (waiting for instances, gradient, optimizer). Also the bytes that processes exchange per step, for two
// widths of the network: run it under mpirun to see them.
//
//   build/release/bench/train_step [--engine cpu|cuda] [--pairs N] [--repeats N]
#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "moco/engine/registry.h"
#include "moco/error.h"
#include "moco/model/parameters.h"
#include "moco/training/communicator.h"
#include "moco/training/learner.h"

namespace {

using namespace moco;

/// Rows with the seconds of a plain JAX rendering of the same step on an H200.
struct Row {
  const char* name;
  const char* config;
  double reference;
};

constexpr Row kRows[] = {
    {"TSP100 k=20 K=50 b=32, 128 pairs", "[search]\nsteps = 50\n[es]\npairs = 128\n", 0.738},
    {"TSP200 k=20 K=50 b=32, 128 pairs", "[data]\nnodes = 200\n[search]\nsteps = 50\n[es]\npairs = 128\n", 1.738},
    {"MIS ER n=750 p=.15 K=50 b=32, 64 pairs",
     "problem = \"mis\"\n[data]\nnodes = 750\nprobability = 0.15\n[search]\nsteps = 50\n[es]\npairs = 64\n", 4.22},
};

struct Settings {
  EngineKind engine = EngineKind::automatic;
  int pairs = 0;  ///< instead of the row's own number
  int repeats = 5;
};

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--engine") {
      settings.engine = value == "cuda" ? EngineKind::cuda : EngineKind::cpu;
    } else if (name == "--pairs") {
      settings.pairs = std::stoi(value);
    } else if (name == "--repeats") {
      settings.repeats = std::stoi(value);
    } else {
      throw OptionError(fmt::format("unknown option {}", name));
    }
  }
  return settings;
}

LearnerState fresh(const TrainConfig& config) {
  LearnerState state;
  state.parameters = random_model(config.model, 1).weights;
  state.adam = AdamState(state.parameters.size());
  return state;
}

void print_row(const Row& row, const Settings& settings, Engine& engine, Communicator& communicator) {
  TrainConfig config = parse_train_config(row.config, row.name);
  const bool scaled = settings.pairs > 0 && settings.pairs != config.es.pairs;
  if (scaled) {
    config.es.pairs = settings.pairs;
  }
  Learner learner(config, engine, communicator, 0);
  LearnerState state = fresh(config);
  learner.step(state);
  std::vector<StepResult> results;
  for (int i = 0; i < settings.repeats; ++i) {
    results.push_back(*learner.step(state));
  }
  std::ranges::sort(results, {}, &StepResult::seconds);
  const StepResult& median = results[results.size() / 2];
  if (communicator.rank() == 0) {
    fmt::print("{:<40} {:>6} {:>9.4f} {:>9.4f} {:>9.4f} {:>9.4f} {:>7.1f} {:>8}\n", row.name, config.es.pairs,
               median.seconds(), median.wait_seconds, median.evaluate_seconds, median.update_seconds,
               100.0 * (median.wait_seconds + median.update_seconds) / median.seconds(),
               scaled ? "-" : fmt::format("{:.1f}", row.reference / median.seconds()));
  }
}

void print_bytes(Engine& engine, Communicator& communicator) {
  if (communicator.rank() == 0) {
    fmt::print("\nbytes that a process sends per step, {} processes, 128 pairs\n{:>8} {:>12} {:>8}\n",
               communicator.size(), "hidden", "parameters", "bytes");
  }
  for (const int hidden : {32, 128}) {
    TrainConfig config = parse_train_config("[data]\nnodes = 10\n[search]\nsteps = 1\nsamples = 1\n", "bytes");
    config.model.hidden = hidden;
    Learner learner(config, engine, communicator, 0);
    LearnerState state = fresh(config);
    const std::uint64_t before = communicator.bytes_sent();
    learner.step(state);
    if (communicator.rank() == 0) {
      fmt::print("{:>8} {:>12} {:>8}\n", hidden, state.parameters.size(), communicator.bytes_sent() - before);
    }
  }
}

int run(int argc, char** argv) {
  const Settings settings = parse(argc, argv);
  const std::unique_ptr<Communicator> communicator = make_communicator();
  const std::unique_ptr<Engine> engine = make_engine(settings.engine, 0);
  if (communicator->rank() == 0) {
    fmt::print("engine {}\n{:<40} {:>6} {:>9} {:>9} {:>9} {:>9} {:>7} {:>8}\n", engine->name(), "outer step, median",
               "pairs", "seconds", "waiting", "searches", "update", "rest %", "x JAX");
  }
  for (const Row& row : kRows) {
    print_row(row, settings, *engine, *communicator);
  }
  print_bytes(*engine, *communicator);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "train_step: {}\n", error.what());
    return 1;
  }
}
