# Does each of some operations in each of some places, one after the other, and prints what was refused: operation and
# path, as a receipt has them. What a hidden file is shown as instead is no content of its own, so it counts as refused.
import os, subprocess, sys

def read(path):
    with open(path) as file: return file.read() == "content\n"
def write(path):
    with open(path, "r+") as file: file.write("content\n")
def execute(path): return subprocess.run([path]).returncode == 0
def times(path): os.utime(path, (1, 1))
def by_descriptor(path):
    try: fd = os.open(path, os.O_RDONLY)
    except OSError: return "read"
    try: os.fchmod(fd, 0o755)
    finally: os.close(fd)

# Name, what the receipt calls it, what is done: False, or what else it is called, where that was refused.
OPERATIONS = [
    ("read", "read", read), ("write", "write", write), ("create", "make", lambda path: open(path + ".new", "x").close()),
    ("mkdir", "make", lambda path: os.mkdir(path + ".new")), ("symlink", "make", lambda path: os.symlink("x", path + ".new")),
    ("unlink", "replace", os.unlink), ("chmod", "change", lambda path: os.chmod(path, 0o755)),
    ("truncate", "change", lambda path: os.truncate(path, 3)), ("times", "change", times), ("execute", "execute", execute),
    ("rename", "replace", lambda path: os.rename(path, path + ".moved")),
    ("descriptor", "change", by_descriptor),
]

if sys.argv[1] == "--lay":
    for place in sys.argv[2:]:
        os.makedirs(place, exist_ok=True)
        for name, kind, deed in OPERATIONS:
            with open(os.path.join(place, name), "w") as file: file.write("#!/bin/sh\n" if name == "execute" else "content\n")
            os.chmod(os.path.join(place, name), 0o755)
    sys.exit(0)

for place in sys.argv[1:]:
    for name, kind, deed in OPERATIONS:
        path = os.path.join(place, name)
        made = path + ".new" if name in ("create", "mkdir", "symlink") else path
        try: refused = deed(path)
        except OSError: refused = False
        if refused in (False, "read"): print(refused or kind, made)
