// From data to the bytes of a file: chooses the writer and sees to what a format can hold.
#include <algorithm>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/formats/detect.h"
#include "moco/formats/formats.h"
#include "moco/formats/writers.h"

namespace moco {

namespace {

bool holds_many(InstanceFormat format) {
  return format == InstanceFormat::concorde || format == InstanceFormat::npy || format == InstanceFormat::ml4co;
}

/// Whether a format can be written for a kind. Readers accept more: arrays of edges, matrices of 0 and 1.
bool writes(InstanceFormat format, DataKind kind) {
  const bool points_only = format == InstanceFormat::npy || format == InstanceFormat::matrix;
  return holds(format, kind) && !(points_only && kind == DataKind::graph);
}

void require_kind(const InstanceData& instance, InstanceFormat format) {
  const DataKind kind = kind_of(instance);
  if (!writes(format, kind)) {
    throw OptionError(fmt::format("format {} holds {}, but '{}' {}", to_string(format),
                                  kind == DataKind::points ? "graphs" : "points or distances", instance.name,
                                  kind == DataKind::points ? "has points or distances" : "is a graph"));
  }
}

}  // namespace

std::string format_data(std::span<const InstanceData* const> instances, InstanceFormat format) {
  if (instances.empty()) {
    throw OptionError("there is no instance to write");
  }
  for (const InstanceData* instance : instances) {
    require_kind(*instance, format);
  }
  if (instances.size() > 1 && !holds_many(format)) {
    throw OptionError(fmt::format("format {} holds one instance a file, not {}", to_string(format), instances.size()));
  }
  const InstanceData& first = *instances.front();
  switch (format) {
    case InstanceFormat::tsplib:
      return format_tsplib(first);
    case InstanceFormat::concorde:
      return format_concorde(instances);
    case InstanceFormat::npy:
      return format_npy(instances);
    case InstanceFormat::csv:
      return format_csv(first);
    case InstanceFormat::matrix:
      return format_matrix(first);
    case InstanceFormat::dimacs:
      return format_dimacs(first);
    case InstanceFormat::pace:
      return format_pace(first);
    case InstanceFormat::metis:
      return format_metis(first);
    case InstanceFormat::edge_list:
      return format_edge_list(first);
    case InstanceFormat::matrix_market:
      return format_matrix_market(first);
    case InstanceFormat::ml4co:
      return format_ml4co(instances);
    case InstanceFormat::automatic:
      break;
  }
  throw OptionError("an instance is written in one format; 'auto' is none");
}

void write_data(const std::filesystem::path& file, std::span<const InstanceData* const> instances,
                InstanceFormat format) {
  if (instances.empty()) {
    throw OptionError("there is no instance to write");
  }
  if (format == InstanceFormat::automatic) {
    format = instance_format_to_write(file.string(), kind_of(*instances.front()));
  }
  if (format == InstanceFormat::automatic) {
    throw OptionError(fmt::format("the name '{}' does not tell the format to write; say which, or use one of {}",
                                  file.string(), written_instance_extensions()));
  }
  write_file(file, format_data(instances, format));
}

const PointData& points_in(const InstanceData& instance) {
  return std::get<PointData>(instance.content);
}

const GraphData& graph_in(const InstanceData& instance) {
  return std::get<GraphData>(instance.content);
}

void require_csv_field(const InstanceData& instance, std::string_view label) {
  if (label.find_first_of(",;\t\r\n\"'{") != std::string_view::npos || label.starts_with('#') ||
      label.starts_with('%')) {
    throw OptionError(
        fmt::format("the label '{}' of '{}' would not be one field of csv", one_line(label), instance.name));
  }
}

std::string one_line(std::string_view name) {
  std::string line(name);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      c = '_';
    }
  }
  return line;
}

}  // namespace moco
