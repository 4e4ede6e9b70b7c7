// The kernels of a search step one by one: right (against the CPU engine) and how fast (against what the device can
// do, measured at the start). Random weights, every trajectory with its own, as in training.
//
//   kernel_lab [--rows PATTERN] [--float32] [--fused | --passes] [--cluster N] [--parts N] [--repeats N]
//   [--check-seconds S]
//
// One line per row and kernel, all calls of a step together:
//   us        microseconds, median of the repeated steps; timing single kernels adds some 5 µs per call
//   MB        bytes that must move (bench/kernel_work.h), and of rows and entries gathered again through the caches
//   GB/s, L2_GB/s, TFLOP/s and shares of the ceilings: bytes against the copy, bytes and gathered bytes against L2,
//             matrix products against the tensor cores. Arrays that stay in L2 can exceed the copy.
//   result    what the kernel has its part in: theta, samples or gradient (with momenta)
//   deviation largest difference from the CPU's relative to the largest value, after one step from the CPU's θ
//   shape     of θ: with the common factor divided out (engine/deviation.h)
//   unequal   samples that differ, or variables with other elite bits
//   checked   trajectories compared: as many as the CPU does in S seconds, at least one, spread over the batch; S = 0
//             compares none
// Ends with status 1 when samples are unequal, gradients are off by more than rounding, or θ is not finite.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "device_rows.h"
#include "kernel_work.h"
#include "moco/engine/check/check_engine.h"
#include "moco/engine/cpu/cpu_engine.h"
#include "moco/engine/cuda/kit/ceilings.h"

namespace moco {
namespace {

constexpr double kGradientTolerance = 1e-5;  // as in the parity tests

std::vector<Row> all_rows() {
  const auto row = [](std::string name, std::string problem, Index nodes, int neighbours, double probability,
                      int trajectories) {
    Row made;
    made.name = fmt::format("{} b=32 T={}", name, trajectories);
    made.problem = std::move(problem);
    made.nodes = nodes;
    made.neighbours = neighbours;
    made.probability = probability;
    made.restarts = trajectories;
    made.own_weights = true;
    return made;
  };
  return {
      row("tsp100 k=20", "tsp", 100, 20, 0.0, 1),       row("tsp100 k=20", "tsp", 100, 20, 0.0, 32),
      row("tsp100 k=20", "tsp", 100, 20, 0.0, 256),     row("tsp200 k=20", "tsp", 200, 20, 0.0, 32),
      row("tsp500 k=50", "tsp", 500, 50, 0.0, 32),      row("mis n=750 p=0.15", "mis", 750, 0, 0.15, 1),
      row("mis n=750 p=0.15", "mis", 750, 0, 0.15, 32), row("mis n=10000 p=0.02", "mis", 10000, 0, 0.02, 1),
  };
}

struct Arguments : DeviceArguments {
  int repeats = 20;
  double check_seconds = 5.0;
};

/// What the CPU engine gives for some of a row's trajectories: θ and state at every stage of the comparison.
struct Expected {
  std::size_t trajectory = 0;
  std::vector<float> first_theta;   ///< after begin()
  std::vector<float> second_theta;  ///< after update()
  TrajectorySnapshot second_step;   ///< after the sample() that follows
};

std::vector<Expected> run_on_cpu(Engine& engine, const BatchSpec& whole, const std::vector<std::size_t>& chosen) {
  BatchSpec spec = whole;
  spec.trajectories.clear();
  spec.weights.clear();  // the others' need not be made
  std::vector<Expected> expected(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    expected[i].trajectory = chosen[i];
    spec.trajectories.push_back(whole.trajectories[chosen[i]]);
    spec.trajectories.back().weights = i;
    spec.weights.push_back(whole.weights[whole.trajectories[chosen[i]].weights]);
  }
  const auto batch = engine.create(spec);
  batch->begin();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    expected[i].first_theta = batch->theta(i);
  }
  batch->sample();
  batch->update();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    expected[i].second_theta = batch->theta(i);
  }
  batch->sample();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    expected[i].second_step = batch->snapshot(i);
  }
  return expected;
}

