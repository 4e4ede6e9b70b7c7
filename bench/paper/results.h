// Measured rows: a file of JSON per table, to which runs add and from which the report is made.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "rows.h"

namespace moco::paper {

using Json = nlohmann::ordered_json;

/// The rows measured of one table. A row is an object of `moco eval` with "row", "way", "commit" and "hardware"
/// besides, and under "seconds" those of an instance "alone".
class Results {
 public:
  /// Reads FOLDER/TABLE.json; without that file there are no rows. Throws InputError when it is damaged.
  static Results load(const std::filesystem::path& folder, const std::string& table);

  /// Adds a row in place of one of the same id, way and model.
  void put(Json row);
  /// The rows of an id measured in a way, one per model.
  std::vector<Json> of(const std::string& id, Way way) const;
  void save(const std::filesystem::path& folder, const std::string& table) const;

 private:
  std::vector<Json> rows_;
};

/// The commit of the source tree, with "-modified" when sources differ from it; "unknown" outside a repository.
std::string source_commit();
/// The processor or device that an engine computes on.
std::string hardware_of(const std::string& engine, int threads);

}  // namespace moco::paper
