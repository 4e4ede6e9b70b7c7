// What leaves the library is a moco::Error, however its public functions are misused.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "moco/error.h"
#include "moco/generate.h"
#include "moco/io.h"
#include "moco/local_search.h"
#include "moco/model.h"
#include "moco/problem.h"
#include "moco/solver.h"
#include "temporary_folder.h"

namespace moco {
namespace {

const double kNotANumber = std::numeric_limits<double>::quiet_NaN();

InstancePtr square() {
  return parse_instances("0 0 1 0 1 1 0 1\n", "square.txt").front();
}

std::shared_ptr<Instance> path_of_three(std::string name = "path") {
  GraphData graph{.nodes = 3, .edges = {{0, 1}, {1, 2}}};
  return find_problem("mis").make({.name = std::move(name), .content = graph});
}

SolveOptions short_search() {
  SolveOptions options;
  options.loop.steps = 1;
  options.loop.samples = 2;
  return options;
}

void search(const std::vector<InstancePtr>& instances, const Model& model,
            const std::function<void(SolveOptions&)>& change) {
  SolveOptions options = short_search();
  change(options);
  Solver(model, {.threads = 1}).solve(instances, options);
}

struct Misuse {
  std::string name;
  std::function<void(const TemporaryFolder&)> act;
};

std::vector<Misuse> misuses() {
  const auto tsp_search = [](std::function<void(SolveOptions&)> change) {
    return [change](const TemporaryFolder&) { search({square()}, adam_model("tsp"), change); };
  };
  return {
      {"no file", [](auto& folder) { read_instances(folder.path() / "none.tsp"); }},
      {"a folder as a file", [](auto& folder) { read_instances(folder.path()); }},
      {"a name with a zero byte", [](auto& folder) { read_instances(folder.path() / std::string("a\0b", 3)); }},
      {"an unknown problem", [](auto&) { parse_instances("0 0 1 1\n", "a.txt", {.problem = "sat"}); }},
      {"a problem of other data", [](auto&) { parse_instances("0 0 1 0 1 1 0 1\n", "a.txt", {.problem = "mis"}); }},
      {"points that are no numbers",
       [](auto&) {
         TspInstance("a", {{kNotANumber, 0.0}}, Metric::euc_2d);
       }},
      {"a matrix of minus one city", [](auto&) { TspInstance("a", -1, {}); }},
      {"a metric without points",
       [](auto&) {
         TspInstance("a", {{0.0, 0.0}}, Metric::matrix);
       }},
      {"minus one node", [](auto&) { GraphInstance(find_problem("mis"), "a", -1, {}); }},
      {"an edge to nowhere",
       [](auto&) {
         const std::vector<Edge> edges = {{0, 7}};
         GraphInstance(find_problem("mis"), "a", 2, edges);
       }},
      {"too few weights", [](auto&) { GraphInstance(find_problem("mis"), "a", 2, {}, {1.0}); }},
      {"points for a graph problem", [](auto&) { find_problem("mis").make({.content = PointData{}}); }},
      {"a graph for a tour", [](auto&) { find_problem("tsp").make({.content = GraphData{}}); }},
      {"two instances in a file for one",
       [](auto& folder) {
         const std::vector<InstancePtr> two = {square(), square()};
         write_instances(folder.path() / "a.tsp", two);
       }},
      {"no instances to write", [](auto& folder) { write_instances(folder.path() / "a.tsp", {}); }},
      {"a graph as a tour's file",
       [](auto& folder) {
         const std::vector<InstancePtr> one = {path_of_three()};
         write_instances(folder.path() / "a.tsp", one);
       }},
      {"no folder to write into",
       [](auto& folder) {
         const std::vector<InstancePtr> one = {square()};
         write_instances(folder.path() / "none" / "a.tsp", one);
       }},
      {"a reference beyond the graph",
       [](auto& folder) {
         const auto instance = path_of_three();
         instance->set_reference({{0, 17}});
         const std::vector<InstancePtr> one = {instance};
         write_instances(folder.path() / "a.txt", one, InstanceFormat::ml4co);
       }},
      {"a solution beyond the graph, by node",
       [](auto&) {
         const std::vector<SolvedInstance> solved = {{path_of_three(), {{0, 17}}}};
         format_solutions(solved, SolutionFormat::kamis);
       }},
      {"a solution of negative nodes",
       [](auto&) {
         const std::vector<SolvedInstance> solved = {{path_of_three(), {{-3}}}};
         format_solutions(solved, SolutionFormat::kamis);
       }},
      {"a set as a tour",
       [](auto&) {
         const std::vector<SolvedInstance> solved = {{path_of_three(), {{0, 2}}}};
         format_solutions(solved, SolutionFormat::tour);
       }},
      {"solutions of no instance", [](auto&) { parse_solutions("0\n1\n", "a.txt", {}); }},
      {"improving what is no tour",
       [](auto&) {
         improve(square(), {{0, 1, 1, 7}}, {.name = "2opt"});
       }},
      {"an unknown local search",
       [](auto&) {
         improve(square(), {{0, 1, 2, 3}}, {.name = "swap12"});
       }},
      {"a model of negative size", [](auto&) { random_model({.hidden = -3}, 1); }},
      {"a model of no family", [](auto&) { random_model({.family = "sat"}, 1); }},
      {"adam of no family", [](auto&) { search({square()}, adam_model("sat"), [](SolveOptions&) {}); }},
      {"metadata that are no text",
       [](auto& folder) {
         Model model = random_model({.hidden = 8, .blocks = 1}, 1);
         model.metadata["licence"] = "\xff\xfe";
         save_model(folder.path() / "a.safetensors", model);
       }},
      {"weights missing in a file",
       [](auto& folder) {
         Model model = random_model({.hidden = 8, .blocks = 1}, 1);
         model.weights.pop_back();
         save_model(folder.path() / "a.safetensors", model);
       }},
      {"no checkpoint", [](auto&) { parse_model("{}", "a.safetensors"); }},
      {"a model of another family", [](auto&) { search({square()}, adam_model("mis"), [](SolveOptions&) {}); }},
      {"two problems at once",
       [](auto&) {
         search({square(), path_of_three()}, adam_model("tsp"), [](SolveOptions&) {});
       }},
      {"negative steps", tsp_search([](SolveOptions& options) { options.loop.steps = -1; })},
      {"no samples", tsp_search([](SolveOptions& options) { options.loop.samples = 0; })},
      {"no restarts", tsp_search([](SolveOptions& options) { options.loop.restarts = 0; })},
      {"an unknown polish", tsp_search([](SolveOptions& options) { options.polish = "magic"; })},
      {"an option of another problem",
       tsp_search([](SolveOptions& options) { options.loop.problem.set("plateau_steps", 3.0); })},
      {"a word for a number",
       tsp_search([](SolveOptions& options) { options.loop.problem.set("neighbours", "many"); })},
      {"a number for a word", tsp_search([](SolveOptions& options) { options.loop.problem.set("dead_end", 3.0); })},
      {"a warm start of another size", tsp_search([](SolveOptions& options) {
         options.warm_start = {{{0, 1}}};
       })},
      {"an unknown generator", [](auto&) { generate({.kind = "none"}); }},
      {"an unknown problem to generate", [](auto&) { generate({.problem = "sat"}); }},
      {"a generator of no nodes", [](auto&) { generate({.nodes = -1}); }},
      {"an unknown option of a generator",
       [](auto&) {
         GeneratorOptions options;
         options.own.set("variables", 3.0);
         generate(options);
       }},
      {"an unknown format", [](auto&) { instance_format_from("xml"); }},
      {"an unknown solution format", [](auto&) { solution_format_from("xml"); }},
      {"a problem of a name that is taken", [](auto&) { register_problem(find_problem("tsp")); }},
      {"an unknown family", [](auto&) { find_family("sat"); }},
  };
}

TEST(Errors, EveryMisuseIsAnErrorOfTheLibrary) {
  for (const Misuse& misuse : misuses()) {
    const TemporaryFolder folder;
    try {
      misuse.act(folder);
      ADD_FAILURE() << misuse.name << " was accepted";
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_FALSE(message.empty()) << misuse.name;
      EXPECT_EQ(message.find('\n'), std::string::npos) << misuse.name << ": " << message;
    } catch (const std::exception& error) {
      ADD_FAILURE() << misuse.name << " is no moco::Error but " << typeid(error).name() << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace moco
