#!/usr/bin/env python3
"""inspect.py INSTALLED ARCH: looks at what was built for a Mac: kind and processor, what each file exports, what it is
installed as, what it is linked with, and that nothing is undefined but what those have. Prints a line for each."""
import pathlib
import struct
import sys

CPU = {"aarch64": 0x0100000C, "x86_64": 0x01000007}
EXECUTE, DYLIB, BUNDLE = 2, 6, 8
SYMTAB, DYSYMTAB, LOAD_DYLIB, ID_DYLIB, BUILD_VERSION, VERSION_MIN = 2, 0xB, 0xC, 0xD, 0x32, 0x24
EXTERNAL, UNDEFINED_TYPE, PRIVATE = 1, 0x0E, 0x10
# Functions that the arm finds by name: bound at load, they would keep it from telling which one is missing.
BY_NAME = ("_sandbox_", "___sandbox_ms", "___mac_syscall")
# The linker makes these itself, in every file.
MADE = {"___dso_handle", "__mh_dylib_header", "__mh_execute_header", "__mh_bundle_header"}
faults = 0


def text(data, at):
    return data[at:data.index(b"\0", at)].decode()


class MachO:
    def __init__(self, path):
        data = path.read_bytes()
        magic, self.cpu, _, self.kind, count, _, _, _ = struct.unpack_from("<8I", data)
        if magic != 0xFEEDFACF:
            raise ValueError("is no 64-bit Mach-O file")
        self.libraries, self.name, self.least = [], None, None
        self.exports, self.undefined = set(), {}
        at = 32
        for _ in range(count):
            command, size = struct.unpack_from("<2I", data, at)
            if command & 0x7FFFFFFF in (LOAD_DYLIB, ID_DYLIB, 0x18, 0x1F):
                name = text(data, at + struct.unpack_from("<I", data, at + 8)[0])
                if command == ID_DYLIB:
                    self.name = name
                else:
                    self.libraries.append(name)
            elif command == BUILD_VERSION:
                self.least = struct.unpack_from("<I", data, at + 12)[0] >> 16
            elif command == SYMTAB:
                self.read_symbols(data, *struct.unpack_from("<4I", data, at + 8))
            at += size

    def read_symbols(self, data, symbols, count, strings, _):
        for i in range(count):
            name_at, kind, _, about, _ = struct.unpack_from("<IBBHQ", data, symbols + 16 * i)
            if not kind & EXTERNAL or kind & 0xE0:
                continue
            name = text(data, strings + name_at)
            if kind & UNDEFINED_TYPE == 0:
                self.undefined[name] = about >> 8
            elif not kind & PRIVATE and name not in MADE:
                self.exports.add(name)


def verdict(path, what, fine, more=""):
    global faults
    faults += not fine
    print(f"{'ok  ' if fine else 'FAIL'} {path.name}: {what}{': ' + more if more else ''}")


def library_of(file, ordinal):
    return file.libraries[ordinal - 1] if 0 < ordinal <= len(file.libraries) else f"ordinal {ordinal}"


def look(path, arch):
    file = MachO(path)
    module = path.parent.name == "pinfold" and path.suffix == ".so"
    verdict(path, f"is for {arch}", file.cpu == CPU[arch])
    verdict(path, "runs on macOS 13", file.least is not None and file.least <= 13, str(file.least))
    if module:
        verdict(path, "exports its one symbol", file.exports == {"_pinfold_plugin"}, " ".join(sorted(file.exports)))
        verdict(path, "is something to load", file.kind in (BUNDLE, DYLIB))
    elif file.kind == DYLIB:
        alien = [name for name in file.exports if not name.startswith("_pinfold_")]
        verdict(path, "exports pinfold's names only", not alien, " ".join(sorted(alien)[:8]))
        verdict(path, "is named by its place", file.name is not None and file.name.startswith("/usr/local/lib/"), str(file.name))
    verdict(path, "is linked with the system alone",
            all(name.startswith("/usr/lib/libSystem") for name in file.libraries), " ".join(file.libraries))
    wild = [f"{name} ({library_of(file, ordinal)})" for name, ordinal in file.undefined.items()
            if not library_of(file, ordinal).startswith("/usr/lib/libSystem")]
    verdict(path, f"{len(file.undefined)} undefined symbols, all of libSystem", not wild, " ".join(wild[:8]))
    bound = [name for name in file.undefined if name.startswith(BY_NAME)]
    verdict(path, "binds nothing of the sandbox's at load", not bound, " ".join(bound))


def main():
    root, arch = pathlib.Path(sys.argv[1]), sys.argv[2]
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()
             and path.read_bytes()[:4] == b"\xcf\xfa\xed\xfe"]
    names = {path.name for path in files}
    for wanted in ("pinfold", "libpinfold.0.dylib", "seatbelt.so", "copytree.so", "jobobject.so", "sccache.so",
                   "ccache.so", "distcc.so", "generic.so"):
        verdict(root / wanted, "is there", wanted in names)
    for path in files:
        look(path, arch)
    sys.exit(faults != 0)


main()
