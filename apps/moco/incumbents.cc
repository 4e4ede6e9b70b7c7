// Lines are short or written in one piece, so that a reader that follows the file sees whole ones.
#include "incumbents.h"

#include <cmath>

#include <fmt/format.h>

#include "json_output.h"
#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/formats/labels_json.h"
#include "moco/problem.h"
#include "output_files.h"
#include "text_table.h"

namespace moco::cli {

IncumbentFile::IncumbentFile(const std::string& file, std::span<const InstancePtr> instances)
    : file_(file), json_(name_ends_with(file, ".jsonl")), instances_(instances) {
  if (!file.empty() && file != "-") {
    stream_.open(file, std::ios::binary | std::ios::trunc);
  }
  if (active() && !json_) {
    write("instance,seconds,cost\n");
  }
}

void IncumbentFile::add(const Incumbent& incumbent, double seconds) {
  const Instance& instance = *instances_[incumbent.instance];
  if (!json_) {
    write(fmt::format("{},{:.3f},{}\n", csv_field(instance.name()), seconds, incumbent.cost));
    return;
  }
  Json line;
  line["instance"] = instance.name();
  line["seconds"] = std::round(seconds * 1e3) / 1e3;
  line["cost"] = json_number(incumbent.cost);
  line["solution"] = json_of_nodes<Json>(incumbent.solution.items, NodeLabels(instance.labels()));
  write(json_line(line));
}

void IncumbentFile::write(const std::string& text) {
  if (file_ == "-") {
    write_text(file_, text);
  } else if (!(stream_ << text << std::flush)) {
    throw IoError(fmt::format("cannot write '{}'", file_));
  }
}

}  // namespace moco::cli
