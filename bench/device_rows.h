// What the benchmarks of the CUDA engine share: rows of work with their instances, weights and trajectories, the
// options that choose rows and kernels, and the time of each kernel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "moco/engine/cuda/cuda_engine.h"

namespace moco {

struct Row {
  std::string name;
  std::string problem;
  Index nodes = 0;
  int neighbours = 20;
  double probability = 0.0;
  int samples = 32;
  int steps = 200;
  int restarts = 1;  ///< M, or 0 for a training step
  int pairs = 0;
  bool slow = false;         ///< only with --slow
  bool own_weights = false;  ///< every restart has its own perturbed weights, as in training
};

/// Instances, weights and trajectories of a row. Neither copied nor moved: the batch description points into it.
struct Work {
  explicit Work(const Row& row, int hidden = ModelConfig{}.hidden);
  /// With random weights of a model like this, of the row's family.
  Work(const Row& row, ModelConfig config);
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  Model model;
  std::vector<DecisionGraph> graphs;
  std::vector<StreamKey> keys;  ///< noise of the pairs of a training step
  BatchSpec spec;

 private:
  void add_restarts(const Row& row);
  void add_pairs(const Row& row);
};

/// Options that all these programs know.
struct DeviceArguments {
  std::string pattern;
  CudaOptions engine;
};

/// Whether values[i] is one of those options; takes it, and moves i to its value if it has one.
bool take_option(int count, char** values, int& i, DeviceArguments& arguments);

/// Prints how such a program is called, and returns its status then.
int wrong_usage(const char* name, const char* usage);
/// Runs the program's work; an exception ends with its words and status 1.
int guarded(const char* name, const std::function<int()>& run);

/// The main function of such a program: `take` takes an option of its own, as take_option does, `run` does the work. An
/// unknown option ends with the usage and status 2.
template <typename Arguments>
int device_program(const char* name, const char* usage, int count, char** values,
                   bool (*take)(int, char**, int&, Arguments&), int (*run)(const Arguments&)) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    if (!take_option(count, values, i, arguments) && !take(count, values, i, arguments)) {
      return wrong_usage(name, usage);
    }
  }
  return guarded(name, [&] { return run(arguments); });
}

/// A kernel of a search step, all its calls together.
struct KernelTime {
  std::string name;
  int calls = 0;
  double microseconds = 0.0;
};

/// Medians over so many steps, in the order of the kernels' first calls. The batch goes on by as many steps.
std::vector<KernelTime> kernel_times(CudaBatch& batch, int repeats);

/// Element size/2 of the values in order.
double median(std::vector<double> values);

}  // namespace moco
