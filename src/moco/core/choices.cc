// Names as they stand in options, configurations, checkpoints and JSON: changing one breaks files.
#include "moco/choices.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/error.h"

namespace moco {

namespace {

constexpr std::array kInitialisations = {
    Choice{Initialisation::learned, "learned"}, Choice{Initialisation::heuristic, "heuristic"},
    Choice{Initialisation::visibility, "visibility"}, Choice{Initialisation::uniform, "uniform"}};
constexpr std::array kUpdateRules = {Choice{UpdateRule::gnn, "gnn"}, Choice{UpdateRule::mlp, "mlp"},
                                     Choice{UpdateRule::adam, "adam"}, Choice{UpdateRule::ant_system, "ant-system"},
                                     Choice{UpdateRule::max_min, "max-min"}};
constexpr std::array kGcnVariants = {Choice{GcnVariant::paper, "paper"}, Choice{GcnVariant::authors, "authors"}};
constexpr std::array kGlobalPoolings = {Choice{GlobalPooling::sum, "sum"}, Choice{GlobalPooling::mean, "mean"},
                                        Choice{GlobalPooling::max, "max"}};
constexpr std::array kThetaUpdates = {Choice{ThetaUpdate::absolute, "absolute"},
                                      Choice{ThetaUpdate::residual, "residual"},
                                      Choice{ThetaUpdate::anchored, "anchored"}};
constexpr std::array kMemberships = {Choice{Membership::directed, "directed"},
                                     Choice{Membership::undirected, "undirected"}};
constexpr std::array kEliteRules = {Choice{EliteRule::paper, "paper"}, Choice{EliteRule::distinct, "distinct"},
                                    Choice{EliteRule::newest, "newest"}};
constexpr std::array kGradients = {Choice{GradientKind::total, "total"}, Choice{GradientKind::causal, "causal"}};
constexpr std::array kAdvantages = {Choice{AdvantageKind::sampled, "sampled"},
                                    Choice{AdvantageKind::improved, "improved"}};
constexpr std::array kEngines = {Choice{EngineKind::automatic, "auto"}, Choice{EngineKind::cpu, "cpu"},
                                 Choice{EngineKind::cuda, "cuda"}, Choice{EngineKind::check, "check"}};
constexpr std::array kStopReasons = {
    Choice{StopReason::steps, "steps"},           Choice{StopReason::kicks, "kicks"},
    Choice{StopReason::time_limit, "time-limit"}, Choice{StopReason::target, "target"},
    Choice{StopReason::signal, "signal"},         Choice{StopReason::no_improvement, "no-improvement"}};

}  // namespace

template <>
std::span<const Choice<Initialisation>> choices() {
  return kInitialisations;
}
template <>
std::span<const Choice<UpdateRule>> choices() {
  return kUpdateRules;
}
template <>
std::span<const Choice<GcnVariant>> choices() {
  return kGcnVariants;
}
template <>
std::span<const Choice<GlobalPooling>> choices() {
  return kGlobalPoolings;
}
template <>
std::span<const Choice<ThetaUpdate>> choices() {
  return kThetaUpdates;
}
template <>
std::span<const Choice<Membership>> choices() {
  return kMemberships;
}
template <>
std::span<const Choice<EliteRule>> choices() {
  return kEliteRules;
}
template <>
std::span<const Choice<GradientKind>> choices() {
  return kGradients;
}
template <>
std::span<const Choice<AdvantageKind>> choices() {
  return kAdvantages;
}
template <>
std::span<const Choice<EngineKind>> choices() {
  return kEngines;
}
template <>
std::span<const Choice<StopReason>> choices() {
  return kStopReasons;
}

void refuse_choice(std::string_view what, std::string_view name, const std::vector<std::string_view>& names) {
  throw OptionError(fmt::format("{} '{}' is not one of {}", what, name, fmt::join(names, ", ")));
}

}  // namespace moco
