// The choices that models, searches and runs are made of, and their names: the same on the command line, in training
// configurations, in checkpoints and in JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace moco {

/// Where θ begins: at what GNN_init makes of the instance, at the problem's heuristic (−d for tours, by degrees and
/// weights for sets), at the logarithm of what ants go by (1/d for tours; sets have their heuristic), or with all
/// choices alike.
enum class Initialisation { learned, heuristic, visibility, uniform };
/// How θ gets its next value: by a learned network on the graph, by a learned one that sees each variable alone, by
/// Adam on the policy gradient, or by pheromones: of an elitist ant system, or between bounds (max–min).
enum class UpdateRule { gnn, mlp, adam, ant_system, max_min };
constexpr bool has_pheromones(UpdateRule rule) {
  return rule == UpdateRule::ant_system || rule == UpdateRule::max_min;
}
/// GCN as printed in the paper, or as the authors' program computes it (docs/method.md has both formulas).
enum class GcnVariant { paper, authors };
/// How node and edge states enter the global update.
enum class GlobalPooling { sum, mean, max };
/// What the network emits: the next θ itself (the paper), a step from the present one, or a step from the first
/// (docs/method.md §4).
enum class ThetaUpdate { absolute, residual, anchored };
/// Edges that the network is told to be part of a good tour: as the tour passes them (the paper), or in both directions
/// where both are as long.
enum class Membership { directed, undirected };
/// The 32 best solutions: all that were sampled, of equal ones the older first (the paper); no solution twice; or no
/// solution twice and of equally good ones the newer first, so that the best one moves on where many are equally good.
enum class EliteRule { paper, distinct, newest };
/// Policy gradient: whole-solution advantage (`total`) or reward-to-go (`causal`).
enum class GradientKind { total, causal };
/// Costs that the policy gradient sees under local search: of what was sampled, or of what it was improved to.
enum class AdvantageKind { sampled, improved };
enum class EngineKind { automatic, cpu, cuda, check };
/// Why a search ended.
enum class StopReason { steps, kicks, time_limit, target, no_improvement, signal };

template <typename Enum>
struct Choice {
  Enum value;
  std::string_view name;
};
template <typename Enum>
Choice(Enum, std::string_view) -> Choice<Enum>;

/// The values of an enumeration with their names, in the order of help.
template <typename Enum>
std::span<const Choice<Enum>> choices();
template <>
std::span<const Choice<Initialisation>> choices();
template <>
std::span<const Choice<UpdateRule>> choices();
template <>
std::span<const Choice<GcnVariant>> choices();
template <>
std::span<const Choice<GlobalPooling>> choices();
template <>
std::span<const Choice<ThetaUpdate>> choices();
template <>
std::span<const Choice<Membership>> choices();
template <>
std::span<const Choice<EliteRule>> choices();
template <>
std::span<const Choice<GradientKind>> choices();
template <>
std::span<const Choice<AdvantageKind>> choices();
template <>
std::span<const Choice<EngineKind>> choices();
template <>
std::span<const Choice<StopReason>> choices();

/// Throws OptionError "WHAT 'NAME' is not one of A, B".
[[noreturn]] void refuse_choice(std::string_view what, std::string_view name,
                                const std::vector<std::string_view>& names);

template <typename Enum>
std::vector<std::string_view> choice_names() {
  std::vector<std::string_view> names;
  for (const Choice<Enum>& choice : choices<Enum>()) {
    names.push_back(choice.name);
  }
  return names;
}

template <typename Enum>
std::string_view name_of(Enum value) {
  for (const Choice<Enum>& choice : choices<Enum>()) {
    if (choice.value == value) {
      return choice.name;
    }
  }
  return {};
}

/// The value of a name; `what` stands for the choice in the OptionError about one that there is not.
template <typename Enum>
Enum choice_named(std::string_view what, std::string_view name) {
  for (const Choice<Enum>& choice : choices<Enum>()) {
    if (choice.name == name) {
      return choice.value;
    }
  }
  refuse_choice(what, name, choice_names<Enum>());
}

}  // namespace moco
