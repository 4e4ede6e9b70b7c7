// Nothing is launched for a batch without trajectories.
#include "moco/engine/cuda/host/step_runner.h"

#include "moco/engine/cuda/step/step_kernels.h"

namespace moco::cuda {

StepRunner::StepRunner(const BatchPlan& plan, const DeviceBatch& batch, bool track_entropy, DeviceContext& context)
    : step_(plan.step()), batch_(batch), track_entropy_(track_entropy), context_(context), queue_(context.stream()) {}

void StepRunner::run_begin() {
  sampled_ = false;
  if (batch_.trajectories > 0) {
    const DeviceScope scope(context_.device());
    step_.begin(batch_, queue_);
  }
}

void StepRunner::run_take_over() {
  if (batch_.trajectories > 0) {
    const DeviceScope scope(context_.device());
    step_.take_over(batch_, queue_);
  }
}

void StepRunner::forget() {
  for (Phase* phase : {&sample_phase_, &update_phase_, &step_phase_, &steps_phase_}) {
    phase->graph.clear();
    phase->runs = 0;
  }
}

void StepRunner::run_sample() {
  sampled_ = true;
  run(sample_phase_, [&] { enqueue_sample(SamplesOf::all); });
}

void StepRunner::run_update() {
  run(update_phase_, [&] { enqueue_update(); });
}

void StepRunner::run_step() {
  if (!sampled_) {
    run_update();
    run_sample();
    return;
  }
  run(step_phase_, [&] { enqueue_steps(1); });
}

void StepRunner::run_steps() {
  if (!sampled_) {
    for (int i = 0; i < step_.steps_together(); ++i) {
      run_step();
    }
    return;
  }
  run(steps_phase_, [&] { enqueue_steps(step_.steps_together()); });
}

KernelTimes StepRunner::profile() {
  const DeviceScope scope(context_.device());
  KernelTimes times;
  queue_.record_times(&times);
  enqueue_steps(1);
  queue_.record_times(nullptr);
  return times;
}

void StepRunner::enqueue_sample(SamplesOf which) {
  if (track_entropy_) {
    queue_.run("entropy", [&](cudaStream_t stream) { entropy(batch_, stream); });
  }
  step_.sample(batch_, which, queue_);
}

void StepRunner::enqueue_update() {
  step_.update(batch_, queue_);
}

void StepRunner::enqueue_steps(int count) {
  for (int i = 0; i < count; ++i) {
    enqueue_update();
    enqueue_sample(SamplesOf::begun);
  }
}

void StepRunner::run(Phase& phase, const std::function<void()>& enqueue) {
  if (batch_.trajectories == 0) {
    return;
  }
  const DeviceScope scope(context_.device());
  if (++phase.runs <= phase.before_capture) {
    enqueue();
    return;
  }
  if (phase.graph.empty()) {
    phase.graph.capture(context_.stream(), enqueue);
  }
  phase.graph.launch(context_.stream());
}

}  // namespace moco::cuda