/// As many trajectories as fit into the seconds, judged by the first and spread evenly; none for no seconds.
std::vector<Expected> expected_results(const BatchSpec& spec, double seconds) {
  if (seconds <= 0.0) {
    return {};
  }
  const auto engine = make_cpu_engine();
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Expected> first = run_on_cpu(*engine, spec, {0});
  const double each = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::size_t all = spec.trajectories.size();
  const auto count = static_cast<std::size_t>(std::clamp(seconds / each, 1.0, static_cast<double>(all)));
  if (count == 1) {
    return first;
  }
  std::vector<std::size_t> chosen(count);
  for (std::size_t i = 0; i < count; ++i) {
    chosen[i] = i * all / count;
  }
  return run_on_cpu(*engine, spec, chosen);
}

/// Two samples and the update between them on the device, θ being the CPU's before each.
Deviations compare_step(CudaBatch& batch, const std::vector<Expected>& expected) {
  Deviations seen;
  batch.begin();
  for (const Expected& cpu : expected) {
    batch.set_theta(cpu.trajectory, cpu.first_theta);
  }
  batch.sample();
  batch.update();
  for (const Expected& cpu : expected) {
    seen.add_theta(cpu.second_theta, batch.theta(cpu.trajectory));
    batch.set_theta(cpu.trajectory, cpu.second_theta);
  }
  batch.sample();
  for (const Expected& cpu : expected) {
    seen.add_step(cpu.second_step, batch.snapshot(cpu.trajectory));
  }
  return seen;
}

bool acceptable(const Deviations& seen) {
  return seen.unequal_samples == 0 && seen.unequal_members == 0 && seen.costs == 0.0 &&
         std::max(seen.gradient, seen.momenta) <= kGradientTolerance && std::isfinite(seen.theta_shape);
}

/// Columns result, deviation, shape, unequal of a kernel.
std::string comparison(const std::string& kernel, const Deviations& seen, bool compared) {
  const bool samples = kernel.ends_with("_sample") || kernel.ends_with("_mass");
  const bool gradient = kernel.ends_with("_gradient");
  const char* result = samples ? "samples" : gradient ? "gradient" : "theta";
  if (!compared) {
    return fmt::format("{}\t-\t-\t-", result);
  }
  if (samples) {
    return fmt::format("{}\t{:.1e}\t-\t{}/{}", result, seen.costs, seen.unequal_samples, seen.samples);
  }
  if (gradient) {
    return fmt::format("{}\t{:.1e}\t-\t{}", result, std::max(seen.gradient, seen.momenta), seen.unequal_members);
  }
  return fmt::format("{}\t{:.1e}\t{:.1e}\t-", result, seen.theta, seen.theta_shape);
}

/// Columns from MB to the shares of the ceilings.
std::string rates(const std::optional<KernelWork>& work, double seconds, const DeviceCeilings& ceilings,
                  bool tensor_cores) {
  if (!work) {
    return "-\t-\t-\t-\t-\t-\t-\t-\t-";
  }
  const double memory = work->bytes / seconds;
  const double cached = (work->bytes + work->gathered) / seconds;
  const double flops = work->products + work->others;
  const bool products = tensor_cores && work->products > 0.0;
  const std::string share =
      products ? fmt::format("{:.1f}%", 100.0 * work->products / seconds / ceilings.tensor_flops) : "-";
  return fmt::format("{:.3f}\t{:.3f}\t{:.3f}\t{:.1f}\t{:.1f}\t{:.3f}\t{:.1f}%\t{:.1f}%\t{}", 1e-6 * work->bytes,
                     1e-6 * work->gathered, 1e-6 * flops, 1e-9 * memory, 1e-9 * cached, 1e-12 * flops / seconds,
                     100.0 * memory / ceilings.copy_bytes_per_second, 100.0 * cached / ceilings.l2_bytes_per_second,
                     share);
}

