// Whole-file reading and atomic writing on POSIX systems, with gzip by zlib.
#include "moco/core/files.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "moco/core/memory.h"
#include "moco/error.h"

namespace moco {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 18;
/// zlib counts in 32 bits, so longer input is handed over in pieces.
constexpr std::size_t zlib_piece = std::size_t{1} << 30;

[[noreturn]] void fail(std::string_view action, const std::filesystem::path& file, int code) {
  throw IoError(fmt::format("cannot {} '{}': {}", action, file.string(), std::generic_category().message(code)));
}

/// An open file descriptor, closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }

  int number() const { return number_; }
  bool valid() const { return number_ >= 0; }
  /// Closes now and returns the system's verdict; some file systems report a failed write only here.
  int close_now() { return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno; }

 private:
  int number_;
};

int open_retrying(const std::filesystem::path& file, int flags, mode_t mode = 0) {
  for (;;) {
    const int number = ::open(file.c_str(), flags | O_CLOEXEC, mode);
    if (number >= 0 || errno != EINTR) {
      return number;
    }
  }
}

/// Writes all bytes; returns 0 or the error number.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), std::min(content.size(), zlib_piece));
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno;
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Number of the already open descriptor that a path such as /dev/stdout names, if it names one.
std::optional<int> named_descriptor(const std::filesystem::path& file) {
  const std::string text = file.string();
  if (text == "/dev/stdout") {
    return STDOUT_FILENO;
  }
  if (text == "/dev/stderr") {
    return STDERR_FILENO;
  }
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (text.starts_with(prefix)) {
      int number = -1;
      const char* end = text.data() + text.size();
      const auto [stop, code] = std::from_chars(text.data() + prefix.size(), end, number);
      if (code == std::errc() && stop == end && number >= 0) {
        return number;
      }
    }
  }
  return std::nullopt;
}

/// Where a chain of symbolic links leads, whether or not there is a file yet.
std::filesystem::path link_target(std::filesystem::path file) {
  constexpr int longest_chain = 40;
  std::error_code code;
  for (int i = 0; i < longest_chain && std::filesystem::is_symlink(file, code); ++i) {
    file = file.parent_path() / std::filesystem::read_symlink(file, code);
  }
  return file;
}

