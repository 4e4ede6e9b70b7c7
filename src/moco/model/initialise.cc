// Models that come from no file: the Adam baseline and freshly initialised networks.
#include <cmath>

#include "moco/core/random.h"
#include "moco/model/parameters.h"

namespace moco {

namespace {

/// Standard normal cut at ±2 (Box–Muller with rejection), the usual start for linear layers.
double truncated_normal(RandomSequence& random) {
  for (;;) {
    const double u = 1.0 - random.next_double();
    const double v = random.next_double();
    const double x = std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
    if (std::abs(x) <= 2.0) {
      return x;
    }
  }
}

}  // namespace

Model adam_model(std::string_view family) {
  Model model;
  model.config.family = family;
  model.config.rule = UpdateRule::adam;
  validate(model.config);
  return model;
}

Model random_model(const ModelConfig& config, std::uint64_t seed) {
  Model model;
  model.config = config;
  const ParameterLayout layout(config);
  model.weights.assign(layout.size(), 0.0f);
  RandomSequence random(stream_key(seed, 0, 0), Purpose::weights);
  for (const TensorSpec& tensor : layout.tensors()) {
    float* values = model.weights.data() + tensor.offset;
    if (tensor.name.ends_with(".w")) {
      const double deviation = 1.0 / std::sqrt(static_cast<double>(tensor.rows));
      for (std::size_t i = 0; i < tensor.size(); ++i) {
        values[i] = static_cast<float>(deviation * truncated_normal(random));
      }
    } else if (tensor.name.ends_with(".scale")) {
      std::fill_n(values, tensor.size(), 1.0f);
    }
  }
  return model;
}

}  // namespace moco
