// Instances and solutions from files and to files; generators; local search alone.
#include <pybind11/stl/filesystem.h>

#include "arrays.h"
#include "interrupt.h"
#include "moco/generate.h"
#include "moco/io.h"
#include "moco/local_search.h"
#include "moco/problem.h"
#include "module.h"

namespace moco::python {

namespace {

using Instances = std::vector<std::shared_ptr<Instance>>;

/// Python has no constant objects; what the module does with instances changes none.
Instances shown(const std::vector<InstancePtr>& instances) {
  Instances all;
  for (const InstancePtr& instance : instances) {
    all.push_back(std::const_pointer_cast<Instance>(instance));
  }
  return all;
}

std::pair<Instances, std::vector<std::string>> read(const std::filesystem::path& file, const std::string& format,
                                                    const std::string& problem, bool complement) {
  std::vector<std::string> warnings;
  const ReadOptions options{format.empty() ? InstanceFormat::automatic : instance_format_from(format), problem,
                            complement};
  const py::gil_scoped_release unlocked;
  auto instances = shown(read_instances(file, options, &warnings));
  return {std::move(instances), std::move(warnings)};
}

void write(const std::filesystem::path& file, const std::vector<std::shared_ptr<Instance>>& instances,
           const std::string& format) {
  const std::vector<InstancePtr> all(instances.begin(), instances.end());
  const py::gil_scoped_release unlocked;
  write_instances(file, all, format.empty() ? InstanceFormat::automatic : instance_format_from(format));
}

std::vector<py::array_t<Index>> read_solutions_of(const std::filesystem::path& file, const Instances& instances,
                                                  const std::string& format) {
  const std::vector<InstancePtr> all(instances.begin(), instances.end());
  std::vector<py::array_t<Index>> arrays;
  for (Solution& solution :
       read_solutions(file, all, format.empty() ? SolutionFormat::automatic : solution_format_from(format))) {
    arrays.push_back(array_of(std::move(solution.items)));
  }
  return arrays;
}

void write_solutions_of(const std::filesystem::path& file, const Instances& instances,
                        const std::vector<Array<Index>>& solutions, const std::string& format) {
  std::vector<SolvedInstance> solved;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    solved.push_back({instances[i], solution_of(solutions[i])});
  }
  write_solutions(file, solved, format.empty() ? SolutionFormat::automatic : solution_format_from(format));
}

Instances generated(const std::string& problem, const std::string& kind, Index nodes, Index max_nodes,
                    std::uint64_t seed, std::uint64_t count, const py::dict& own) {
  GeneratorOptions options{problem, kind, nodes, max_nodes, seed, option_values(own)};
  options.kind = find_generator(options).name;
  const py::gil_scoped_release unlocked;
  require_memory(options, count, false);
  std::vector<InstancePtr> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    all.push_back(generate(options, i));
  }
  return shown(all);
}

std::tuple<py::array_t<Index>, double, double, std::int64_t> improved(const std::shared_ptr<Instance>& instance,
                                                                      const Array<Index>& solution,
                                                                      const std::string& local_search, int move_limit,
                                                                      const py::dict& own) {
  const LocalSearchOptions search{local_search_named(local_search, *instance), move_limit};
  validate(search, *instance);
  const OptionValues options = option_values(own);
  const Solution start = solution_of(solution);
  Interrupt interrupt;
  ImprovedSolution result;
  {
    const py::gil_scoped_release unlocked;
    result = improve(instance, start, search, options, [&] { return interrupt.wanted(); });
  }
  interrupt.rethrow();
  return {array_of(std::move(result.solution.items)), result.cost_before, result.cost, result.moves};
}

}  // namespace

void bind_files(py::module_& module) {
  module.def("read", &read, py::arg("file"), py::arg("format"), py::arg("problem"), py::arg("complement"));
  module.def("write", &write, py::arg("file"), py::arg("instances"), py::arg("format"));
  module.def("read_solutions", &read_solutions_of, py::arg("file"), py::arg("instances"), py::arg("format"));
  module.def("write_solutions", &write_solutions_of, py::arg("file"), py::arg("instances"), py::arg("solutions"),
             py::arg("format"));
  module.def("generate", &generated, py::arg("problem"), py::arg("kind"), py::arg("nodes"), py::arg("max_nodes"),
             py::arg("seed"), py::arg("count"), py::arg("options"));
  module.def("improve", &improved, py::arg("instance"), py::arg("solution"), py::arg("local_search"),
             py::arg("move_limit"), py::arg("options"));
}

}  // namespace moco::python
