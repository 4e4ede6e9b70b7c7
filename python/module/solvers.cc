// Solvers that wait for their next use, so that a call need not begin by starting threads.
#include <list>
#include <mutex>

#include "module.h"

namespace moco::python {

namespace {

constexpr std::size_t kMostIdle = 8;

struct IdleSolver {
  std::shared_ptr<const Model> model;
  EngineKind engine;
  int threads;
  std::unique_ptr<Solver> solver;
};

struct IdleSolvers {
  std::mutex mutex;
  std::list<IdleSolver> all;  ///< last used first
};

/// Never destroyed: threads that end with the process are nobody's to wait for.
IdleSolvers* idle_solvers = new IdleSolvers;

}  // namespace

SolverLease::SolverLease(const NamedModel& model, EngineKind engine, int threads)
    : model_(model), engine_(engine), threads_(threads) {
  {
    const std::scoped_lock lock(idle_solvers->mutex);
    for (auto idle = idle_solvers->all.begin(); idle != idle_solvers->all.end(); ++idle) {
      if (idle->model == model.model && idle->engine == engine && idle->threads == threads) {
        solver_ = std::move(idle->solver);
        idle_solvers->all.erase(idle);
        return;
      }
    }
  }
  solver_ = std::make_unique<Solver>(*model.model, SolverOptions{.engine = engine, .threads = threads});
}

SolverLease::~SolverLease() {
  std::list<IdleSolver> unwanted;  // destroyed after the lock is gone
  const std::scoped_lock lock(idle_solvers->mutex);
  idle_solvers->all.push_front({model_.model, engine_, threads_, std::move(solver_)});
  if (idle_solvers->all.size() > kMostIdle) {
    unwanted.splice(unwanted.begin(), idle_solvers->all, std::prev(idle_solvers->all.end()));
  }
}

void forget_solvers() {
  idle_solvers = new IdleSolvers;  // the old ones cannot even be destroyed: that would wait for their threads
}

}  // namespace moco::python
