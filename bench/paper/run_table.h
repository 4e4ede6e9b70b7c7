// Running the rows of a table.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "rows.h"

namespace moco::paper {

struct RunOptions {
  std::filesystem::path data;            ///< folder of reference data; empty: everything is generated
  std::filesystem::path results;         ///< folder of measured rows; empty: nothing is kept
  std::optional<std::size_t> instances;  ///< most instances of a data set
  std::string only;                      ///< rows whose id contains this
  std::string model;                     ///< instead of the row's own; empty: the row's own
  EngineKind engine = EngineKind::automatic;
  int threads = 0;
  int batch = 1;
  std::string commit;    ///< empty: what git says
  std::string hardware;  ///< empty: what the system says
};

/// The model of a row: the trained one for its data set with the nearest K, or adam. Nothing, with the reason, when
/// there is none.
struct RowModel {
  std::string name;
  std::string missing;
};
RowModel model_of(const Row& row);

/// Runs the rows one after the other and prints the paper's figures and ours. Every row is kept as soon as it is done.
void run_table(const Table& table, const RunOptions& options);

}  // namespace moco::paper
