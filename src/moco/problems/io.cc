// Instances and solutions in files: makes instances of what the formats read, and hands them the data of instances.
#include "moco/io.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/formats/detect.h"
#include "moco/formats/formats.h"
#include "moco/formats/solution_formats.h"
#include "moco/problem.h"

namespace moco {

namespace {

/// Loops and repeated edges that the graphs of a file did without.
void warn_of_repairs(std::string_view file, std::span<const InstancePtr> instances,
                     std::vector<std::string>& warnings) {
  Offset loops = 0;
  Offset repeated = 0;
  for (const InstancePtr& instance : instances) {
    if (const auto* graph = dynamic_cast<const GraphInstance*>(instance.get())) {
      loops += graph->dropped_self_loops();
      repeated += graph->dropped_duplicates();
    }
  }
  if (loops > 0) {
    warnings.push_back(fmt::format("{}: dropped {} self-loop{}", file, loops, loops == 1 ? "" : "s"));
  }
  if (repeated > 0) {
    warnings.push_back(fmt::format("{}: dropped {} repeated edge{}", file, repeated, repeated == 1 ? "" : "s"));
  }
}

/// The problem asked for or, where none was, the first one that is made of such data.
const Problem& problem_for(const Problem* asked_for, DataKind kind) {
  return asked_for != nullptr ? *asked_for : **std::ranges::find(problems(), kind, &Problem::data);
}

/// An instance of the problem. A reference solution that is none of this problem is left out and told.
InstancePtr make_instance(const Problem& problem, InstanceData data, std::string_view file,
                          std::vector<std::string>& left_out) {
  if (problem.data() != kind_of(data)) {
    throw InputError(file, fmt::format("'{}' is no instance of {}", data.name, problem.name()));
  }
  std::optional<Solution> reference = std::exchange(data.reference, std::nullopt);
  std::shared_ptr<Instance> instance;
  try {
    instance = problem.make(std::move(data));
  } catch (const OptionError& error) {
    throw InputError(file, error.what());
  }
  if (reference) {
    if (const CheckResult result = instance->check(*reference); !result.feasible) {
      left_out.push_back(fmt::format("{}: the solution that came with '{}' is none for {} and left out: {}", file,
                                     instance->name(), problem.name(), result.violation));
    } else {
      instance->set_reference(std::move(*reference));
    }
  }
  return instance;
}

SolutionTarget target_of(const Instance& instance) {
  return {.name = instance.name(),
          .size = instance.size(),
          .shape = instance.problem().solution_shape(),
          .labels = instance.labels()};
}

}  // namespace

std::vector<InstancePtr> parse_instances(std::string_view content, std::string_view name, const ReadOptions& options,
                                         std::vector<std::string>* warnings) {
  const Problem* problem = options.problem.empty() ? nullptr : &find_problem(options.problem);
  ReadRequest request{.format = options.format, .complement = options.complement};
  if (problem != nullptr) {
    request.wanted = problem->data();
  }
  ParsedData data = parse_data(content, name, request, warnings);
  std::vector<std::string> notes;
  if (!data.taken.empty()) {
    notes.push_back(fmt::format("{}: {}", name, data.taken));
  }
  std::vector<InstancePtr> instances;
  instances.reserve(data.instances.size());
  std::vector<std::string> left_out;
  for (InstanceData& one : data.instances) {
    instances.push_back(make_instance(problem_for(problem, kind_of(one)), std::move(one), name, left_out));
  }
  if (!left_out.empty()) {
    const std::size_t more = left_out.size() - 1;
    notes.push_back(left_out.front() + (more == 0 ? "" : fmt::format("; so are those of {} more", more)));
  }
  warn_of_repairs(name, instances, notes);
  if (warnings != nullptr) {
    std::ranges::move(notes, std::back_inserter(*warnings));
  }
  return instances;
}

std::vector<InstancePtr> read_instances(const std::filesystem::path& file, const ReadOptions& options,
                                        std::vector<std::string>* warnings) {
  return parse_instances(read_file(file), file.string(), options, warnings);
}

void write_instances(const std::filesystem::path& file, std::span<const InstancePtr> instances, InstanceFormat format) {
  std::vector<InstanceData> data;
  data.reserve(instances.size());
  for (const InstancePtr& instance : instances) {
    data.push_back(instance->problem().data_of(*instance));
  }
  std::vector<const InstanceData*> pointers;
  for (const InstanceData& one : data) {
    pointers.push_back(&one);
  }
  write_data(file, pointers, format);
}

std::vector<Solution> parse_solutions(std::string_view content, std::string_view name,
                                      std::span<const InstancePtr> instances, SolutionFormat format) {
  std::vector<SolutionTarget> targets;
  for (const InstancePtr& instance : instances) {
    targets.push_back(target_of(*instance));
  }
  return parse_solution_data(content, name, targets, format);
}

std::vector<Solution> read_solutions(const std::filesystem::path& file, std::span<const InstancePtr> instances,
                                     SolutionFormat format) {
  return parse_solutions(read_file(file), file.string(), instances, format);
}

std::string format_solutions(std::span<const SolvedInstance> solved, SolutionFormat format) {
  std::vector<SolutionRecord> records;
  for (const auto& [instance, solution] : solved) {
    const CheckResult result = instance->check(solution);
    records.push_back({.target = target_of(*instance),
                       .solution = &solution,
                       .problem = std::string(instance->problem().name()),
                       .cost = result.feasible ? std::optional(result.cost) : std::nullopt});
  }
  return format_solution_data(records, format);
}

void write_solutions(const std::filesystem::path& file, std::span<const SolvedInstance> solved, SolutionFormat format) {
  if (format == SolutionFormat::automatic) {
    format = solution_format_to_write(file.string());
  }
  if (format == SolutionFormat::automatic) {
    throw OptionError(fmt::format("the name '{}' does not tell the format to write; say which, or use one of {}",
                                  file.string(), written_solution_extensions()));
  }
  write_file(file, format_solutions(solved, format));
}

}  // namespace moco