/// Calls make(path) with temporary names beside `target` until it returns something other than EEXIST; that and the
/// name.
template <typename Make>
std::pair<std::filesystem::path, int> make_beside(const std::filesystem::path& target, Make make) {
  static std::atomic<std::uint64_t> counter{0};
  std::filesystem::path temporary = target;
  int code = EEXIST;
  for (int attempt = 0; attempt < 1000 && code == EEXIST; ++attempt) {
    temporary.replace_filename(fmt::format(".{}.{}.{}.tmp", target.filename().string().substr(0, 200), ::getpid(),
                                           counter.fetch_add(1, std::memory_order_relaxed)));
    code = make(temporary);
  }
  return {std::move(temporary), code};
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

void flush_directory(const std::filesystem::path& file) {
  const Descriptor directory(open_retrying(folder_of(file), O_RDONLY | O_DIRECTORY));
  if (directory.valid()) {
    ::fsync(directory.number());  // the content is safe already; a file system that cannot do this is no reason to fail
  }
}

/// Fills an empty file and flushes it to the disk; returns 0 or the error number.
int fill(const Descriptor& descriptor, std::string_view content, std::optional<mode_t> mode) {
  if (mode) {
    ::fchmod(descriptor.number(), *mode);
  }
  const int code = write_all(descriptor.number(), content);
  if (code == 0 && ::fsync(descriptor.number()) != 0 && errno != EINVAL && errno != EROFS) {
    return errno;
  }
  return code;
}

/// Renames the temporary file to `target`, or removes it when that fails or something did before.
int move_into_place(const std::filesystem::path& temporary, const std::filesystem::path& target, int code) {
  if (code == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) {
    code = errno;
  }
  if (code != 0) {
    ::unlink(temporary.c_str());
  }
  return code;
}

/// Through a file without a name. Whatever fails, the other way may still do.
bool write_unnamed(const std::filesystem::path& target, std::string_view content, std::optional<mode_t> mode) {
  const Descriptor descriptor(open_retrying(folder_of(target), O_WRONLY | O_TMPFILE, 0666));
  if (!descriptor.valid() || fill(descriptor, content, mode) != 0) {
    return false;
  }
  const std::string link = fmt::format("/proc/self/fd/{}", descriptor.number());
  const auto [temporary, code] = make_beside(target, [&](const std::filesystem::path& name) {
    return ::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  });
  return code == 0 && move_into_place(temporary, target, 0) == 0;
}

/// Through a file with a temporary name; returns 0 or the error number.
int write_named(const std::filesystem::path& target, std::string_view content, std::optional<mode_t> mode) {
  int number = -1;
  const auto [temporary, made] = make_beside(target, [&](const std::filesystem::path& name) {
    number = open_retrying(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
    return number >= 0 ? 0 : errno;
  });
  if (made != 0) {
    return made;
  }
  Descriptor descriptor(number);
  const int code = fill(descriptor, content, mode);
  const int close_code = descriptor.close_now();
  return move_into_place(temporary, target, code != 0 ? code : close_code);
}

void write_atomically(const std::filesystem::path& target, std::string_view content, std::optional<mode_t> mode) {
  if (!write_unnamed(target, content, mode)) {
    if (const int code = write_named(target, content, mode); code != 0) {
      fail("write", target, code);
    }
  }
  flush_directory(target);
}

}  // namespace

std::size_t most_input_bytes() {
  constexpr std::uint64_t most = std::uint64_t{8} << 30;
  return std::min(most, available_memory() / 3);
}

std::string read_file(const std::filesystem::path& file, std::size_t most) {
  const Descriptor descriptor(open_retrying(file, O_RDONLY));
  if (!descriptor.valid()) {
    fail("read", file, errno);
  }
  struct stat status {};
  if (::fstat(descriptor.number(), &status) != 0) {
    fail("read", file, errno);
  }
  if (S_ISDIR(status.st_mode)) {
    fail("read", file, EISDIR);
  }
  std::string content;
  std::size_t used = 0;
  const bool stream = !S_ISREG(status.st_mode);
  const std::size_t longest = stream ? std::min(most, most_stream_bytes) : most;
  const auto refuse_length = [&] {
    throw InputError(file.string(), fmt::format("longer than {} bytes, which is the most that is read{}", longest,
                                                stream ? " from a pipe or device" : ""));
  };
  if (!stream && status.st_size > 0) {
    if (static_cast<std::uintmax_t>(status.st_size) > longest) {
      refuse_length();
    }
    content.resize(static_cast<std::size_t>(status.st_size) + 1);  // one more, so that the end shows at once
  }
  for (;;) {
    if (content.size() == used) {
      content.resize(std::min(std::max(chunk_bytes, used + used / 2), longest + 1));
    }
    const ssize_t got = ::read(descriptor.number(), content.data() + used, content.size() - used);
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      fail("read", file, errno);
    }
    if (got == 0) {
      break;
    }
    used += static_cast<std::size_t>(got);
    if (used > longest) {
      refuse_length();
    }
  }
  content.resize(used);
  return is_gzip(content) ? gunzip(content, file.string(), most) : content;
}

