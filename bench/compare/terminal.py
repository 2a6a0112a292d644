#!/usr/bin/python3
# bench/compare/terminal.py - COMMAND…: runs it on a terminal of its own. What it printed, and at the end a line
# "typed" where something waits to be read there that nobody typed.
import fcntl
import os
import pty
import struct
import sys
import termios
import threading

master, slave = pty.openpty()


def drain():
    try:
        while data := os.read(master, 4096):
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
    except OSError:
        pass


child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for number in (0, 1, 2):
        os.dup2(slave, number)
    os.closerange(3, 64)
    try:
        os.execvp(sys.argv[1], sys.argv[1:])
    finally:
        os._exit(127)
threading.Thread(target=drain, daemon=True).start()
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
waiting = struct.unpack("i", fcntl.ioctl(slave, termios.FIONREAD, b"\0\0\0\0"))[0]
sys.stdout.flush()
print("typed" if waiting else "untouched")
sys.stdout.flush()
os._exit(status if status >= 0 else 128 - status)
