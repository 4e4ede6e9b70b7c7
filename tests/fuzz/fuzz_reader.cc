// Body of every fuzz target: hands the bytes to a reader, which must return sound data or throw moco::Error. Compiled
// with MOCO_FUZZ_FORMAT naming an InstanceFormat, or with MOCO_FUZZ_ and DETECTION, SOLUTIONS, CHECKPOINT, ARCHIVE or
// REFERENCES.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "moco/core/tar.h"
#include "moco/error.h"
#include "moco/io.h"
#include "moco/model.h"
#include "moco/model/parameters.h"
#include "moco/problem.h"
#include "moco/references.h"

namespace {

using namespace moco;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

#if defined(MOCO_FUZZ_SOLUTIONS) || defined(MOCO_FUZZ_REFERENCES)

std::vector<InstancePtr> two_instances() {
  return {std::make_shared<TspInstance>("a", std::vector<Point>{{0, 0}, {1, 0}, {0, 1}}, Metric::euc_2d),
          std::make_shared<GraphInstance>(find_problem("mis"), "b", 4, std::vector<Edge>{{0, 1}, {1, 2}})};
}

#endif

#if defined(MOCO_FUZZ_SOLUTIONS)

InstancePtr labelled_instance() {
  auto graph = std::make_shared<GraphInstance>(find_problem("mis"), "c", 3, std::vector<Edge>{{0, 1}, {1, 2}});
  graph->set_labels({"x", "7", "y z"});
  return graph;
}

void read(std::string_view content) {
  std::vector<InstancePtr> instances = two_instances();
  instances.push_back(labelled_instance());
  for (const auto format : {SolutionFormat::automatic, SolutionFormat::tour, SolutionFormat::node_list,
                            SolutionFormat::kamis, SolutionFormat::json, SolutionFormat::csv}) {
    const std::span<const InstancePtr> all(instances);
    for (const std::span<const InstancePtr> some : {all, all.first(2), all.first(1), all.subspan(1, 1), all.last(1)}) {
      try {
        const std::vector<Solution> solutions = parse_solutions(content, "input", some, format);
        require(solutions.size() == some.size());
        for (std::size_t i = 0; i < some.size(); ++i) {
          const CheckResult result = some[i]->check(solutions[i]);
          require(result.feasible == result.violation.empty());
        }
      } catch (const Error&) {
      }
    }
  }
}

#elif defined(MOCO_FUZZ_REFERENCES)

void read(std::string_view content) {
  const std::vector<InstancePtr> instances = two_instances();
  try {
    const ReferenceCosts costs = parse_references(content, "input", instances);
    require(costs.size() == instances.size());
    require(!costs[0] || *costs[0] > 0.0);
    require(!costs[1] || *costs[1] < 0.0);
  } catch (const Error&) {
  }
}

#elif defined(MOCO_FUZZ_ARCHIVE)

void read(std::string_view content) {
  try {
    for (const TarMember& member : tar_members(content, "input")) {
      require(member.content.data() >= content.data() &&
              member.content.data() + member.content.size() <= content.data() + content.size());
    }
  } catch (const Error&) {
  }
}

#elif defined(MOCO_FUZZ_CHECKPOINT)

void read(std::string_view content) {
  try {
    const Model model = parse_model(content, "input");
    require(model.weights.size() == ParameterLayout(model.config).size());
  } catch (const Error&) {
  }
}

#else

void read_as(std::string_view content, std::string_view name, InstanceFormat format) {
  for (const std::string_view problem : {"", "tsp", "mis"}) {
    try {
      for (const InstancePtr& instance : parse_instances(content, name, {format, std::string(problem), false})) {
        require(instance->size() >= 1);
        require(instance->labels().empty() || instance->labels().size() == static_cast<std::size_t>(instance->size()));
        require(problem.empty() || instance->problem().name() == problem);
        if (instance->reference()) {
          require(instance->check(*instance->reference()).feasible);
        }
      }
    } catch (const Error&) {
    }
  }
}

#if defined(MOCO_FUZZ_DETECTION)

void read(std::string_view content) {
  for (const std::string_view name : {"input", "input.txt", "input.csv", "input.edges", "input.mis", "input.graph"}) {
    read_as(content, name, InstanceFormat::automatic);
  }
}

#else

void read(std::string_view content) {
  read_as(content, "input", InstanceFormat::MOCO_FUZZ_FORMAT);
}

#endif

#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read({reinterpret_cast<const char*>(data), size});
  return 0;
}