/// Nodes of a sampled independent set, summed over the trajectories.
double chosen_nodes(CudaBatch& batch) {
  double sum = 0.0;
  for (const TrajectoryStatus& status : batch.status()) {
    sum -= status.mean_cost;
  }
  return sum;
}

/// Prints the row; whether its results are acceptable.
bool run_row(CudaEngine& engine, const Row& row, const DeviceCeilings& ceilings, const Arguments& arguments) {
  Work made(row);
  made.spec.keep_samples = true;
  const std::vector<Expected> expected = expected_results(made.spec, arguments.check_seconds);
  const auto batch = engine.create_cuda(made.spec);
  const Deviations seen = compare_step(*batch, expected);
  if (expected.empty()) {
    fmt::print("# {}: not compared with the CPU\n", row.name);
  }
  kernel_times(*batch, 3);  // warm-up
  const std::vector<KernelTime> times = kernel_times(*batch, arguments.repeats);
  const bool bf16 = arguments.engine.precision == CudaPrecision::bf16;
  WorkSizes sizes = work_sizes(made.spec, bf16 ? 2.0 : 4.0);
  sizes.chosen = sizes.tsp ? 0.0 : chosen_nodes(*batch);
  sizes.staged = std::ranges::find(times, "neighbour_max", &KernelTime::name) != times.end();
  for (const KernelTime& kernel : times) {
    fmt::print("{}\t{}\t{}\t{:.1f}\t{}\t{}\t{}/{}\n", row.name, kernel.name, kernel.calls, kernel.microseconds,
               rates(kernel_work(kernel.name, sizes), 1e-6 * kernel.microseconds, ceilings, bf16),
               comparison(kernel.name, seen, !expected.empty()), expected.size(), made.spec.trajectories.size());
  }
  std::fflush(stdout);
  return acceptable(seen);
}

int run(const Arguments& arguments) {
  const auto engine = make_cuda_engine(arguments.engine);
  const DeviceCeilings ceilings = measure_ceilings(arguments.engine.device);
  fmt::print("# device: {}\n", cuda_device_name(arguments.engine.device));
  fmt::print("# copy: {:.1f} GB/s read and written\n", 1e-9 * ceilings.copy_bytes_per_second);
  fmt::print("# L2: {:.1f} GB/s read\n", 1e-9 * ceilings.l2_bytes_per_second);
  fmt::print("# tensor cores, bf16 mma.sync: {:.1f} TFLOP/s\n", 1e-12 * ceilings.tensor_flops);
  fmt::print(
      "work\tkernel\tcalls\tus\tMB\tgathered_MB\tMFLOP\tGB/s\tL2_GB/s\tTFLOP/s\tof_copy\tof_L2\tof_tensor\tresult\t"
      "deviation\tshape\tunequal\tchecked\n");
  int wrong = 0;
  for (const Row& row : all_rows()) {
    if (row.name.find(arguments.pattern) != std::string::npos) {
      wrong += run_row(*engine, row, ceilings, arguments) ? 0 : 1;
    }
  }
  if (wrong > 0) {
    std::fprintf(stderr, "kernel_lab: %d rows deviate from the CPU by more than rounding\n", wrong);
  }
  return wrong > 0 ? 1 : 0;
}

bool take(int count, char** values, int& i, Arguments& arguments) {
  const std::string option = values[i];
  const bool has_value = i + 1 < count;
  if (option == "--repeats" && has_value) {
    arguments.repeats = std::max(1, std::atoi(values[++i]));
  } else if (option == "--check-seconds" && has_value) {
    arguments.check_seconds = std::atof(values[++i]);
  } else {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace moco

int main(int count, char** values) {
  return moco::device_program("kernel_lab", "[--repeats N] [--check-seconds S]", count, values, moco::take, moco::run);
}
