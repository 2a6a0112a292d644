#!/usr/bin/python3
"""A wrapper that is called sccache: its server is started as sccache's is, and its clients try what the path between them
must hold. FAKE_BY says where both meet, as a version of sccache would choose it: port or socket. FAKE_SERVER says what
the server does: serve, fail, hang, or be late."""
import hashlib, os, resource, socket, sys, threading, time

LOG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "log")
BLOCK = hashlib.sha512(b"block").digest() * 1024
ROOM = 1 << 16


def note(name, text="x"):
    with open(os.path.join(LOG, name), "a") as file:
        file.write(text + "\n")


def endpoint():
    if os.environ.get("FAKE_BY") == "socket":
        return socket.AF_UNIX, os.environ["SCCACHE_SERVER_UDS"]
    return socket.AF_INET, ("127.0.0.1", int(os.environ["SCCACHE_SERVER_PORT"]))


def connect():
    family, address = endpoint()
    connection = socket.socket(family)
    connection.settimeout(50)
    connection.connect(address)
    return connection


def whole(connection):
    """All that comes until the other side says no more."""
    digest, count = hashlib.sha256(), 0
    while data := connection.recv(ROOM):
        digest.update(data)
        count += len(data)
    return f"{count} {digest.hexdigest()}"


def pour(connection, count):
    digest = hashlib.sha256()
    for at in range(count):
        data = at.to_bytes(8, "big") + BLOCK[: ROOM - 8 - at % 1000]
        digest.update(data)
        connection.sendall(data)
    return digest.hexdigest()


# --- the server -------------------------------------------------------------------------------------
def answer(connection):
    """Its first line says what a client wants."""
    line = b""
    while not line.endswith(b"\n"):
        byte = connection.recv(1)
        if not byte:
            return
        line += byte
    word, *rest = line.decode().split()
    if word == "pid":
        connection.sendall(b"%d\n" % os.getpid())
    elif word == "end":
        os._exit(0)
    elif word == "digest":      # of what comes, told when all came
        connection.sendall(whole(connection).encode())
    elif word == "pour":        # and then it hears what the client has to say, which was told that all came
        digest = pour(connection, int(rest[0]))
        connection.shutdown(socket.SHUT_WR)
        note("heard", digest + " " + whole(connection))
    elif word == "slow":        # reads nothing until it is told by another client
        while not os.path.exists(os.path.join(LOG, "read")):
            time.sleep(0.02)
        connection.sendall(whole(connection).encode())
    elif word == "idle":
        connection.recv(1)
    connection.close()


def serve():
    note("servers", f"{os.getpid()} {os.getpgrp()} {os.listdir('/proc/self/fd')}")
    what = os.environ.get("FAKE_SERVER", "serve")
    if what == "fail":
        sys.exit(1)
    if what == "hang":
        time.sleep(1000)
    if what == "late":
        time.sleep(1.5)
    family, address = endpoint()
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(address)
    listener.listen(4096)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection,), daemon=True).start()


# --- clients ----------------------------------------------------------------------------------------
def ask(word):
    connection = connect()
    connection.sendall(word.encode() + b"\n")
    said = whole_text(connection)
    connection.close()
    return said


def whole_text(connection):
    said = b""
    while data := connection.recv(ROOM):
        said += data
    return said.decode().strip()


