#!/usr/bin/python3
"""agent_serve.py - many commands through one `pinfold serve`: agent_serve.py COMMAND… (each one word, for a shell)

The commands run in one session, one after the other; at the end the changes are shown and discarded. Whatever ends this
program ends the server and everything that it started.
"""
import itertools
import json
import subprocess
import sys


class Server:
    def __init__(self, *options):
        self.process = subprocess.Popen(["pinfold", "serve", "-q", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ids = itertools.count(1)

    def ask(self, until, **request):
        """Sends a request, and returns its event of one of these kinds; an error is raised."""
        request["id"] = next(self.ids)
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            event = json.loads(line)
            if event.get("id") != request["id"]:
                continue    # of another request: side by side there are several
            if event["event"] == "error":
                raise RuntimeError("{code}: cannot {action}: {subject}; {recovery}".format(**event["error"]))
            if event["event"] == until:
                return event
        raise RuntimeError("the server has ended")

    def run(self, argv, **more):
        return self.ask("ended", do="run", argv=argv, **more)

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def main():
    server = Server()
    for command in sys.argv[1:]:
        ended = server.run(["sh", "-c", command], session="agent-serve", timeout=60000)
        print(f"$ {command}\n{ended['stdout']}{ended['stderr']}[{ended['exit_code']}]")
    changes = server.ask("done", do="diff", session="agent-serve")["document"]["changes"]
    print("changed:", *(change["path"] for change in changes))
    server.ask("done", do="discard", session="agent-serve")
    sys.exit(server.close())


if __name__ == "__main__":
    main()
