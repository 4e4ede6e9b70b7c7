// Reader of NumPy .npy files: coordinates n×2, matrices n×n, or batches of either; where a graph is wanted also a list
// of edges m×2.
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/limits.h"
#include "moco/formats/npy_header.h"
#include "moco/formats/numbered_nodes.h"
#include "moco/formats/readers.h"

namespace moco {

namespace {

template <typename Bits>
Bits load(const char* bytes, bool swap) {
  Bits bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  if (swap) {
    Bits swapped = 0;
    for (std::size_t i = 0; i < sizeof bits; ++i) {
      swapped = static_cast<Bits>(swapped | ((bits >> (8 * i)) & 0xFFu) << (8 * (sizeof bits - 1 - i)));
    }
    bits = swapped;
  }
  return bits;
}

/// A number of half precision: sign, five bits of exponent, ten of fraction.
double from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  const double sign = (bits & 0x8000u) != 0 ? -1.0 : 1.0;
  if (exponent == 0x1F) {
    return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  }
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

template <typename Bits, typename Signed>
double whole(Bits bits, bool with_sign) {
  return with_sign ? static_cast<double>(std::bit_cast<Signed>(bits)) : static_cast<double>(bits);
}

double decode(const NpyHeader& header, std::size_t position) {
  const char* bytes = header.data.data() + position * header.item_bytes;
  const bool swap = header.big_endian != (std::endian::native == std::endian::big);
  const bool real = header.kind == NpyHeader::Kind::real;
  const bool with_sign = header.kind == NpyHeader::Kind::integer;
  switch (header.item_bytes) {
    case 1:
      return whole<std::uint8_t, std::int8_t>(load<std::uint8_t>(bytes, swap), with_sign);
    case 2: {
      const auto bits = load<std::uint16_t>(bytes, swap);
      return real ? from_half(bits) : whole<std::uint16_t, std::int16_t>(bits, with_sign);
    }
    case 4: {
      const auto bits = load<std::uint32_t>(bytes, swap);
      return real ? static_cast<double>(std::bit_cast<float>(bits))
                  : whole<std::uint32_t, std::int32_t>(bits, with_sign);
    }
    default: {
      const auto bits = load<std::uint64_t>(bytes, swap);
      return real ? std::bit_cast<double>(bits) : whole<std::uint64_t, std::int64_t>(bits, with_sign);
    }
  }
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    text += fmt::format("{}{}", text.empty() ? "" : "×", extent);
  }
  return text;
}

/// An array of one or more tables of `rows` rows and `columns` columns.
class Tables {
 public:
  Tables(const ReaderInput& input, const NpyHeader& header) : input_(input), header_(header) {
    const std::vector<std::int64_t>& shape = header.shape;
    const bool tables = shape.size() == 2 || shape.size() == 3;
    const std::int64_t rows = tables ? shape[shape.size() - 2] : 0;
    const std::int64_t columns = tables ? shape.back() : 0;
    if (!tables || (columns != 2 && columns != rows)) {
      fail(fmt::format("shape {} is neither n×2 nor n×n, nor a batch of such", shape_text(shape)));
    }
    batch_ = static_cast<std::size_t>(shape.size() == 3 ? shape[0] : 1);
    rows_ = static_cast<std::size_t>(rows);
    columns_ = static_cast<std::size_t>(columns);
    if (batch_ == 0 || rows_ == 0) {
      fail(fmt::format("shape {} has no cities", shape_text(shape)));
    }
    const std::size_t row_bytes = columns_ * header.item_bytes;  // a dimension is below 2^63, so that this may wrap
    const std::size_t all = header.data.size() / header.item_bytes;
    if (header.data.size() % header.item_bytes != 0 || columns_ > all || header.data.size() % row_bytes != 0 ||
        all / columns_ / batch_ != rows_ || all / columns_ % batch_ != 0) {
      fail(fmt::format("shape {} does not fit the {} bytes of data", shape_text(shape), header.data.size()));
    }
  }

  std::size_t batch() const { return batch_; }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  double at(std::size_t table, std::size_t row, std::size_t column) const {
    const std::size_t position =
        header_.fortran_order ? table + batch_ * (row + rows_ * column) : (table * rows_ + row) * columns_ + column;
    const double value = decode(header_, position);
    if (!(std::abs(value) <= largest_coordinate)) {
      fail(fmt::format("instance {}, city {}: {} {} is not finite or out of range", table, row,
                       columns_ == 2 ? "coordinate" : "distance", value));
    }
    return value;
  }

  [[noreturn]] void fail(std::string_view what) const { throw InputError(input_.file, what); }

 private:
  const ReaderInput& input_;
  const NpyHeader& header_;
  std::size_t batch_ = 0;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

/// The rows of a table as pairs of whole numbers; nothing when they are none.
std::optional<std::vector<IntegerPair>> pairs_of(const Tables& tables, std::size_t table) {
  std::vector<IntegerPair> pairs;
  for (std::size_t row = 0; row < tables.rows(); ++row) {
    const double u = tables.at(table, row, 0);
    const double v = tables.at(table, row, 1);
    for (const double end : {u, v}) {
      if (!(end >= 0.0 && end <= 0x1p53) || end != std::floor(end)) {
        return std::nullopt;
      }
    }
    pairs.emplace_back(static_cast<std::int64_t>(u), static_cast<std::int64_t>(v));
  }
  return pairs;
}

std::vector<InstanceData> read_edges(const ReaderInput& input, const Tables& tables, std::size_t table) {
  const auto pairs = pairs_of(tables, table);
  if (!pairs) {
    tables.fail("an array of edges holds whole numbers, none of them negative");
  }
  return finish_numbered(input, distinct_numbers(*pairs), *pairs, {});
}

std::vector<InstanceData> read_points(const ReaderInput& input, const Tables& tables, std::size_t table) {
  PointData data;
  data.points.resize(tables.rows());
  for (std::size_t row = 0; row < tables.rows(); ++row) {
    data.points[row] = {tables.at(table, row, 0), tables.at(table, row, 1)};
  }
  return finish_points(input, std::move(data));
}

std::vector<InstanceData> read_square(const ReaderInput& input, const Tables& tables, std::size_t table) {
  const std::size_t n = tables.rows();
  std::vector<double> matrix(n * n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      matrix[row * n + column] = tables.at(table, row, column);
    }
  }
  return finish_matrix(input, static_cast<Index>(n), std::move(matrix));
}

}  // namespace

std::vector<InstanceData> read_npy(const ReaderInput& input) {
  const NpyHeader header = parse_npy_header(input.content, input.file);
  const Tables tables(input, header);
  const bool pairs = tables.columns() == 2;
  const bool edges = pairs && input.wanted == DataKind::graph;
  if (pairs && !input.wanted && header.kind != NpyHeader::Kind::real && tables.batch() == 1) {
    const auto numbers = pairs_of(tables, 0);
    if (numbers && reading_of(*numbers) == PairsReading::edges) {
      tables.fail("pairs of whole numbers that may be edges or coordinates; --problem says which");
    }
  }
  std::vector<InstanceData> instances;
  for (std::size_t i = 0; i < tables.batch(); ++i) {
    auto one =
        edges ? read_edges(input, tables, i) : (pairs ? read_points(input, tables, i) : read_square(input, tables, i));
    one.front().name = name_in_file(input.name, i, tables.batch());
    instances.push_back(std::move(one.front()));
  }
  return instances;
}

}  // namespace moco
