// What problems need not say themselves.
#include "moco/problem.h"

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/policy/kicks.h"
#include "moco/policy/local_search.h"
#include "moco/policy/partial_construction.h"

namespace moco {

CheckResult Instance::check(const Solution& solution) const {
  return problem_->check(*this, solution);
}

std::unique_ptr<LocalSearch> Problem::local_search(const DecisionGraph&, const LocalSearchOptions& search,
                                                   const OptionValues&) const {
  throw OptionError(fmt::format("there is no local search '{}' for {}", search.name, name()));
}

std::unique_ptr<PartialConstruction> Problem::partial_construction(const DecisionGraph&, int) const {
  return nullptr;
}

std::unique_ptr<KickSearch> Problem::kicks(const DecisionGraph&) const {
  return nullptr;
}

}  // namespace moco
