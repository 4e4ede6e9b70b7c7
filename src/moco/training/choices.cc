// Names of the choices that training alone has.
#include <array>

#include "moco/training/config.h"

namespace moco {

namespace {

constexpr std::array kLosses = {Choice{LossKind::best, "best"}, Choice{LossKind::log, "log"},
                                Choice{LossKind::elite, "elite"}};
constexpr std::array kShapings = {Choice{Shaping::raw, "raw"}, Choice{Shaping::normalised, "normalised"},
                                  Choice{Shaping::rank, "rank"}, Choice{Shaping::sign, "sign"}};
constexpr std::array kOptimizers = {Choice{OptimizerKind::adam, "adam"}, Choice{OptimizerKind::adamw, "adamw"}};
constexpr std::array kSchedules = {Choice{RateSchedule::cosine, "cosine"}, Choice{RateSchedule::constant, "constant"}};
constexpr std::array kMixes = {Choice{SizeMix::step, "step"}, Choice{SizeMix::instance, "instance"}};

}  // namespace

template <>
std::span<const Choice<LossKind>> choices() {
  return kLosses;
}
template <>
std::span<const Choice<Shaping>> choices() {
  return kShapings;
}
template <>
std::span<const Choice<OptimizerKind>> choices() {
  return kOptimizers;
}
template <>
std::span<const Choice<RateSchedule>> choices() {
  return kSchedules;
}
template <>
std::span<const Choice<SizeMix>> choices() {
  return kMixes;
}

}  // namespace moco
