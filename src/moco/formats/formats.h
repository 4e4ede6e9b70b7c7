// From bytes to the data of instances and back, whatever problem they are for.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/data.h"
#include "moco/format.h"

namespace moco {

struct ReadRequest {
  InstanceFormat format = InstanceFormat::automatic;
  std::optional<DataKind> wanted = {};  ///< what the problem needs that was asked for, if one was
  bool complement = false;              ///< graphs: the complement of what the file holds
};

struct ParsedData {
  std::vector<InstanceData> instances;
  InstanceFormat format = InstanceFormat::automatic;  ///< that was read
  /// What was taken and how to say otherwise, in one line; empty where name or content leave no doubt.
  std::string taken;
};

/// The instances of a file's content, plain or gzip-compressed, in its order. `name` stands for the file in messages
/// and is looked at for its extension. What was repaired is appended to `warnings`, one line each. Throws InputError,
/// also where two readings are equally likely, and ResourceError where a complement does not fit into the memory.
ParsedData parse_data(std::string_view content, std::string_view name, const ReadRequest& request = {},
                      std::vector<std::string>* warnings = nullptr);
/// The same of a file.
ParsedData read_data(const std::filesystem::path& file, const ReadRequest& request = {},
                     std::vector<std::string>* warnings = nullptr);

/// The whole file of these instances. Throws OptionError where the format cannot hold them all, with everything that
/// matters about them: metrics, weights, their number.
std::string format_data(std::span<const InstanceData* const> instances, InstanceFormat format);
/// Writes a file; with `automatic` its name decides the format.
void write_data(const std::filesystem::path& file, std::span<const InstanceData* const> instances,
                InstanceFormat format = InstanceFormat::automatic);

/// The graph with exactly those edges that the given one has not. Edge weights are lost. Throws ResourceError with the
/// bytes that it would take when that is more than there are.
GraphData complement(const GraphData& graph);

/// The points with their coordinates times `factor`, rounded to whole numbers, under TSPLIB's EUC_2D, for solvers that
/// know whole distances only. Throws OptionError for anything but points with Euclidean distances in the plane.
InstanceData scaled(const InstanceData& data, double factor);

}  // namespace moco
