// The rows of the paper's tables, with the paper's figures, the ways in which each is measured here, and the data sets
// they are about.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moco/evaluate.h"
#include "moco/generate.h"

namespace moco::paper {

/// A data set of the paper's experiments.
struct DataSpec {
  std::string id;
  std::string title;
  std::string problem;
  std::string file;        ///< under the folder of reference data; empty: generated
  std::string references;  ///< same; empty: the file has solutions
  GeneratorOptions generator;
  int generated_count = 128;     ///< instances when generated
  OptionValues options;          ///< of the problem, where the model does not say
  double paper_reference = 0.0;  ///< the paper's mean of its reference solver
  std::string reference_solver;
  Index least_trained = 0;  ///< sizes of the instances that the paper's model was trained for
  Index most_trained = 0;
  std::string local_search;  ///< of the hybrid way in tables without local search
};

/// How a row is measured.
enum class Way {
  untrained,     ///< no network: Adam on the policy gradient
  ants,          ///< no network: an ant system
  max_min,       ///< no network: a max–min ant system
  learned_ants,  ///< an ant system that goes by a network, as DeepACO's
  learned_adam,  ///< Adam from where a network begins, as DIMES'
  exact,         ///< a model trained with the paper's own update rule, in one piece
  one_piece,     ///< the model that ships, in one piece
  episodes,      ///< the model that ships, as it was trained to: long searches are cut into episodes side by side
  hybrid,        ///< likewise, with a local search on every sample
};
/// As it is kept with a measured row and named on the command line.
std::string_view word_of(Way way);
/// As the report shows it.
std::string_view title_of(Way way);
Way way_named(std::string_view word);
/// The words of all ways: "untrained, ants, …".
std::string way_words();
/// The model of a way that needs no training, or nothing.
std::string_view baseline_of(Way way);
/// The only model of a way for a data set, or nothing.
std::string own_model_of(Way way, std::string_view data);
/// Whether no device has kernels for it.
bool is_cpu_only(Way way);

struct PaperFigures {
  double value = 0.0;  ///< mean cost, or for mis mean size
  double gap_percent = 0.0;
  std::optional<double> seconds;
};

struct Row {
  std::string id;      ///< "tsp100 1x200x32"
  std::string source;  ///< label of the table or figure in the paper
  std::string data;    ///< id of the data set
  Setting setting;
  std::optional<PaperFigures> paper;         ///< nothing where the paper has a picture only
  std::map<Way, PaperFigures> paper_others;  ///< of other methods in the same row
  std::vector<Way> ways;
  std::string local_search;  ///< on every sample, whatever the way; empty: none
  int trained_steps = 0;     ///< K that the model must have been trained for; 0: the nearest there is
  bool naive = false;        ///< networks are told that K, however long the search is
  std::string model;         ///< the only model that this row is about; empty: the way's own
  std::string remark;        ///< other methods of the same row, or what the row is
  bool curve = false;        ///< the best cost over the steps is wanted too
};

/// The paper's figures that those of a way are compared with.
std::optional<PaperFigures> paper_figures(const Row& row, Way way);

struct Table {
  std::string name;
  std::string title;
  std::vector<Row> rows;
};

const std::vector<DataSpec>& data_specs();
const DataSpec& data_spec(std::string_view id);

const std::vector<Table>& tables();

}  // namespace moco::paper
