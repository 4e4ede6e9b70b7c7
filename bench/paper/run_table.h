// Running the rows of a table.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rows.h"

namespace moco::paper {

struct RunOptions {
  std::filesystem::path data;            ///< folder of reference data; empty: everything is generated
  std::filesystem::path results;         ///< folder of measured rows; empty: nothing is kept
  std::optional<std::size_t> instances;  ///< most instances of a data set
  std::string only;                      ///< rows whose id contains this
  std::vector<Way> ways;                 ///< of a row's ways these; empty: all
  std::string model;                     ///< instead of each way's own; empty: that
  EngineKind engine = EngineKind::automatic;
  int threads = 0;
  int batch = 0;          ///< instances searched side by side; 0: as many as fill the engine
  std::size_t alone = 4;  ///< instances that are searched once more, one after the other, for the seconds of one
  std::string commit;     ///< empty: what git says
  std::string hardware;   ///< empty: what the system says
};

/// The model of a row measured in a way: the trained one for its data set with the nearest K. Nothing, with the reason,
/// when there is none.
struct RowModel {
  std::string name;
  std::string missing;
};
RowModel model_of(const Row& row, Way way);

/// Runs the rows one after the other and prints the paper's figures and ours. Every row is kept as soon as it is done.
void run_table(const Table& table, const RunOptions& options);

/// Finds references for the generated data sets by kicks for so many seconds on each graph or set of cities, and keeps
/// them in `folder`, where the rows of these data sets are compared with them.
void find_references(const std::filesystem::path& folder, double seconds, int threads);

}  // namespace moco::paper
