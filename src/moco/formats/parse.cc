// From a file's bytes to data: chooses the format and calls its reader.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/formats/detect.h"
#include "moco/formats/formats.h"
#include "moco/formats/readers.h"
#include "moco/formats/tsplib.h"

namespace moco {

namespace {

std::vector<InstanceData> read_as(InstanceFormat format, const ReaderInput& input) {
  switch (format) {
    case InstanceFormat::tsplib:
      return read_tsplib(input);
    case InstanceFormat::concorde:
      return read_concorde(input);
    case InstanceFormat::npy:
      return read_npy(input);
    case InstanceFormat::csv:
      return read_csv(input);
    case InstanceFormat::dimacs:
    case InstanceFormat::pace:
      return read_dimacs(input);
    case InstanceFormat::metis:
      return read_metis(input);
    case InstanceFormat::edge_list:
      return read_edge_list(input);
    case InstanceFormat::matrix_market:
      return read_matrix_market(input);
    case InstanceFormat::ml4co:
      return read_ml4co(input);
    case InstanceFormat::matrix:
      return read_matrix(input);
    case InstanceFormat::automatic:
      break;
  }
  throw InputError(input.file,
                   "neither name nor content tell the format; say which of tsplib, concorde, npy, csv, dimacs, metis, "
                   "edge-list, matrix-market, ml4co, pace and matrix it is");
}

/// What was read, in a few words.
std::string description(const ParsedData& data) {
  const InstanceData& first = data.instances.front();
  if (const auto* graph = std::get_if<GraphData>(&first.content)) {
    return fmt::format("{} of {} nodes", data.format == InstanceFormat::edge_list ? "an edge list" : "a graph",
                       graph->nodes);
  }
  const auto& points = std::get<PointData>(first.content);
  if (points.metric == Metric::matrix) {
    return fmt::format("distances between {} cities", cities_of(points));
  }
  if (data.instances.size() > 1) {
    return fmt::format("{} instances, one a line", data.instances.size());
  }
  return fmt::format("coordinates of {} cities", points.points.size());
}

void take_complements(std::vector<InstanceData>& instances, std::string_view file) {
  for (InstanceData& instance : instances) {
    auto* graph = std::get_if<GraphData>(&instance.content);
    if (graph == nullptr) {
      throw InputError(file, "only graphs have a complement");
    }
    *graph = complement(*graph);
  }
}

}  // namespace

ParsedData parse_data(std::string_view content, std::string_view name, const ReadRequest& request,
                      std::vector<std::string>* warnings) {
  std::string unpacked;
  if (is_gzip(content)) {
    unpacked = gunzip(content, name);
    content = unpacked;
  }
  if (std::all_of(content.begin(), content.end(), [](char c) { return c == '\n' || c == '\r' || c == ' '; })) {
    throw InputError(name, "the file is empty");
  }
  Detection detection{request.format, ""};
  if (request.format == InstanceFormat::automatic) {
    detection = detect_instance_format(content, name, request.wanted);
  }
  if (request.wanted && !holds(detection.format, *request.wanted)) {
    throw InputError(
        name, fmt::format("format {} holds {}", to_string(detection.format),
                          *request.wanted == DataKind::points ? "graphs, but points or distances were asked for"
                                                              : "points or distances, but a graph was asked for"));
  }
  std::string note;
  ParsedData data{.instances = read_as(detection.format, {.content = content,
                                                          .file = name,
                                                          .name = file_stem(name),
                                                          .warnings = warnings,
                                                          .wanted = request.wanted,
                                                          .taken = &note}),
                  .format = detection.format,
                  .taken = {}};
  if (data.instances.empty()) {
    throw InputError(name, "the file holds no instance");
  }
  if (request.wanted && kind_of(data.instances.front()) != *request.wanted) {
    throw InputError(name, request.wanted == DataKind::points
                               ? "the file holds a graph, but points or distances were asked for"
                               : "the file holds points or distances, but a graph was asked for");
  }
  if (!detection.otherwise.empty()) {
    data.taken = fmt::format("read as {}; {}", description(data), detection.otherwise);
  }
  if (!note.empty()) {
    data.taken += (data.taken.empty() ? "" : "; ") + note;
  }
  if (request.complement) {
    take_complements(data.instances, name);
  }
  return data;
}

ParsedData read_data(const std::filesystem::path& file, const ReadRequest& request,
                     std::vector<std::string>* warnings) {
  return parse_data(read_file(file), file.string(), request, warnings);
}

}  // namespace moco
