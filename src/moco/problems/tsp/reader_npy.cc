// Reader of NumPy .npy files with coordinates: shape n×2 for one instance or B×n×2 for B instances.
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problems/readers.h"
#include "moco/problems/tsp/limits.h"
#include "moco/problems/tsp/npy_header.h"

namespace moco {

namespace {

template <typename Number, typename Bits>
double decode(const char* bytes, bool swap) {
  Bits bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  if (swap) {
    Bits swapped = 0;
    for (std::size_t i = 0; i < sizeof bits; ++i) {
      swapped = static_cast<Bits>((swapped << 8) | ((bits >> (8 * i)) & 0xFFu));
    }
    bits = swapped;
  }
  return static_cast<double>(std::bit_cast<Number>(bits));
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    text += fmt::format("{}{}", text.empty() ? "" : "×", extent);
  }
  return text;
}

}  // namespace

std::vector<InstancePtr> read_npy(const ReaderInput& input) {
  const NpyHeader header = parse_npy_header(input.content, input.file);
  const std::vector<std::int64_t>& shape = header.shape;
  if ((shape.size() != 2 && shape.size() != 3) || shape.back() != 2) {
    throw InputError(input.file, fmt::format("shape {} is neither n×2 nor B×n×2", shape_text(shape)));
  }
  const auto batch = static_cast<std::size_t>(shape.size() == 3 ? shape[0] : 1);
  const auto n = static_cast<std::size_t>(shape[shape.size() - 2]);
  const std::size_t pair_bytes = 2 * header.item_bytes;
  const std::size_t pairs = header.data.size() / pair_bytes;
  if (batch == 0 || n == 0) {
    throw InputError(input.file, fmt::format("shape {} has no cities", shape_text(shape)));
  }
  if (header.data.size() % pair_bytes != 0 || pairs / batch != n || pairs % batch != 0) {
    throw InputError(input.file,
                     fmt::format("shape {} does not fit the {} bytes of data", shape_text(shape), header.data.size()));
  }
  const bool swap = header.big_endian != (std::endian::native == std::endian::big);
  const auto item = [&](std::size_t b, std::size_t city, std::size_t axis) {
    const std::size_t position = header.fortran_order ? b + batch * (city + n * axis) : (b * n + city) * 2 + axis;
    const char* bytes = header.data.data() + position * header.item_bytes;
    const double value =
        header.item_bytes == 4 ? decode<float, std::uint32_t>(bytes, swap) : decode<double, std::uint64_t>(bytes, swap);
    if (!(std::abs(value) <= largest_coordinate)) {
      throw InputError(
          input.file, fmt::format("instance {}, city {}: coordinate {} is not finite or out of range", b, city, value));
    }
    return value;
  };
  std::vector<InstancePtr> instances;
  instances.reserve(batch);
  for (std::size_t b = 0; b < batch; ++b) {
    std::vector<Point> points(n);
    for (std::size_t city = 0; city < n; ++city) {
      points[city] = {item(b, city, 0), item(b, city, 1)};
    }
    instances.push_back(
        std::make_shared<TspInstance>(name_in_file(input.name, b, batch), std::move(points), Metric::euclidean));
  }
  return instances;
}

}  // namespace moco
