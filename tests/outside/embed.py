#!/usr/bin/python3
"""tests/outside/embed.py - runs a command through libpinfold by ctypes: embed.py LIBRARY TREE.

Every structure begins with its size, so that only the members that are used need to be spelled out.
"""
import ctypes
import json
import sys


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint32), ("sys", ctypes.c_int32), ("action", ctypes.c_char * 160),
                ("subject", ctypes.c_char * 640), ("recovery", ctypes.c_char * 640)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                ("config_file", ctypes.c_char_p), ("settings", ctypes.POINTER(ctypes.c_char_p))]


class Command(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("where", ctypes.c_uint32),
                ("argv", ctypes.POINTER(ctypes.c_char_p)), ("environment", ctypes.POINTER(ctypes.c_char_p)),
                ("set", ctypes.POINTER(ctypes.c_char_p)), ("directory", ctypes.c_char_p),
                ("descriptors", ctypes.POINTER(ctypes.c_int)), ("streams", ctypes.c_int32 * 3)]


class Result(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("ending", ctypes.c_uint32), ("value", ctypes.c_int32),
                ("survivors", ctypes.c_uint32), ("left", ctypes.c_uint32), ("exit_code", ctypes.c_uint32)]


def texts(*words):
    return (ctypes.c_char_p * (len(words) + 1))(*[word.encode() for word in words], None)


class Pinfold:
    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        self.handle = ctypes.c_void_p()
        self.call("pinfold_new", ctypes.byref(Options(ctypes.sizeof(Options))), ctypes.byref(self.handle))

    def call(self, name, *arguments):
        error = Error()
        if getattr(self.library, name)(*arguments, ctypes.byref(error)) < 0:
            raise RuntimeError(f"cannot {error.action.decode()}: {error.subject.decode()}: {error.recovery.decode()}")

    def run(self, directory, *argv):
        """Runs a command to its end: its exit code, and the receipt."""
        run, state, receipt = ctypes.c_void_p(), ctypes.c_uint32(), ctypes.c_void_p()
        result = Result(ctypes.sizeof(Result))
        command = Command(ctypes.sizeof(Command), argv=texts(*argv), directory=directory.encode(),
                          streams=(-1, -1, -1))
        self.call("pinfold_run_start", self.handle, ctypes.byref(command), ctypes.byref(run))
        try:
            self.call("pinfold_run_wait", run, -1, ctypes.byref(state))
            self.call("pinfold_run_result", run, ctypes.byref(result))
            self.call("pinfold_run_receipt", run, ctypes.byref(receipt))
            text = ctypes.string_at(receipt)
            ctypes.CDLL(None).free(receipt)
            return result.exit_code, json.loads(text)
        finally:
            self.library.pinfold_run_free(run)

    def close(self):
        self.library.pinfold_free(self.handle)


pinfold = Pinfold(sys.argv[1])
code, receipt = pinfold.run(sys.argv[2], "sh", "-c", "echo changed >file; exit 7")
assert code == 7, code
assert receipt["kind"] == "run" and receipt["arm"]["name"], receipt
try:
    pinfold.run(sys.argv[2], "no-such-program")
    sys.exit("a program that is not there was run")
except RuntimeError as error:
    assert "no-such-program" in str(error), error
pinfold.close()
