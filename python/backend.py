"""The build backend of `pip install .` and `pip wheel .` (PEP 517): CMake builds the package, this makes a wheel of it.

It stands on its own so that pip needs no other package and no network: the backends that the distribution has would have to
be made visible to pip's build environment first.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def project() -> dict:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    header = (ROOT / "include" / "moco" / "version.h").read_text(encoding="utf-8")
    table["version"] = ".".join(re.findall(r"#define MOCO_VERSION_\w+ (\d+)", header))
    return table


def metadata(table: dict) -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {table['name']}", f"Version: {table['version']}"]
    lines += [f"Summary: {table['description']}", f"License: {table['license']}"]
    lines += [f"Requires-Python: {table['requires-python']}"]
    lines += [f"Requires-Dist: {package}" for package in table["dependencies"]]
    for extra, packages in table["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {package}; extra == '{extra}'" for package in packages]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / table["readme"]).read_text(encoding="utf-8")]
    return "\n".join(lines)


def run(*command: object) -> None:
    try:
        subprocess.run([str(word) for word in command], check=True)
    except FileNotFoundError:
        sys.exit(f"{command[0]} is missing: scripts/install-packages installs what moco is built from (see README.md)")


def build_package() -> Path:
    """Builds the package and returns the folder that holds it."""
    # Of the interpreter itself: the virtual environment may be gone the next time.
    interpreter = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
    build = ROOT / "build" / f"wheel-{hashlib.sha256(str(interpreter).encode()).hexdigest()[:8]}"
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    switches = {"CMAKE_BUILD_TYPE": "Release", "MOCO_TESTS": "OFF", "MOCO_MPI": "OFF", "MOCO_PNG": "OFF",
                "MOCO_PYTHON": "ON", "MOCO_PRECOMPILE": "ON", "Python_EXECUTABLE": interpreter}  # fmt: skip
    run("cmake", "-S", ROOT, "-B", build, *generator, *(f"-D{name}={value}" for name, value in switches.items()))
    if not (build / "python").is_dir():
        sys.exit("pybind11 or Python's development files are missing: install pybind11-dev and python3-dev")
    run("cmake", "--build", build, "--target", "moco_python", "--parallel", os.cpu_count() or 1)
    package = build / "package"
    shutil.rmtree(package, ignore_errors=True)
    run("cmake", "--install", build, "--component", "python", "--prefix", package)
    return package


def tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def info_files(table: dict) -> tuple[str, dict[str, bytes]]:
    """The folder of what is said about the package, and its files."""
    return f"{table['name']}-{table['version']}.dist-info", {
        "METADATA": metadata(table).encode(),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: moco\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode(),
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
    }


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: object = None) -> str:
    info, files = info_files(project())
    Path(metadata_directory, info).mkdir(parents=True)
    for name, content in files.items():
        Path(metadata_directory, info, name).write_bytes(content)
    return info


def build_wheel(wheel_directory: str, config_settings: dict | None = None, metadata_directory: object = None) -> str:
    """`--config-settings package=FOLDER` takes a package that `cmake --install` has put there and builds none."""
    table = project()
    package = Path(config_settings["package"]) if config_settings else build_package()
    name = f"{table['name']}-{table['version']}-{tag()}.whl"
    info, files = info_files(table)
    contents = {path.relative_to(package).as_posix(): path.read_bytes() for path in sorted(package.rglob("*")) if path.is_file()}
    contents |= {f"{info}/{file}": content for file, content in files.items()}
    record = []
    with zipfile.ZipFile(Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in contents.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}\n")
            entry = zipfile.ZipInfo(path)  # of a fixed date: equal sources give equal wheels
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "".join(record) + f"{info}/RECORD,,\n")
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """The files that git knows."""
    table = project()
    stem = f"{table['name']}-{table['version']}"
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True).stdout
    with tarfile.open(Path(sdist_directory, f"{stem}.tar.gz"), "w:gz") as archive:
        for path in filter(None, listed.decode().split("\0")):
            archive.add(ROOT / path, f"{stem}/{path}")
        text = metadata(table).encode()
        entry = tarfile.TarInfo(f"{stem}/PKG-INFO")
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))
    return f"{stem}.tar.gz"
