// The blocks of a tar archive: headers of 512 bytes, each followed by its file's content in whole blocks.
#include "moco/core/tar.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/error.h"

namespace moco {

namespace {

constexpr std::size_t kBlock = 512;

/// A field of the header up to its first NUL.
std::string_view text_field(std::string_view header, std::size_t at, std::size_t size) {
  const std::string_view field = header.substr(at, size);
  return field.substr(0, std::min(field.find('\0'), field.size()));
}

/// A number in octal digits with blanks around it.
std::optional<std::uint64_t> octal_field(std::string_view header, std::size_t at, std::size_t size) {
  std::string_view field = text_field(header, at, size);
  while (field.starts_with(' ')) {
    field.remove_prefix(1);
  }
  while (field.ends_with(' ')) {
    field.remove_suffix(1);
  }
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value, 8);
  if (code != std::errc{} || end != field.data() + field.size()) {
    return std::nullopt;
  }
  return value;
}

/// Sum of the header's bytes with the checksum's own counted as blanks.
std::uint64_t checksum_of(std::string_view header) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    sum += i >= 148 && i < 156 ? std::uint64_t{' '} : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

std::string plain_name(std::string_view header) {
  const std::string_view name = text_field(header, 0, 100);
  const bool ustar = header.substr(257, 5) == "ustar";
  const std::string_view prefix = ustar && header[262] == '\0' ? text_field(header, 345, 155) : "";
  return prefix.empty() ? std::string(name) : fmt::format("{}/{}", prefix, name);
}

/// The value of "path" among the records "LENGTH KEY=VALUE\n" of a pax header; empty when it has none.
std::string pax_path(std::string_view records) {
  while (!records.empty()) {
    std::size_t length = 0;
    const auto parsed = std::from_chars(records.data(), records.data() + records.size(), length);
    const auto digits = static_cast<std::size_t>(parsed.ptr - records.data());
    if (parsed.ec != std::errc{} || length <= digits + 1 || length > records.size()) {
      break;
    }
    const std::string_view record = records.substr(digits + 1, length - digits - 2);
    if (record.starts_with("path=")) {
      return std::string(record.substr(5));
    }
    records.remove_prefix(length);
  }
  return {};
}

}  // namespace

bool is_tar_name(std::string_view file) {
  return name_ends_with(file, ".tar") || name_ends_with(file, ".tar.gz") || name_ends_with(file, ".tgz");
}

std::vector<TarMember> tar_members(std::string_view archive, std::string_view file) {
  std::vector<TarMember> members;
  std::string long_name;  // of the next member
  std::size_t at = 0;
  const auto damaged = [&](std::string_view what) {
    throw InputError(file, fmt::format("damaged tar archive at byte {}: {}", at, what));
  };
  while (at < archive.size()) {
    if (archive.size() - at < kBlock) {
      damaged("it ends inside a header");
    }
    const std::string_view header = archive.substr(at, kBlock);
    if (std::ranges::all_of(header, [](char c) { return c == '\0'; })) {
      break;
    }
    if (octal_field(header, 148, 8) != checksum_of(header)) {
      damaged("no header with a correct checksum");
    }
    const std::optional<std::uint64_t> size = octal_field(header, 124, 12);
    if (!size || *size > archive.size() - at - kBlock) {
      damaged("a file is longer than the archive");
    }
    const std::string_view content = archive.substr(at + kBlock, *size);
    const char type = header[156];
    if (type == 'L') {
      long_name = std::string(content.substr(0, content.find('\0')));
    } else if (type == 'x') {
      long_name = pax_path(content);
    } else {
      if (type == '0' || type == '\0') {
        members.push_back({long_name.empty() ? plain_name(header) : long_name, content});
      }
      long_name.clear();
    }
    at += kBlock + (content.size() + kBlock - 1) / kBlock * kBlock;
  }
  return members;
}

}  // namespace moco
