# Becomes the command below a listener of its own, whose filter asks about nothing: the kernel then has no second one.
import ctypes, os, struct, sys

libc = ctypes.CDLL(None, use_errno=True)
allow = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0x7fff0000))
program = struct.pack("HxxxxxxQ", 1, ctypes.addressof(allow))
libc.prctl(38, 1, 0, 0, 0)	# no new privileges
listener = libc.syscall({"x86_64": 317}.get(os.uname().machine, 277), 1, 8, program)
if listener < 0:
    sys.exit("no listener: " + os.strerror(ctypes.get_errno()))
os.set_inheritable(listener, True)
os.execv(sys.argv[1], sys.argv[1:])
