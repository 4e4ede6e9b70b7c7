// Solves a tour and an independent set through the public headers, and fails unless both are what they must be.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <moco/error.h>
#include <moco/io.h>
#include <moco/model.h>
#include <moco/model_folders.h>
#include <moco/problem.h>
#include <moco/solver.h>
#include <moco/version.h>

namespace {

void require(bool condition, const char* what) {
  if (!condition) {
    throw std::logic_error(what);
  }
}

moco::SolveResult solve_one(const moco::InstancePtr& instance, const std::string& model_name) {
  moco::SolveOptions options;
  options.loop.steps = 10;
  options.greedy_start = true;
  moco::Solver solver(moco::load_model(moco::model_folders().front() / (model_name + ".safetensors")), {.threads = 1});
  return solver.solve({&instance, 1}, options).front();
}

/// Eight cities on a ring, each 76 from the next.
void check_tour() {
  const std::vector<moco::Point> cities = {{0, 0},    {100, 100},  {30, 70},  {200, 0},
                                           {30, -70}, {100, -100}, {170, 70}, {170, -70}};
  const auto instance = std::make_shared<moco::TspInstance>("ring", cities, moco::Metric::euc_2d);
  const moco::SolveResult result = solve_one(instance, "tsp100");
  std::printf("tour of %s: %g\n", instance->name().c_str(), result.cost);
  require(result.feasible && result.cost == 8 * 76, "the tour is none, or not the shortest");
}

/// A ring of six nodes: three of them.
void check_set() {
  const moco::ReadOptions as_set{.problem = "mis"};
  const moco::InstancePtr ring =
      moco::parse_instances("6 6\n2 6\n1 3\n2 4\n3 5\n4 6\n5 1\n", "ring.graph", as_set).front();
  const moco::SolveResult result = solve_one(ring, "mis-er");
  std::printf("independent set of %s: %g nodes\n", ring->name().c_str(), -result.cost);
  require(result.feasible && result.cost == -3.0, "the set is none, or not the largest");
}

/// What the library throws can be caught as what it is.
void check_errors() {
  try {
    moco::read_instances("no such file.tsp");
  } catch (const moco::IoError&) {
    return;
  }
  throw std::logic_error("a file that is not there was read");
}

}  // namespace

int main() {
  try {
    const std::string linked(moco::version());
    const std::string headers = std::to_string(MOCO_VERSION_MAJOR) + "." + std::to_string(MOCO_VERSION_MINOR) + "." +
                                std::to_string(MOCO_VERSION_PATCH);
    require(linked == headers, "headers and library have different versions");
    moco::set_model_folder(MODELS);
    check_tour();
    check_set();
    check_errors();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "consumer: %s\n", error.what());
    return 1;
  }
}
