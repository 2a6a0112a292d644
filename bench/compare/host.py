#!/usr/bin/python3
# bench/compare/host.py - DIRECTORY: services of the host. Whoever reaches one is written to DIRECTORY/reached:
# tcp, udp, path or abstract. The port is in DIRECTORY/port once all listen.
import os
import selectors
import socket
import sys

directory = sys.argv[1]
tcp = socket.create_server(("127.0.0.1", 0))
port = tcp.getsockname()[1]
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", port))
path, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
path.bind(os.path.join(directory, "bus"))
abstract.bind(f"\0compare-{port}")
watched = selectors.DefaultSelector()
for name, service in (("tcp", tcp), ("udp", udp), ("path", path), ("abstract", abstract)):
    if service is not udp:
        service.listen(16)
    watched.register(service, selectors.EVENT_READ, name)
with open(os.path.join(directory, "port.new"), "w") as file:
    file.write(f"{port}\n")
os.rename(os.path.join(directory, "port.new"), os.path.join(directory, "port"))
while True:
    for key, _ in watched.select():
        if key.data == "udp":
            udp.recv(64)
        else:
            key.fileobj.accept()[0].close()
        with open(os.path.join(directory, "reached"), "a") as file:
            file.write(f"{key.data}\n")
