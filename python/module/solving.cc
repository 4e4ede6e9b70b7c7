// The search: from keyword arguments to options, to results as dictionaries. The only file that calls the solver.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "arrays.h"
#include "interrupt.h"
#include "keywords.h"
#include "moco/error.h"
#include "moco/problem.h"
#include "moco/search/effort.h"
#include "moco/solve.h"
#include "module.h"

namespace moco::python {

namespace {

/// Whether an option of the problem says how to construct or to improve samples.
bool concerns_steps(const OptionValues& own, const Problem& problem) {
  return std::ranges::any_of(problem.options(), [&](const OptionDeclaration& option) {
    return option.use != OptionUse::graph && option.use != OptionUse::start && own.has(option.key);
  });
}

/// What keywords want of a model otherwise: "init", "rule" and the numbers of rules.
ModelChanges model_changes(const Keywords& keywords) {
  ModelChanges changes;
  if (keywords.given("init")) {
    changes.init = choice_named<Initialisation>("init", keywords.get<std::string>("init", ""));
  }
  if (keywords.given("rule")) {
    changes.rule = choice_named<UpdateRule>("rule", keywords.get<std::string>("rule", ""));
  }
  for (const RuleParameter& parameter : rule_parameters()) {
    changes.*parameter.change = keywords.optional<double>(std::string(parameter.key).c_str());
  }
  return changes;
}

EffortRequest effort_request(const Keywords& keywords, const OptionValues& own, const Problem& problem) {
  constexpr std::array kOfSteps = {"samples",      "restarts",   "episode_steps", "budget_steps",   "rebuild",
                                   "gradient",     "elite",      "model",         "init",           "rule",
                                   "local_search", "move_limit", "advantage",     "no_improvement", "polish"};
  EffortRequest request;
  request.steps = keywords.optional<int>("steps");
  request.kicks = keywords.optional<std::int64_t>("kicks");
  request.plain = keywords.get<std::string>("local_search", "auto") == "none";
  request.timed = keywords.given("time_limit");
  request.wants_steps = std::ranges::any_of(kOfSteps, [&](const char* name) { return keywords.given(name); }) ||
                        model_changes(keywords) != ModelChanges() || concerns_steps(own, problem);
  request.own = own;
  return request;
}

struct Plan {
  NamedModel model;
  SolveOptions options;
  EngineKind engine = EngineKind::automatic;
  int threads = 0;
};

NamedModel with_changes(NamedModel named, const Keywords& keywords) {
  if (const ModelChanges changes = model_changes(keywords); changes != ModelChanges()) {
    named.model = std::make_shared<const Model>(changed_model(*named.model, changes));
  }
  return named;
}

double target_cost(const Keywords& keywords, const Instance& instance) {
  const double target = keywords.get("target", 0.0);
  const Objective objective = instance.problem().objective(instance);
  if (objective.maximise && target < 0.0) {
    throw OptionError(fmt::format("the target is the {} of the set for {}: it is not negative", objective.word,
                                  instance.problem().name()));
  }
  return objective.cost(target);
}

Plan plan_for(const std::vector<InstancePtr>& instances, const Keywords& keywords) {
  const Instance& first = *instances.front();
  const OptionValues own = option_values(keywords.get("options", py::dict()));
  const EffortRequest effort = effort_request(keywords, own, first.problem());
  Plan plan;
  SolveOptions& options = plan.options;
  const std::string local_search = local_search_named(keywords.get<std::string>("local_search", "auto"), first);
  const py::object model = keywords.given("model") ? keywords.object("model") : py::str("auto");
  plan.model = steps_for(effort, first) > 0 ? with_changes(model_for(model, instances, local_search), keywords)
                                            : NamedModel{"none", named_model("adam", first.problem().family()).model};
  set_loop(options.loop, keywords, *plan.model.model, instances, "auto");
  set_effort(options, effort, first);
  options.polish = keywords.get<std::string>("polish", "");
  options.seed = keywords.get<std::uint64_t>("seed", 1);
  plan.engine = choice_named<EngineKind>("device", keywords.get<std::string>("device", "auto"));
  plan.threads = keywords.get("threads", 0);
  options.batch = keywords.get("batch", 0);
  options.time_limit = keywords.get("time_limit", options.time_limit);
  if (keywords.given("target")) {
    options.target = target_cost(keywords, first);
  }
  options.no_improvement = keywords.get("no_improvement", 0);
  if (keywords.given("initial")) {
    for (const auto& solution : keywords.object("initial").cast<std::vector<Array<Index>>>()) {
      options.warm_start.push_back(solution_of(solution));
    }
  }
  options.keep_heatmap = keywords.get("heatmap", false);
  return plan;
}

/// The course of a search: each of its first steps, then what is better than before or some time later.
class Trace {
 public:
  void add(const Progress& progress) {
    const bool better = rows_ == 0 || progress.best < best_;
    const bool early = progress.phase == SolvePhase::search && rows_ < kMostSteps;
    if (!better && !early && progress.seconds < seconds_.back() + kQuiet) {
      return;
    }
    ++rows_;
    best_ = progress.best;
    steps_.push_back(progress.step);
    kicking_.push_back(progress.phase == SolvePhase::kicks);
    bests_.push_back(progress.best);
    means_.push_back(progress.mean);
    entropies_.push_back(progress.entropy);
    seconds_.push_back(progress.seconds);
  }

  py::dict arrays() {
    py::dict columns;
    columns["step"] = array_of(std::move(steps_));
    columns["kicking"] = array_of(std::move(kicking_));
    columns["best"] = array_of(std::move(bests_));
    columns["mean"] = array_of(std::move(means_));
    columns["entropy"] = array_of(std::move(entropies_));
    columns["seconds"] = array_of(std::move(seconds_));
    return columns;
  }