void write_file(const std::filesystem::path& file, std::string_view content) {
  std::string packed;
  if (name_ends_with(file.native(), ".gz")) {
    packed = gzip(content);
    content = packed;
  }
  if (const std::optional<int> open_descriptor = named_descriptor(file)) {
    if (const int code = write_all(*open_descriptor, content); code != 0) {
      fail("write", file, code);
    }
    return;
  }
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    if (errno != ENOENT) {
      fail("write", file, errno);
    }
    write_atomically(link_target(file), content, std::nullopt);
    return;
  }
  if (S_ISDIR(status.st_mode)) {
    fail("write", file, EISDIR);
  }
  if (S_ISREG(status.st_mode)) {
    write_atomically(link_target(file), content, static_cast<mode_t>(status.st_mode & 07777));
    return;
  }
  Descriptor descriptor(open_retrying(file, O_WRONLY));
  if (!descriptor.valid()) {
    fail("write", file, errno);
  }
  int code = write_all(descriptor.number(), content);
  const int close_code = descriptor.close_now();
  if (code == 0) {
    code = close_code;
  }
  if (code != 0) {
    fail("write", file, code);
  }
}

void append_file(const std::filesystem::path& file, std::string_view content) {
  std::string packed;
  if (name_ends_with(file.native(), ".gz")) {
    packed = gzip(content);
    content = packed;
  }
  Descriptor descriptor(open_retrying(file, O_WRONLY | O_APPEND));
  struct stat status {};
  if (!descriptor.valid() || ::fstat(descriptor.number(), &status) != 0) {
    fail("write", file, errno);
  }
  int code = write_all(descriptor.number(), content);
  if (code != 0 && ::ftruncate(descriptor.number(), status.st_size) != 0) {
    fail("write", file, code);  // half a record is left: nothing more can be done
  }
  const int close_code = descriptor.close_now();
  if (code == 0) {
    code = close_code;
  }
  if (code != 0) {
    fail("write", file, code);
  }
}

bool name_ends_with(std::string_view name, std::string_view ending) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return name.size() >= ending.size() &&
         std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, lower);
}

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

std::string gunzip(std::string_view packed, std::string_view name, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) {
    throw ResourceError("cannot set up gzip decompression: out of memory");
  }
  const auto end_stream = [](z_stream* s) { inflateEnd(s); };
  const std::unique_ptr<z_stream, decltype(end_stream)> guard(&stream, end_stream);
  std::string content;
  std::array<char, chunk_bytes> chunk;
  for (;;) {
    const std::size_t piece = std::min(packed.size(), zlib_piece);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(piece);
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    const int code = inflate(&stream, Z_NO_FLUSH);
    const std::size_t produced = chunk.size() - stream.avail_out;
    packed.remove_prefix(piece - stream.avail_in);
    if (produced > most - content.size()) {
      throw InputError(name,
                       fmt::format("gzip data unfold to more than {} bytes, which is the most that is read", most));
    }
    content.append(chunk.data(), produced);
    if (code == Z_STREAM_END) {
      if (packed.find_first_not_of('\0') == std::string_view::npos) {
        return content;  // the end, or padding with zeros as tapes have
      }
      if (!is_gzip(packed)) {
        throw InputError(name, "gzip data are followed by something else");
      }
      inflateReset(&stream);
    } else if (code == Z_MEM_ERROR) {
      throw ResourceError("cannot decompress: out of memory");
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      throw InputError(name, fmt::format("gzip data are damaged after {} unpacked bytes", content.size()));
    } else if (packed.empty() && produced < chunk.size()) {
      throw InputError(name, fmt::format("gzip data end early, after {} unpacked bytes", content.size()));
    }
  }
}

std::string gzip(std::string_view content) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw ResourceError("cannot set up gzip compression: out of memory");
  }
  const auto end_stream = [](z_stream* s) { deflateEnd(s); };
  const std::unique_ptr<z_stream, decltype(end_stream)> guard(&stream, end_stream);
  std::string packed;
  std::array<char, chunk_bytes> chunk;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    const std::size_t piece = std::min(content.size(), zlib_piece);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(piece);
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    code = deflate(&stream, piece == content.size() ? Z_FINISH : Z_NO_FLUSH);
    content.remove_prefix(piece - stream.avail_in);
    packed.append(chunk.data(), chunk.size() - stream.avail_out);
  }
  return packed;
}

}  // namespace moco
