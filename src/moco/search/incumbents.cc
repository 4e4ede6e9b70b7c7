// A solution is taken when the last one was told long enough ago: to take one costs n.
#include "moco/search/incumbents.h"

#include <algorithm>
#include <limits>

namespace moco {

namespace {

constexpr double kTellEvery = 0.1;  // seconds

}  // namespace

Incumbents::Incumbents(const SolveOptions& options, std::span<const InstancePtr> instances, std::size_t first,
                       const Halt& halt)
    : options_(options),
      instances_(instances),
      first_(first),
      halt_(halt),
      best_(instances.size(), std::numeric_limits<double>::infinity()),
      told_(best_),
      told_at_(instances.size(), -std::numeric_limits<double>::infinity()) {}

void Incumbents::offer(std::size_t instance, double cost, const std::function<Solution()>& solution) {
  if (!options_.improved) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  if (cost >= best_[instance] || halt_.elapsed() < told_at_[instance] + kTellEvery) {
    return;
  }
  Offer offer{instance, solution(), 0.0};
  const CheckResult check = instances_[instance]->check(offer.solution);
  if (check.feasible && check.cost < best_[instance]) {
    offer.cost = check.cost;
    offer_ = std::move(offer);
  }
  best_[instance] =
      std::min(cost, check.feasible ? check.cost : cost);  // what is not better by the checker is not asked for again
}

void Incumbents::tell() {
  if (!options_.improved || std::this_thread::get_id() != caller_) {
    return;
  }
  std::optional<Offer> offer;
  {
    const std::scoped_lock lock(mutex_);
    offer.swap(offer_);
    if (offer) {
      told_at_[offer->instance] = halt_.elapsed();
    }
  }
  if (offer) {
    tell(offer->instance, offer->solution, offer->cost);
  }
}

void Incumbents::finish(std::size_t instance, const Solution& result, double cost) {
  offer_.reset();
  if (options_.improved) {
    tell(instance, result, cost);
  }
}

void Incumbents::tell(std::size_t instance, const Solution& solution, double cost) {
  if (cost < told_[instance]) {
    told_[instance] = cost;
    options_.improved({first_ + instance, solution, cost, halt_.elapsed()});
  }
}

}  // namespace moco
