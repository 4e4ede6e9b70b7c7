// The parts of the Python module moco._core, one function per file, and what they share. The typed layer above it is
// python/moco; nothing in src/ knows of either.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "moco/instance.h"
#include "moco/model.h"
#include "moco/options.h"
#include "moco/solver.h"

namespace moco {
class ModelStore;
}

namespace moco::python {

namespace py = pybind11;

/// A model with the name that it was found by, which says how it was trained; empty for one made by hand.
struct NamedModel {
  std::string name;
  std::shared_ptr<const Model> model;
};

/// The model that is meant wherever one is named: a NamedModel, a name, a file, a baseline, or "auto" for the instances
/// and the local search.
NamedModel model_for(const py::object& model, const std::vector<InstancePtr>& instances,
                     const std::string& local_search);
/// The models of all folders as they are now.
std::shared_ptr<const ModelStore> model_store();
/// A model by name or file. Read once, unless the file changes.
NamedModel named_model(const std::string& text, std::string_view family);

/// A solver for some time: one that was used before and is free, or a new one. Several threads get one each.
class SolverLease {
 public:
  SolverLease(const NamedModel& model, EngineKind engine, int threads);
  ~SolverLease();
  SolverLease(const SolverLease&) = delete;
  SolverLease& operator=(const SolverLease&) = delete;

  Solver& solver() { return *solver_; }

 private:
  NamedModel model_;
  EngineKind engine_;
  int threads_;
  std::unique_ptr<Solver> solver_;
};
/// In a process that was forked: the threads of solvers that it was given do not exist.
void forget_solvers();

/// Values of declared options from a dictionary of numbers and words.
OptionValues option_values(const py::dict& values);

/// The local search that a word means for an instance: "auto", "none" or a name.
std::string local_search_named(const std::string& word, const Instance& instance);

void bind_errors(py::module_& module);
void bind_instances(py::module_& module);
void bind_files(py::module_& module);
void bind_models(py::module_& module);
void bind_solving(py::module_& module);
void bind_search(py::module_& module);
void bind_training(py::module_& module);
void bind_evaluation(py::module_& module);

}  // namespace moco::python
