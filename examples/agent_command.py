#!/usr/bin/python3
"""agent_command.py - what an agent needs of pinfold, by calling the command: agent_command.py COMMAND [ARGUMENT …]

Runs the command in a session of its own, shows what it changed, and applies that when the command succeeded and nothing
risky is among it; else it is discarded.
"""
import json
import subprocess
import sys
import tempfile


class Workspace:
    """A session in a tree: commands see each other's changes, the tree sees none of them."""

    def __init__(self, session, tree="."):
        self.session, self.tree = session, tree

    def _pinfold(self, *words, **more):
        return subprocess.run(["pinfold", *words], cwd=self.tree, text=True, **more)

    def run(self, argv):
        """The receipt. A command's own 125 cannot be taken for a refusal: the receipt says which it was."""
        with tempfile.NamedTemporaryFile("r", suffix=".json") as receipt:
            self._pinfold("run", "-q", "--session", self.session, "--receipt", receipt.name, "--", *argv)
            with open(receipt.name) as written:
                return json.load(written)

    def changes(self):
        found = self._pinfold("diff", "--session", self.session, "--json", stdout=subprocess.PIPE, check=True)
        return json.loads(found.stdout)["changes"]

    def apply(self):
        """True where all of it is in the tree now; False where something is in conflict or held back, and nothing was applied."""
        return self._pinfold("apply", "-q", "--session", self.session).returncode == 0

    def discard(self):
        self._pinfold("discard", "--session", self.session, check=True)


def main():
    work = Workspace("agent-command")
    receipt = work.run(sys.argv[1:])
    if receipt["kind"] == "refusal":
        sys.exit("refused: {action}: {subject}; {recovery}".format(**receipt["error"]))
    for change in work.changes():
        print(change["kind"], change["path"], f"(risky: {change['risk']})" if change["risk"] else "")
    applied = receipt["exit_code"] == 0 and work.apply()
    print("applied" if applied else "discarded")
    work.discard()
    sys.exit(receipt["exit_code"] if receipt["exit_code"] or applied else 1)


if __name__ == "__main__":
    main()