def at_once(count):
    said, begin = [], threading.Barrier(count)

    def client():
        begin.wait()
        said.append(ask("pid"))

    threads = [threading.Thread(target=client) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(len(said), len(set(said)))


def there(blocks):
    connection = connect()
    connection.sendall(b"digest\n")
    digest = pour(connection, blocks)
    connection.shutdown(socket.SHUT_WR)
    print("there", whole_text(connection).split()[1] == digest)


def back(blocks):
    connection = connect()
    connection.sendall(b"pour %d\n" % blocks)
    count, digest = whole(connection).split()
    connection.sendall(b"heard all")
    connection.close()
    path = os.path.join(LOG, "heard")
    until = time.monotonic() + 50
    while time.monotonic() < until and not (os.path.exists(path) and open(path).read().endswith("\n")):
        time.sleep(0.02)
    print("back", open(path).read() == f"{digest} 9 {hashlib.sha256(b'heard all').hexdigest()}\n")


def door():
    """The process that listens, by the socket that it has."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            if file.read().startswith(b"pinfold-init\0door\0"):
                return pid
    return None


def status_of(pid, name):
    with open(f"/proc/{pid}/status") as file:
        return next(line.split()[1] for line in file if line.startswith(name + ":"))


def ticks(pid):
    with open(f"/proc/{pid}/stat") as file:
        return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))


def pressure(blocks):
    """A server that does not read stops its client, and little is kept on the way."""
    connection = connect()
    connection.setblocking(False)
    connection.sendall(b"slow\n")
    sent, digest, still = 0, hashlib.sha256(), 0
    while sent < blocks * ROOM and still < 20:
        try:
            count = connection.send(BLOCK[: ROOM // 2])
            digest.update(BLOCK[:count])
            sent += count
            still = 0
        except BlockingIOError:
            still += 1
            time.sleep(0.05)
    print("stopped", sent < blocks * ROOM, "small", int(status_of(door(), "VmRSS")) < 4096)
    before = ticks(door())
    time.sleep(1)
    print("still", ticks(door()) - before < 10)
    note("read")
    connection.settimeout(50)
    connection.shutdown(socket.SHUT_WR)
    print("whole", whole_text(connection) == f"{sent} {digest.hexdigest()}")


def many(count):
    """More at once than it serves at once: the last are served when the first have gone."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    connections = [connect() for _ in range(count)]
    for connection in connections:
        connection.sendall(b"pid\n")
    said = set()
    for connection in connections:
        said.add(whole_text(connection))
        connection.close()
    print(len(said))


def idle():
    """Connections that stay, one of them half closed, wake nobody."""
    connections = [connect() for _ in range(3)]
    for connection in connections:
        connection.sendall(b"idle\n")
    print("pid", ask("pid").isdigit())
    gone = connect()
    gone.sendall(b"slow\n")
    gone.close()
    ask("pid")
    before = ticks(door())
    time.sleep(1)
    print("still", ticks(door()) - before < 10)


def closed():
    """What is said to one whom nobody serves, and whether another one finds somebody."""
    try:
        print("said", repr(ask("pid")))
    except ConnectionError:
        print("said ''")
    try:
        connect()
        print("somebody")
    except OSError as why:
        print(type(why).__name__)


def looks():
    """What the door is to the command, and what it has."""
    pid = door()
    streams = {os.readlink(f"/proc/{pid}/fd/{fd}").split(":")[0] for fd in os.listdir(f"/proc/{pid}/fd")}
    print("has", *sorted(streams))
    print("parent", status_of(pid, "PPid"))
    print("confined", all(status_of(pid, name) == status_of("self", name) for name in
                          ("NoNewPrivs", "Seccomp", "CapPrm", "CapEff", "CapBnd", "Uid")))
    print("apart", os.getsid(int(pid)) != os.getsid(0))
    try:
        os.wait()
    except ChildProcessError:
        print("no child")
    with open(f"/proc/{pid}/exe", "rb") as program:
        try:
            os.write(os.open(f"/proc/self/fd/{program.fileno()}", os.O_RDWR), b"x")
            print("changed")
        except OSError:
            print("cannot be changed")


if __name__ == "__main__":
    if os.environ.get("SCCACHE_START_SERVER") == "1":
        serve()
    if len(sys.argv) > 1 and sys.argv[1] == "--client":
        {"at_once": at_once, "there": there, "back": back, "pressure": pressure, "many": many, "idle": idle,
         "closed": closed, "looks": looks, "ask": lambda word: print(ask(word))}[sys.argv[2]](
             *(int(word) if word.isdigit() else word for word in sys.argv[3:]))
    else:
        os.execvp(sys.argv[1], sys.argv[1:])
