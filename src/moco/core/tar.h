// Reading of tar archives, the form in which collections of graphs are handed around.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace moco {

/// A regular file of an archive; `content` points into the archive's bytes.
struct TarMember {
  std::string name;
  std::string_view content;
};

/// Whether a file name is that of a tar archive: .tar, .tar.gz or .tgz.
bool is_tar_name(std::string_view file);

/// The regular files of an unpacked archive (ustar, with GNU and pax long names), in its order. Everything else is
/// passed over. Throws InputError when the archive is damaged; `file` stands for it in messages.
std::vector<TarMember> tar_members(std::string_view archive, std::string_view file);

}  // namespace moco
