// A batch's constant data on the device: graphs, trajectory and chunk tables, tables of weights.
#pragma once

#include <memory>

#include "moco/engine/cuda/kit/constant_data.h"
#include "moco/engine/cuda/plan/batch_plan.h"
#include "moco/engine/cuda/weights/base_weights.h"

namespace moco::cuda {

class Constants {
 public:
  /// Uploads, and sets the batch's pointers to constant data; its other arrays have their places.
  Constants(const BatchSpec& spec, const BatchPlan& plan, const BaseWeights& bases, DeviceBatch& batch,
            DeviceContext& context);

  const WeightTables& weights() const { return weights_; }

 private:
  std::unique_ptr<DeviceBuffer> memory_;
  WeightTables weights_;
};

}  // namespace moco::cuda
