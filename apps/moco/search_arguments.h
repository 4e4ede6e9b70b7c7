// What the commands that search read from their arguments.
#pragma once

#include <span>
#include <string>

#include "command_line.h"
#include "moco/solver.h"
#include "moco/training/communicator.h"

namespace moco::cli {

struct ChosenModel {
  std::string name;  ///< as the results give it; never "auto"
  Model model;
  /// What to tell the user about a choice that was not theirs; empty when it was.
  std::string notice;
};

/// The model for the instances after --model and what is to be otherwise (--init, --rule, --learning-rate).
/// `distribution` is the kind of the generator that made the instances, or empty. Throws UsageError or OptionError.
ChosenModel choose_model(const Arguments& arguments, std::span<const InstancePtr> instances,
                         const std::string& distribution = "");

/// A solver on the engine and threads that the arguments ask for; the processes on a machine share its cores and take
/// its devices in turn.
Solver make_solver(const Arguments& arguments, Model model, const Communicator& communicator);

/// Loop variants and seed; K, b, M and when to stop are the caller's.
SolveOptions common_search_options(const Arguments& arguments, const ChosenModel& model,
                                   std::span<const InstancePtr> instances);

}  // namespace moco::cli
