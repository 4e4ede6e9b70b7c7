// Whole-file reading (plain or gzip) and atomic whole-file writing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace moco {

/// Most bytes of a file that are read, and that a gzip stream may unfold to: 8 GiB, or a third of the memory available
/// if that is less. What is longer, or never ends, is refused instead of filling the memory.
std::size_t most_input_bytes();

/// Most bytes that are read from a pipe or device, whose length nobody knows beforehand.
inline constexpr std::size_t most_stream_bytes = std::size_t{1} << 30;

/// Content of a file, unpacked when it starts with gzip's magic bytes. Pipes and character devices are read to their
/// end. Throws IoError when the file is missing, unreadable or a directory, InputError when it is longer than `most`
/// bytes, or as a stream than `most_stream_bytes`, or its gzip data are damaged or unfold to more.
std::string read_file(const std::filesystem::path& file, std::size_t most = most_input_bytes());

/// Writes a file completely or not at all: a file without a name is filled, flushed to the disk, linked beside the
/// target and renamed, so that nothing stays behind wherever the program is killed. File systems without such files get
/// one with a temporary name from the start. A name ending in ".gz" is compressed. A symbolic link is followed and
/// kept. Pipes, devices and open descriptors ("/dev/stdout", "/dev/fd/3") are written straight. Throws IoError.
void write_file(const std::filesystem::path& file, std::string_view content);

/// Adds to the end of a regular file, completely or not at all, as far as it can be kept: a full disk leaves the file
/// as it was. What is added to a name ending in ".gz" is a gzip member of its own. Throws IoError.
void append_file(const std::filesystem::path& file, std::string_view content);

/// Whether a file name ends like this, whatever the case of its letters; `ending` is in lower case.
bool name_ends_with(std::string_view name, std::string_view ending);

/// Whether the bytes start like a gzip stream.
bool is_gzip(std::string_view bytes);
/// Unpacks a gzip stream of one or more members; `name` stands for the file in messages.
std::string gunzip(std::string_view packed, std::string_view name, std::size_t most = most_input_bytes());
/// Packs bytes as one gzip member without a time stamp, so that equal content gives equal bytes.
std::string gzip(std::string_view content);

}  // namespace moco
