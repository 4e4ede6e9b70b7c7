# What moco is built from, as Debian 12 packages. Sourced by ./run and ./test.
#   libxsmm-dev         small matrix products generated at run time for the CPU at hand
#   libnanoflann-dev    k-nearest-neighbour search
#   libcli11-dev        command line
#   nlohmann-json3-dev  JSON
#   libtomlplusplus-dev configuration files
#   libfmt-dev          text formatting (g++ 12 has no std::format)
#   zlib1g-dev          gzip
#   libcairo2-dev       pictures as PNG (moco builds without it and then draws SVG only)
#   fonts-dejavu-core   the font of those pictures
#   nettle-dev          SHA-256 of the models that ship
#   libopenmpi-dev      training across processes (tests only; moco builds without it)
#   dpkg-dev            the Debian packages (tests; tests skip them without it)
#   zsh fish groff-base completions and the man page (likewise)
#   ccache              the CUDA build of ./test takes what the first build compiled
build_packages=(g++ cmake ninja-build libxsmm-dev libnanoflann-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev
  libfmt-dev zlib1g-dev nettle-dev libcairo2-dev fonts-dejavu-core)
test_packages=(git libgtest-dev libgmock-dev clang-format ccache libopenmpi-dev openmpi-bin dpkg-dev zsh fish
  groff-base)
all_packages=(clang libclang-rt-14-dev libbenchmark-dev)  # for the other parts of ./test --all
