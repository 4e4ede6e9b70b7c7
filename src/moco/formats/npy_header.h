// The header of a NumPy .npy file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace moco {

struct NpyHeader {
  enum class Kind { real, integer, natural };

  Kind kind = Kind::real;
  bool big_endian = false;
  std::size_t item_bytes = 0;  ///< 1, 2, 4 or 8; 2, 4 or 8 for real numbers
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  ///< no negative entries
  std::string_view data;            ///< what follows the header
};

/// Reads the header of format version 1, 2 or 3. Throws InputError.
NpyHeader parse_npy_header(std::string_view content, std::string_view file);

}  // namespace moco