 private:
  static constexpr std::size_t kMostSteps = 10'000;
  static constexpr double kQuiet = 0.1;  // seconds

  std::size_t rows_ = 0;
  double best_ = 0.0;
  std::vector<std::int32_t> steps_;
  std::vector<std::uint8_t> kicking_;
  std::vector<double> bests_;
  std::vector<double> means_;
  std::vector<double> entropies_;
  std::vector<double> seconds_;
};

py::dict progress_dict(const Progress& progress) {
  py::dict dict;
  dict["instance"] = progress.instance;
  dict["phase"] = progress.phase == SolvePhase::kicks ? "kicks" : "search";
  dict["step"] = progress.step;
  dict["steps"] = progress.steps;
  dict["spent"] = progress.spent;
  dict["cost"] = progress.best;
  dict["mean"] = progress.mean;
  dict["entropy"] = progress.entropy;
  dict["seconds"] = progress.seconds;
  return dict;
}

py::dict result_dict(SolveResult&& result, Trace&& trace, const Plan& plan) {
  py::dict dict;
  dict["solution"] = array_of(std::move(result.solution.items));
  dict["cost"] = result.cost;
  dict["feasible"] = result.feasible;
  dict["unpolished_cost"] = result.unpolished_cost;
  dict["steps"] = result.steps;
  dict["kicks"] = result.kicks;
  dict["seconds"] = result.seconds;
  dict["stop"] = std::string(name_of(result.stop));
  dict["engine"] = result.engine;
  dict["side_by_side"] = result.side_by_side;
  dict["model"] = plan.model.name;
  dict["seed"] = plan.options.seed;
  dict["restarts"] = plan.options.loop.restarts;
  dict["samples"] = plan.options.loop.samples;
  dict["local_search"] = plan.options.loop.local_search.name;
  dict["trace"] = trace.arrays();
  dict["heatmap"] = py::none();
  if (result.heatmap) {
    dict["heatmap"] = py::make_tuple(array_of(std::move(result.heatmap->from)), array_of(std::move(result.heatmap->to)),
                                     array_of(std::move(result.heatmap->probability)));
  }
  return dict;
}

/// The caller's functions, called with the lock and no more often than they need to be. Options are copied inside the
/// library without the lock: they only get to see the address of this.
class Callbacks {
 public:
  Callbacks(const Keywords& keywords, Interrupt& interrupt, std::size_t instances)
      : on_progress_(keywords.object("on_progress")),
        stop_when_(keywords.object("stop_when")),
        on_incumbent_(keywords.object("on_incumbent")),
        interval_(keywords.get("progress_interval", 0.1)),
        interrupt_(interrupt),
        traces_(instances) {}
  Callbacks(const Callbacks&) = delete;
  Callbacks& operator=(const Callbacks&) = delete;

  void attach(SolveOptions& options) {
    options.progress = [this](const Progress& progress) { tell(progress); };
    options.interrupted = [this] { return interrupt_.wanted(); };
    if (!on_incumbent_.is_none()) {
      options.improved = [this](const Incumbent& incumbent) { tell(incumbent); };
    }
  }

  Trace& trace(std::size_t instance) { return traces_[instance]; }

 private:
  using Clock = std::chrono::steady_clock;

  void tell(const Progress& progress) {
    traces_[progress.instance].add(progress);
    const bool due = !on_progress_.is_none() && Clock::now() >= next_;
    if (!due && stop_when_.is_none()) {
      return;
    }
    interrupt_.call([&] {
      const py::dict dict = progress_dict(progress);
      if (due) {
        on_progress_(dict);
        next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(interval_);
      }
      if (!stop_when_.is_none() && py::bool_(stop_when_(dict))) {
        interrupt_.stop();
      }
    });
  }

  void tell(const Incumbent& incumbent) {
    interrupt_.call([&] {
      on_incumbent_(incumbent.instance, array_of(incumbent.solution.items), incumbent.cost, incumbent.seconds);
    });
  }

  py::object on_progress_;
  py::object stop_when_;
  py::object on_incumbent_;
  std::chrono::duration<double> interval_;
  Clock::time_point next_ = {};
  Interrupt& interrupt_;
  std::vector<Trace> traces_;
};

py::list solve_all(const std::vector<std::shared_ptr<Instance>>& given, const py::dict& values, const Cancel& cancel) {
  const std::vector<InstancePtr> instances(given.begin(), given.end());
  const Keywords keywords(values);
  Plan plan = plan_for(instances, keywords);
  Interrupt interrupt(cancel);
  Callbacks callbacks(keywords, interrupt, instances.size());
  callbacks.attach(plan.options);
  std::vector<SolveResult> results;
  {
    const py::gil_scoped_release unlocked;
    SolverLease lease(plan.model, plan.engine, plan.threads);
    results = lease.solver().solve(instances, plan.options);
  }
  interrupt.rethrow();
  py::list all;
  for (std::size_t i = 0; i < results.size(); ++i) {
    all.append(result_dict(std::move(results[i]), std::move(callbacks.trace(i)), plan));
  }
  return all;
}

}  // namespace

void bind_solving(py::module_& module) {
  py::class_<std::atomic<bool>, Cancel>(module, "Cancel")
      .def(py::init([] { return std::make_shared<std::atomic<bool>>(false); }))
      .def("set", [](std::atomic<bool>& wish) { wish = true; })
      .def("is_set", [](const std::atomic<bool>& wish) { return wish.load(); });
  module.def("solve", &solve_all, py::arg("instances"), py::arg("keywords"), py::arg("cancel") = py::none());
}

}  // namespace moco::python
