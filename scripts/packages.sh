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
#   pybind11-dev        the Python module (moco builds without it, as for the next ones)
#   libdlpack-dev       tensors handed to PyTorch and the like without a copy (the module builds without it)
#   python3-dev         headers of the interpreter
#   python3-numpy       what the module takes and gives; python3-scipy, -networkx, -matplotlib and -pandas for its tests
#   python3-pytest      and python3-hypothesis run them; python3-mypy checks the types
#   python3-sphinx      the documentation site, with python3-myst-parser and furo (scripts/docs only)
#   zsh fish groff-base completions and the man page (likewise)
#   ccache              the CUDA build of ./test takes what the first build compiled
build_packages=(g++ cmake ninja-build libxsmm-dev libnanoflann-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev
  libfmt-dev zlib1g-dev nettle-dev libcairo2-dev fonts-dejavu-core)
python_packages=(pybind11-dev libdlpack-dev python3-dev python3-numpy python3-venv python3-pip)
docs_packages=(python3-sphinx python3-myst-parser furo)
test_packages=(git libgtest-dev libgmock-dev clang-format ccache libopenmpi-dev openmpi-bin dpkg-dev zsh fish
  groff-base "${python_packages[@]}" python3-scipy python3-networkx python3-matplotlib python3-pandas python3-pytest
  python3-hypothesis python3-mypy)
all_packages=(clang libclang-rt-14-dev libbenchmark-dev)  # for the other parts of ./test --all
