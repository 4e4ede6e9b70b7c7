// Parsing of the dictionary in a .npy header, such as {'descr': '<f8', 'fortran_order': False, 'shape': (10, 2), }.
#include "moco/formats/npy_header.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// Walks over the Python literal of the header.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, std::string_view file) : rest_(text), file_(file) {}

  void parse(NpyHeader& header) {
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr") {
        parse_type(string(), header);
        has_type = true;
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
        has_order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        has_shape = true;
      } else {
        fail(fmt::format("unknown key {} in the header", in_quotes(key)));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!has_type || !has_order || !has_shape) {
      fail("header lacks one of 'descr', 'fortran_order' and 'shape'");
    }
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw InputError(file_, what); }

  void skip_blanks() {
    while (!rest_.empty() && (is_blank(rest_.front()) || rest_.front() == '\n')) {
      rest_.remove_prefix(1);
    }
  }

  bool accept(char wanted) {
    skip_blanks();
    if (!rest_.starts_with(wanted)) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) {
      fail(fmt::format("expected '{}' in the header, found {}", wanted, in_quotes(rest_)));
    }
  }

  std::string_view string() {
    skip_blanks();
    const char quote = rest_.empty() ? ' ' : rest_.front();
    if (quote != '\'' && quote != '"') {
      fail(fmt::format("expected a string in the header, found {}", in_quotes(rest_)));
    }
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) {
      fail("header ends within a string");
    }
    const std::string_view value = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return value;
  }

  bool boolean() {
    skip_blanks();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return value;
      }
    }
    fail(fmt::format("expected True or False in the header, found {}", in_quotes(rest_)));
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      const std::string_view token = rest_.substr(0, rest_.find_first_not_of("0123456789"));
      const auto value = parse_integer(token);
      if (!value) {
        fail(fmt::format("bad shape in the header near {}", in_quotes(rest_)));
      }
      values.push_back(*value);
      rest_.remove_prefix(token.size());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  /// "<f8" and the like: byte order, kind, bytes.
  void parse_type(std::string_view type, NpyHeader& header) const {
    constexpr std::string_view orders = "<>|";
    constexpr std::string_view known = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1";
    if (type.size() != 3 || orders.find(type[0]) == std::string_view::npos || type[1] == ' ' || type[2] == ' ' ||
        known.find(type.substr(1)) == std::string_view::npos || (type[0] == '|' && type[2] != '1')) {
      fail(fmt::format("items of type {} are not supported; float16, 32 and 64, integers and bool are",
                       in_quotes(type)));
    }
    header.big_endian = type[0] == '>';
    header.kind =
        type[1] == 'f' ? NpyHeader::Kind::real : (type[1] == 'i' ? NpyHeader::Kind::integer : NpyHeader::Kind::natural);
    header.item_bytes = static_cast<std::size_t>(type[2] - '0');
  }

  std::string_view rest_;
  std::string_view file_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view content, std::string_view file) {
  if (!content.starts_with(magic) || content.size() < magic.size() + 2) {
    throw InputError(file, "not a .npy file: it does not start with \\x93NUMPY and a version");
  }
  const auto byte_at = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(content[i])); };
  const std::size_t version = byte_at(magic.size());
  if (version < 1 || version > 3) {
    throw InputError(file, fmt::format(".npy version {} is not supported; 1, 2 and 3 are", version));
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t header_begin = magic.size() + 2 + length_bytes;
  std::size_t length = 0;
  if (content.size() >= header_begin) {
    for (std::size_t i = 0; i < length_bytes; ++i) {
      length |= byte_at(magic.size() + 2 + i) << (8 * i);
    }
  }
  if (content.size() < header_begin || content.size() - header_begin < length) {
    throw InputError(file, "the file ends within the .npy header");
  }
  NpyHeader header;
  DictionaryParser(content.substr(header_begin, length), file).parse(header);
  header.data = content.substr(header_begin + length);
  return header;
}

}  // namespace moco
