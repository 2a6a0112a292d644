"""tests/suite/terminal.py - a terminal for the tests: a shell with job control in front of it."""
import os, pty, re, select, signal, struct, sys, termios, fcntl, time

PINFOLD = os.environ["PINFOLD"]
ARM = os.environ.get("ARM", "")
RUN = f"{PINFOLD} run -q --arm {ARM}" if ARM else f"{PINFOLD} run -q"


class Terminal:
    def __init__(self, argv=("bash", "--norc", "--noprofile", "-i"), prompt="READY>"):
        self.text = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            for number in range(1, 32):
                if number not in (signal.SIGKILL, signal.SIGSTOP):
                    signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.environ.update(PS1=prompt, TERM="dumb", HISTFILE="", BASH_SILENCE_DEPRECATION_WARNING="1")
            os.execvp(argv[0], argv)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 111, 0, 0))
        if prompt:
            self.expect(prompt)

    def send(self, text):
        os.write(self.fd, text.encode())

    def line(self, text):
        self.text = ""
        self.send(text + "\n")

    def expect(self, pattern, seconds=10):
        """Reads until the pattern is there; what came before it is forgotten."""
        end = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.text)
            if found:
                self.text = self.text[found.end():]
                return found
            left = end - time.monotonic()
            if left <= 0:
                sys.exit(f"did not see {pattern!r} but: {self.text!r}")
            if select.select([self.fd], [], [], left)[0]:
                try:
                    self.text += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    sys.exit(f"the terminal was closed before {pattern!r}: {self.text!r}")

    def ask(self, command, pattern, seconds=10):
        """The answer to a command, not its echo: the answer begins a line."""
        self.line(command)
        return self.expect(r"(?m)^" + pattern, seconds)

    def alive(self):
        """The shell has its terminal: it reads what is typed and answers."""
        self.ask("echo al''ive", "alive\r?\n")

    def settings(self, seconds=5):
        """The settings at the shell's prompt: it edits the line itself."""
        end = time.monotonic() + seconds
        while True:
            found = termios.tcgetattr(self.fd)
            if not found[3] & termios.ICANON or time.monotonic() > end:
                return found
            time.sleep(0.02)

    def foreground(self):
        return os.tcgetpgrp(self.fd)

    def close(self):
        for fd_signal in (signal.SIGHUP, signal.SIGKILL):
            try:
                os.killpg(self.pid, fd_signal)
            except OSError:
                pass
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def same(one, other, what):
    if one != other:
        sys.exit(f"{what}: {one!r} is not {other!r}")
