// Costs to compare with: solutions that came with the instances, or a file of known values or solutions.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "moco/instance.h"

namespace moco {

/// Reference cost of each instance; nothing where none is known.
using ReferenceCosts = std::vector<std::optional<double>>;

/// Costs of the solutions that came with the instances, as the checker computes them. Throws InputError when one is
/// infeasible.
ReferenceCosts own_references(std::span<const InstancePtr> instances);

/// References of a file (docs/formats.md): solutions; JSON Lines; or a table with a value a line, a name and a value,
/// or columns "name n m value", or columns named by a header. Values without names belong to the instances in order,
/// and there must be as many; with names, instances may be without. Throws InputError.
ReferenceCosts read_references(const std::filesystem::path& file, std::span<const InstancePtr> instances);
/// Same from memory; `name` stands for the file in messages.
ReferenceCosts parse_references(std::string_view content, std::string_view name,
                                std::span<const InstancePtr> instances);

}  // namespace moco
