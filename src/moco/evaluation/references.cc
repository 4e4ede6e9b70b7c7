// References for the instances of a data set.
#include "moco/references.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/evaluation/reference_entries.h"
#include "moco/formats/detect.h"
#include "moco/formats/text.h"
#include "moco/io.h"
#include "moco/problem.h"

namespace moco {

namespace {

/// The cost that an entry gives an instance, after checking that it can be one.
double cost_for(const Instance& instance, const ReferenceEntry& entry, std::string_view file) {
  const auto refuse = [&](const std::string& what) { throw InputError(file, entry.line, what); };
  if (entry.nodes && *entry.nodes != instance.size()) {
    refuse(fmt::format("{} has {} nodes here and {} in the data set", instance.name(), *entry.nodes, instance.size()));
  }
  const auto* graph = dynamic_cast<const GraphInstance*>(&instance);
  if (graph != nullptr && entry.edges && *entry.edges != graph->edges()) {
    refuse(fmt::format("{} has {} edges here and {} in the data set", instance.name(), *entry.edges, graph->edges()));
  }
  const Objective objective = instance.problem().objective(instance);
  const double value = objective.maximise ? std::abs(entry.value) : entry.value;  // may be given as a cost
  if (!(value > 0.0) || (objective.whole && value != std::trunc(value))) {
    refuse(fmt::format("the reference {} of {} is not a positive {}{}", entry.value, instance.name(),
                       objective.whole ? "whole " : "", objective.word));
  }
  return objective.cost(value);
}

ReferenceCosts by_order(const std::vector<ReferenceEntry>& entries, std::string_view file,
                        std::span<const InstancePtr> instances) {
  if (entries.size() != instances.size()) {
    throw InputError(file, fmt::format("{} references for {} instances", entries.size(), instances.size()));
  }
  ReferenceCosts costs;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    costs.emplace_back(cost_for(*instances[i], entries[i], file));
  }
  return costs;
}

/// Entries by their names, and by those names taken as file names without folders and extension.
class NamedEntries {
 public:
  NamedEntries(const std::vector<ReferenceEntry>& entries, std::string_view file) {
    for (const ReferenceEntry& entry : entries) {
      const auto [known, added] = exact_.emplace(entry.name, &entry);
      if (!added && known->second->value != entry.value) {
        throw InputError(
            file, entry.line,
            fmt::format("a second reference for {}: {}, after {}", entry.name, entry.value, known->second->value));
      }
      stems_.emplace(file_stem(entry.name), &entry);
    }
  }

  /// The entry for an instance, or null. A stem that several names share tells nothing.
  const ReferenceEntry* find(const std::string& instance) const {
    if (const auto entry = exact_.find(instance); entry != exact_.end()) {
      return entry->second;
    }
    const auto [first, last] = stems_.equal_range(instance);
    return std::distance(first, last) == 1 ? first->second : nullptr;
  }

 private:
  std::map<std::string, const ReferenceEntry*> exact_;
  std::multimap<std::string, const ReferenceEntry*> stems_;
};

ReferenceCosts by_name(const std::vector<ReferenceEntry>& entries, std::string_view file,
                       std::span<const InstancePtr> instances) {
  const NamedEntries named(entries, file);
  ReferenceCosts costs;
  for (const InstancePtr& instance : instances) {
    const ReferenceEntry* entry = named.find(instance->name());
    costs.push_back(entry == nullptr ? std::nullopt : std::optional(cost_for(*instance, *entry, file)));
  }
  if (std::ranges::none_of(costs, [](const auto& cost) { return cost.has_value(); })) {
    throw InputError(
        file, fmt::format("no reference is for an instance of the data set, such as {}", instances.front()->name()));
  }
  return costs;
}

/// Whether the file holds solutions in one of the formats that `moco check` reads, rather than values.
bool holds_solutions(std::string_view content, std::string_view name) {
  return format_extension(name) == "tour" || content.find("TOUR_SECTION") != std::string_view::npos ||
         content.starts_with("instance,position,item");
}

}  // namespace

ReferenceCosts own_references(std::span<const InstancePtr> instances) {
  ReferenceCosts costs;
  for (const InstancePtr& instance : instances) {
    const std::optional<Solution>& known = instance->reference();
    costs.push_back(known ? std::optional(reference_solution_cost(*instance, *known, instance->name(), 0))
                          : std::nullopt);
  }
  return costs;
}

ReferenceCosts parse_references(std::string_view content, std::string_view name,
                                std::span<const InstancePtr> instances) {
  if (holds_solutions(content, name)) {
    const std::vector<Solution> solutions = parse_solutions(content, name, instances);
    ReferenceCosts costs;
    for (std::size_t i = 0; i < solutions.size(); ++i) {
      costs.emplace_back(reference_solution_cost(*instances[i], solutions[i], name, 0));
    }
    return costs;
  }
  const bool is_json = trim(content).starts_with('{');
  const std::vector<ReferenceEntry> entries =
      is_json ? parse_reference_json(content, name, instances) : parse_reference_table(content, name);
  if (entries.empty()) {
    throw InputError(name, "no reference in this file");
  }
  const bool named = !entries.front().name.empty();
  for (const ReferenceEntry& entry : entries) {
    if (entry.name.empty() == named) {
      throw InputError(name, entry.line, "some references have a name and others have none");
    }
  }
  return named ? by_name(entries, name, instances) : by_order(entries, name, instances);
}

ReferenceCosts read_references(const std::filesystem::path& file, std::span<const InstancePtr> instances) {
  return parse_references(read_file(file), file.string(), instances);
}

}  // namespace moco
