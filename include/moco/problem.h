// A problem: everything the program must know to read, search, check, draw and train for one kind of instance.
// docs/add-a-problem.md says how to write one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "moco/data.h"
#include "moco/generate.h"
#include "moco/instance.h"
#include "moco/local_search.h"
#include "moco/options.h"

namespace moco {

class Construction;
class Executor;
class Halt;
class KickSearch;
class LocalSearch;
class PartialConstruction;
struct DecisionGraph;
struct Heatmap;

namespace drawing {
class Sheet;
}

/// What is optimised, in words. Inside the program costs are minimised; where more is better they are minus the value.
struct Objective {
  std::string_view word = "cost";  ///< what the value is called: "cost", "size", "weight"
  bool maximise = false;
  bool whole = false;  ///< values are whole numbers

  /// Value of a cost, and cost of a value.
  double value(double cost) const { return maximise && cost != 0.0 ? -cost : cost; }
  double cost(double value) const { return this->value(value); }
};

/// Architectures of the networks: on the edges of a graph with equal degrees, or on the nodes of any graph.
enum class NetworkKind { graph_network, gcn };

/// A line of `moco info`: a number, two that bound a range, or a text.
using FactValue = std::variant<std::int64_t, double, std::array<double, 2>, std::string>;
using Fact = std::pair<std::string_view, FactValue>;

/// A field of ModelConfig that says what the networks of a family see or how they are built, and that other families do
/// not have.
struct ModelOption {
  std::string_view key;  ///< "crowding"
  std::string_view help;
};

/// What the choice of a model looks at besides the size of an instance.
struct ModelTraits {
  std::optional<double> degree;  ///< mean number of neighbours
  std::string_view kind;         ///< family of instances that it is recognised as; empty: none
  bool weighted = false;         ///< whether it has weights
};

/// What an instance gets by default, so that a good answer takes seconds.
struct Effort {
  std::int64_t kicks = 0;  ///< 0 for problems without kicks
};

/// Words of a picture's heading.
struct PictureCaption {
  std::string title;
  std::string result;    ///< "cost 7542": title of the document
  std::string subtitle;  ///< the line below the title
};

class Problem {
 public:
  virtual ~Problem() = default;

  // What it is.
  virtual std::string_view name() const = 0;
  /// Half a sentence for help texts: "the shortest tour through all cities".
  virtual std::string_view summary() const = 0;
  virtual DataKind data() const = 0;
  virtual SolutionShape solution_shape() const = 0;
  /// Of instances without weights, which the scores of models are of; and of an instance.
  virtual Objective objective() const = 0;
  virtual Objective objective(const Instance&) const { return objective(); }

  // Instances.
  /// Takes over data of the problem's kind. Throws OptionError when it cannot be an instance.
  virtual std::shared_ptr<Instance> make(InstanceData data) const = 0;
  /// What the instance was made of.
  virtual InstanceData data_of(const Instance& instance) const = 0;
  /// The independent checker: shares no code with the search.
  virtual CheckResult check(const Instance& instance, const Solution& solution) const = 0;
  /// The default comes first.
  virtual std::span<const GeneratorKind> generators() const = 0;
  virtual std::vector<Fact> facts(const Instance&) const { return {}; }
  virtual drawing::Sheet draw(const Instance& instance, const Solution& solution, const Heatmap* heatmap,
                              const PictureCaption& caption) const = 0;

  // Models.
  /// Models belong to a family: problems of one family use each other's.
  virtual std::string_view family() const { return name(); }
  virtual NetworkKind network() const = 0;
  virtual std::span<const ModelOption> model_options() const { return {}; }
  virtual ModelTraits traits(const Instance&) const { return {}; }

  // Search. A search looks for good items on a decision graph: solutions of the instance or, where a problem is
  // searched as another one, what stands for them.
  virtual std::span<const OptionDeclaration> options() const { return {}; }
  /// The sizes of the decision graph, and what the instance itself holds, without building anything.
  virtual DecisionGraph graph_shape(const InstancePtr& instance, const OptionValues& options) const = 0;
  /// The decision graph; the executor's threads share the work.
  virtual DecisionGraph graph(const InstancePtr& instance, const OptionValues& options,
                              const Executor& executor) const = 0;
  virtual std::unique_ptr<Construction> construction(const DecisionGraph& graph, const OptionValues& options) const = 0;
  /// Samples that choose `count` cities or nodes of a solution anew, or null. The graph must outlive them.
  virtual std::unique_ptr<PartialConstruction> partial_construction(const DecisionGraph& graph, int count) const;
  /// Items of a solution, and the solution that items stand for.
  virtual Solution to_search(const Instance&, Solution solution) const { return solution; }
  virtual Solution from_search(const Instance&, Solution items) const { return items; }

  /// A feasible solution that is there at once, whatever its size.
  virtual Solution instant_solution(const InstancePtr& instance) const = 0;
  /// Items of a greedy construction: of the one that the options say, where there are several. Throws Halted when it is
  /// told to end too early for one.
  virtual Solution greedy_items(const DecisionGraph& graph, const OptionValues& options, const Halt& halt) const = 0;
  /// Shortest neighbourhood first.
  virtual std::span<const LocalSearchKind> local_searches() const { return {}; }
  /// The one that suits an instance; empty: none.
  virtual std::string_view default_local_search(const Instance&) const { return ""; }
  /// The local search of a name that validate() has accepted. The graph must outlive it.
  virtual std::unique_ptr<LocalSearch> local_search(const DecisionGraph& graph, const LocalSearchOptions& search,
                                                    const OptionValues& options) const;
  /// The iterated local search, or null. The graph must outlive it.
  virtual std::unique_ptr<KickSearch> kicks(const DecisionGraph& graph) const;
  virtual Effort effort(const Instance&) const { return {}; }
  /// The options of a search that has kicks alone: those that were given, and what suits the instance for others.
  virtual OptionValues options_without_steps(const Instance&, const OptionValues& given) const { return given; }
};

/// All problems, in the order in which help lists them.
std::span<const Problem* const> problems();
/// Their names.
std::vector<std::string_view> problem_names();
/// Throws OptionError naming the known ones.
const Problem& find_problem(std::string_view name);
/// A problem of the family, whichever comes first. Throws OptionError naming the known families.
const Problem& find_family(std::string_view family);
/// Whether models of a problem have an option.
bool has_model_option(const Problem& problem, std::string_view key);
/// Adds a problem, which must outlive all use of the library; not while another thread uses it. Throws OptionError when
/// its name is taken.
void register_problem(const Problem& problem);

}  // namespace moco
