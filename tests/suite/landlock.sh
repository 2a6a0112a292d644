# tests/suite/landlock.sh - what holds in the arm that has no namespaces, and what is chosen where they are refused.
# arm landlock

# Outside of the tree, the caller's own, with what a command could want of it.
make_outside() {
	outside=$WORK/outside
	mkdir "$outside" "$outside/dir"
	echo precious >"$outside/file"
	echo more >"$outside/other"
	mkfifo "$outside/fifo"
	chmod 0640 "$outside/file"
	kept_outside=$(TREE=$outside manifest)
}
outside_is_kept() { diff <(echo "$kept_outside") <(TREE=$outside manifest) || { echo "what is outside was changed"; return 1; }; }

# Every way to change a file that Python has; `where` is outside, or in the tree for the twin.
cat_changes() {
	cat <<'END'
import ctypes, fcntl, os, sys, threading
where = sys.argv[1]
libc = ctypes.CDLL(None, use_errno=True)
def at(name): return os.path.join(where, name)
def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0: raise OSError(ctypes.get_errno(), "")
    return result
def read_only(name): return os.open(at(name), os.O_RDONLY)
def put(path, flags):
    fd = os.open(path, flags, 0o600); os.close(fd)
def through_link():
    os.symlink(at("file"), "leads"); os.chmod("leads", 0o777)
def through_descriptor(): os.chmod(f"/proc/self/fd/{read_only('file')}", 0o777)
def through_dev_fd(): os.chmod(f"/dev/fd/{read_only('file')}", 0o777)
def in_directory(): os.chmod("file", 0o777, dir_fd=os.open(where, os.O_RDONLY | os.O_DIRECTORY))
def in_working_directory():
    before = os.getcwd(); os.chdir(where)
    try: os.utime("file", (1, 1))
    finally: os.chdir(before)
def set_flags(): fcntl.ioctl(read_only("file"), 0x40086602, (0x80).to_bytes(8, "little"))
def descriptor_by_path(): put(f"/proc/self/fd/{read_only('file')}", os.O_WRONLY)
def nameless(): os.write(os.open(where, os.O_TMPFILE | os.O_RDWR, 0o600), b"x")
changes = {
    "create": lambda: put(at("new"), os.O_CREAT | os.O_WRONLY),
    "append": lambda: put(at("file"), os.O_APPEND | os.O_WRONLY),
    "open to write": lambda: put(at("file"), os.O_RDWR),
    "truncate": lambda: os.truncate(at("file"), 1),
    "truncate a read-only open": lambda: put(at("file"), os.O_RDONLY | os.O_TRUNC),
    "a descriptor by its path": descriptor_by_path,
    "write to a pipe": lambda: put(at("fifo"), os.O_RDWR | os.O_NONBLOCK),
    "file without a name": nameless,
    "mkdir": lambda: os.mkdir(at("newdir")),
    "mkfifo": lambda: os.mkfifo(at("newfifo")),
    "symlink": lambda: os.symlink("x", at("newlink")),
    "link in": lambda: os.link(at("file"), "linked"),
    "link out": lambda: os.link("one", at("newone")),
    "rename in": lambda: os.rename(at("other"), "taken"),
    "rename out": lambda: os.rename("src/say", at("say")),
    "rename": lambda: os.rename(at("file"), at("was")) or os.rename(at("was"), at("file")),
    "rename a directory": lambda: os.rename(at("dir"), at("wasdir")) or os.rename(at("wasdir"), at("dir")),
    "chmod": lambda: os.chmod(at("file"), 0o777),
    "chmod by descriptor": lambda: os.fchmod(read_only("file"), 0o777),
    "chmod by its path": through_descriptor,
    "chmod by /dev/fd": through_dev_fd,
    "chmod in a directory": in_directory,
    "chmod through a link": through_link,
    "chmod a directory": lambda: os.chmod(at("dir"), 0o777),
    "fchmodat2": lambda: call(452, -100, at("file").encode(), 0o777, 0),
    "chown": lambda: os.chown(at("file"), os.getuid(), os.getgid()),
    "lchown": lambda: os.chown(at("file"), os.getuid(), os.getgid(), follow_symlinks=False),
    "chown by descriptor": lambda: os.fchown(read_only("file"), os.getuid(), os.getgid()),
    "times": lambda: os.utime(at("file"), (1, 1)),
    "times now": lambda: os.utime(at("file")),
    "times by descriptor": lambda: os.utime(read_only("file"), (1, 1)),
    "times in the working directory": in_working_directory,
    "set an attribute": lambda: os.setxattr(at("file"), "user.x", b"y"),
    "set an attribute by descriptor": lambda: os.setxattr(read_only("file"), "user.x", b"y"),
    "remove an attribute": lambda: os.removexattr(at("file"), "user.x"),
    "set flags": set_flags,
    "unlink": lambda: os.unlink(at("other")),
    "rmdir": lambda: os.rmdir(at("dir")),
}
END
}

nothing_outside_can_be_changed_in_any_way() {
	keeps writes || skip "this machine does not keep writes"
	make_outside
	setattr "$outside/file" user.x y 2>/dev/null || :
	kept_outside=$(TREE=$outside manifest)
	{ cat_changes; cat <<-'END'
		for name, change in changes.items():
		    try: change(); print("escaped:", name)
		    except OSError: pass
		print("tried", len(changes))
	END
	} >changes.py
	keep_tree
	run -q -- /usr/bin/python3 changes.py "$outside"
	status_is 0
	out_has "tried 38"
	out_lacks escaped
	outside_is_kept
	same_manifest
}

# The twin: what is refused outside is all allowed in the copy.
everything_in_the_copy_can_be_changed_in_every_way() {
	mkdir inside inside/dir
	echo precious >inside/file
	echo more >inside/other
	setattr inside/file user.x y 2>/dev/null || skip "no attributes of users here"
	# A file system may have no flags, and a flag that is set stays no trouble.
	{ cat_changes; cat <<-'END'
		os.mkfifo(at("fifo"))
		for name, change in changes.items():
		    if name == "set flags": continue
		    try: change()
		    except OSError as error: print("refused:", name, error)
		    if name == "link in": os.unlink("linked")
		    if name == "rename in": os.rename("taken", at("other"))
		print("mode", oct(os.stat(at("file")).st_mode & 0o777))
	END
	} >changes.py
	keep_tree
	run -q -- /usr/bin/python3 changes.py inside
	status_is 0
	out_is "mode 0o777"
	same_manifest
}
setattr() { /usr/bin/python3 -c 'import os, sys; os.setxattr(sys.argv[1], sys.argv[2], sys.argv[3].encode())' "$@"; }

# The path that the call gave is another when it is looked at: a link that is swapped meanwhile.
a_race_of_links_changes_nothing_outside() {
	keeps writes || skip "this machine does not keep writes"
	make_outside
	cat >race.py <<-'END'
		import os, sys, threading, time
		outside, end = sys.argv[1], time.monotonic() + 2
		os.mkdir("a"); open("a/file", "w").close()
		def swap():
		    while time.monotonic() < end:
		        for target in ("a", outside):
		            os.symlink(target, "next"); os.rename("next", "way")
		threading.Thread(target=swap).start()
		done = refused = 0
		while time.monotonic() < end:
		    try: os.chmod("way/file", 0o777); done += 1
		    except OSError: refused += 1
		print("done" if done else "never", "refused" if refused else "never")
	END
	run -q -- /usr/bin/python3 race.py "$outside"
	out_is "done refused"
	outside_is_kept
}

what_is_hidden_can_be_neither_read_nor_listed_and_its_neighbours_can() {
	mkdir -p "$HOME/.ssh" "$HOME/.config/gh" "$HOME/lib/deep"
	echo key >"$HOME/.ssh/id"
	echo token >"$HOME/.config/gh/hosts.yml"
	echo secret >"$HOME/.netrc"
	echo fine >"$HOME/.config/ok"
	echo fine >"$HOME/lib/deep/ok"
	run -q -- sh -c 'cat ~/.ssh/id ~/.config/gh/hosts.yml ~/.netrc; ls ~/.ssh ~ ~/.config /proc/self/root/root/.ssh; head -c 9 <~/.netrc; cp ~/.netrc x; ln ~/.netrc y && cat y'
	out_is ""
	run -q -- sh -c 'cat ~/.config/ok ~/lib/deep/ok; ls ~/lib/deep'
	out_is $'fine\nfine\nok'
	err_lacks denied
}

hide_in_tree() {
	mkdir keys
	echo secret | tee hidden >keys/one
	hiding=(--set "filesystem.hidden=$TREE/hidden, $TREE/keys")
}

what_is_hidden_in_the_tree_is_not_in_the_copy_and_nobody_says_that_it_was_removed() {
	hide_in_tree
	run -q "${hiding[@]}" -- sh -c 'cat hidden keys/one "$1/hidden" "$1/keys/one"; ls -d hidden keys; ls "$1/keys"; echo fine | tee new' sh "$TREE"
	out_is fine
	pf diff --name-only
	out_is new
	pf apply
	status_is 0
	equal "$(cat hidden keys/one new)" $'secret\nsecret\nfine'
	run -q -- cat hidden keys/one
	out_is $'secret\nsecret'
	run -q "${hiding[@]}" -- cat hidden keys/one
	out_is ""
}

what_the_command_makes_in_the_place_of_what_is_hidden_is_its_own_and_never_replaces_it() {
	hide_in_tree
	run -q "${hiding[@]}" -- sh -c 'echo own | tee hidden; mkdir keys && echo own >keys/one && echo new >keys/two'
	out_is own
	pf apply --partial
	err_lacks secret
	out_lacks secret
	equal "$(cat hidden keys/one keys/two 2>&1)" $'secret\nsecret\nnew'
	run -q "${hiding[@]}" -- cat hidden keys/one
	out_is ""
}

what_is_protected_in_the_tree_is_refused_and_the_whole_of_it_is_only_read() {
	local name
	for name in one not-there; do
		run --set "filesystem.protected=-$TREE/$name" -- echo ran
		refused E_SANDBOX_DENIED
		err_has "--relax writes:$TREE/$name"
	done
	run -q --set filesystem.tree=readable -- sh -c 'cat one >/dev/null && chmod 0600 one; touch one; echo x >made; echo fine >"$TMPDIR/made" && cat "$TMPDIR/made"'
	out_is fine
	pf diff --name-only
	out_is ""
}

a_terminal_of_its_own_is_opened_by_its_name_and_the_callers_is_not() {
	local how
	for how in new inherit; do
		/usr/bin/python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' sh -c '"$1" run -q --arm landlock --set "pinfold.terminal=$2" -- \
			sh -c "(: >\"\$(tty)\") && echo own; (: >\"\$1\") 2>/dev/null && echo callers" sh "$(tty)"' sh "$PINFOLD" "$how" \
			</dev/null 2>"$WORK/err" | tr -d '\r' >"$WORK/$how"
	done
	equal "$(cat "$WORK/new")" own
	equal "$(cat "$WORK/inherit")" $'own\ncallers'
}

what_is_hidden_only_after_a_session_has_changed_it_is_refused_or_accepted_by_name() {
	hide_in_tree
	run -q --session one -- sh -c 'echo changed >hidden'
	run --session one "${hiding[@]}" -- echo ran
	refused E_SANDBOX_DENIED
	err_has "--relax secrets:$TREE/hidden"
	run -q --session one "${hiding[@]}" --relax "secrets:$TREE/hidden" -- cat hidden keys/one
	out_is changed
	run -q --session two -- sh -c 'cat keys/one && echo more >more'
	out_is secret
	run -q --session two "${hiding[@]}" -- cat hidden keys/one
	out_is ""
	pf diff --session two --name-only
	out_is more
	pf discard --session two more
	run -q --session two "${hiding[@]}" -- cat hidden keys/one
	out_is ""
}

no_socket_leads_to_a_service_and_pairs_remain() {
	keeps sockets,network || skip "this machine does not keep sockets"
	cat >"$WORK/server.py" <<-'END'
		import os, socket, sys
		def at(kind, address):
		    s = socket.socket(kind, socket.SOCK_STREAM); s.bind(address); s.listen(); return s
		path = at(socket.AF_UNIX, sys.argv[1] + "/s")
		abstract = at(socket.AF_UNIX, "\0pinfold-suite-%d" % os.getpid())
		tcp = at(socket.AF_INET, ("127.0.0.1", 0))
		open(sys.argv[1] + "/addresses", "w").write("%d %d" % (os.getpid(), tcp.getsockname()[1]))
		import time; time.sleep(60)
	END
	/usr/bin/python3 "$WORK/server.py" "$WORK" &
	at_end "kill $! 2>/dev/null"
	eventually 5 test -s "$WORK/addresses"
	cat >connect.py <<-'END'
		import ctypes, socket, sys
		place, pid, port = sys.argv[1:]
		def reach(name, family, kind, protocol, address):
		    try:
		        s = socket.socket(family, kind, protocol); s.settimeout(1); s.connect(address); print("reached", name)
		    except OSError: pass
		reach("path", socket.AF_UNIX, socket.SOCK_STREAM, 0, place + "/s")
		reach("abstract", socket.AF_UNIX, socket.SOCK_STREAM, 0, "\0pinfold-suite-" + pid)
		reach("tcp", socket.AF_INET, socket.SOCK_STREAM, 0, ("127.0.0.1", int(port)))
		reach("mptcp", socket.AF_INET, socket.SOCK_STREAM, 262, ("127.0.0.1", int(port)))
		reach("tcp6", socket.AF_INET6, socket.SOCK_STREAM, 0, ("::ffff:127.0.0.1", int(port)))
		for family, kind in ((socket.AF_INET, socket.SOCK_DGRAM), (16, 3), (17, 3), (40, 1), (38, 5)):
		    try: socket.socket(family, kind); print("made", family)
		    except OSError: pass
		for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
		    try: socket.socketpair(socket.AF_UNIX, kind); print("pair", kind)
		    except OSError: pass
		for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
		    a, b = socket.socketpair(socket.AF_UNIX, kind)
		    a.send(b"x"); assert b.recv(1) == b"x"
		    try: a.connect(place + "/s"); print("reached by a pair", kind)
		    except OSError: pass
		libc = ctypes.CDLL(None, use_errno=True)
		if libc.syscall(425, 4, ctypes.create_string_buffer(256)) >= 0: print("ring")
		print("tried")
	END
	run -q -- /usr/bin/python3 connect.py "$WORK" $(cat "$WORK/addresses")
	out_is tried
	run -q --set arm:landlock.sockets=open -- /usr/bin/python3 connect.py "$WORK" $(cat "$WORK/addresses")
	out_has "reached path"
	out_lacks "reached abstract"
	out_lacks "reached tcp"
}

processes_outside_are_neither_signalled_nor_looked_into() {
	local abi
	abi=$(/usr/bin/python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))')
	((abi >= 6)) || skip "this kernel's Landlock has no rule for signals"
	sleep 60 &
	at_end "kill $! 2>/dev/null"
	cat >others.py <<-'END'
		import ctypes, os, resource, signal, sys
		libc = ctypes.CDLL(None, use_errno=True)
		pid = int(sys.argv[1])
		def tried(name, action):
		    try: action(); print("escaped:", name)
		    except OSError: pass
		def call(number, *arguments):
		    if libc.syscall(ctypes.c_long(number), *arguments) < 0: raise OSError(ctypes.get_errno(), "")
		for other in (pid, os.getppid()):
		    tried("kill", lambda: os.kill(other, signal.SIGTERM))
		    tried("stop", lambda: os.kill(other, signal.SIGSTOP))
		    tried("pidfd", lambda: signal.pidfd_send_signal(os.pidfd_open(other), signal.SIGTERM))
		    tried("queue", lambda: call(129, other, 15, ctypes.create_string_buffer(128)))
		    tried("ptrace", lambda: call(101, 0x4206, other, 0, 0))
		    tried("memory", lambda: open(f"/proc/{other}/mem", "rb"))
		    tried("environment", lambda: open(f"/proc/{other}/environ", "rb").read())
		    tried("descriptors", lambda: open(f"/proc/{other}/fd/0"))
		    tried("root", lambda: os.listdir(f"/proc/{other}/root/"))
		    tried("limits", lambda: resource.prlimit(other, resource.RLIMIT_CPU, (0, 0)))
		    tried("getfd", lambda: call(438, os.pidfd_open(other), 0, 0))
		child = os.fork()
		if child == 0: signal.pause()
		os.kill(child, signal.SIGTERM); os.waitpid(child, 0)
		resource.prlimit(0, resource.RLIMIT_NOFILE)
		print("tried")
	END
	run -q -- /usr/bin/python3 others.py $!
	out_is tried
	kill -0 $!
}

what_needs_privileges_or_is_of_the_machine_is_refused() {
	cat >calls.py <<-'END'
		import ctypes, fcntl, os, struct
		libc = ctypes.CDLL(None, use_errno=True)
		def call(name, number, *arguments):
		    if libc.syscall(ctypes.c_long(number), *arguments) >= 0: print("escaped:", name)
		if os.uname().machine == "x86_64":
		    call("unshare user", 272, 0x10000000); call("clone3", 435, ctypes.create_string_buffer(88), 88)
		    call("keyctl", 250, 0, -3, 0); call("add_key", 248, b"user", b"x", b"y", 1, -1)
		    call("shmget", 29, 0, 4096, 0o1600); call("msgget", 68, 0, 0o1600); call("semget", 64, 0, 1, 0o1600)
		    call("mq_open", 240, b"pinfold-suite", 0o102, 0o600, None)
		    call("mount", 165, b"none", b"/", None, 0x21, None); call("pivot_root", 155, b".", b".")
		    call("bpf", 321, 0, None, 0); call("perf", 298, ctypes.create_string_buffer(128), 0, -1, -1, 0)
		    call("userfaultfd", 323, 1); call("io_uring", 425, 4, ctypes.create_string_buffer(256))
		    call("open_by_handle_at", 304, -100, ctypes.create_string_buffer(64), 0)
		    call("chroot", 161, b"."); call("setuid", 105, 12345)
		for request in (0x5412, 0x541C, 0x5423):
		    try: fcntl.ioctl(0, request, b"\x03\0\0\0"); print("escaped: ioctl", hex(request))
		    except OSError: pass
		for device in sorted(os.listdir("/sys/class/block"))[:3] + ["mem", "kmsg", "ptmx", "kvm", "fuse", "tty1"]:
		    for flags in (os.O_RDONLY, os.O_RDWR):
		        try: os.open("/dev/" + device, flags); print("escaped:", device)
		        except OSError: pass
		for device, flags in (("null", os.O_RDWR), ("zero", os.O_RDONLY), ("urandom", os.O_RDONLY), ("full", os.O_WRONLY)):
		    os.open("/dev/" + device, flags)
		status = open("/proc/self/status").read()
		print([line.split()[1] for line in status.splitlines() if line.startswith(("CapEff", "CapPrm", "NoNewPrivs", "Seccomp:"))])
	END
	run -q -- /usr/bin/python3 calls.py
	out_is "['0000000000000000', '0000000000000000', '1', '2']"
}

a_file_on_standard_input_cannot_be_opened_for_writing() {
	echo whole >"$WORK/input"
	status=0
	"$PINFOLD" run -q --arm landlock -- sh -c 'cat; echo broken >/proc/self/fd/0; chmod 0777 /proc/self/fd/0' <"$WORK/input" >"$WORK/out" 2>"$WORK/err" || status=$?
	equal "$(cat "$WORK/out")" whole
	equal "$(cat "$WORK/input")" whole
	[[ $(stat -c %a "$WORK/input") != 777 ]]
}

links_that_leave_the_tree_stay_and_lead_to_what_cannot_be_written() {
	make_outside
	ln -s "$outside" leaves
	ln -s "$TREE/one" back
	run -q -- sh -c 'cat leaves/file; readlink leaves; echo x >leaves/file; echo changed >back; cat one'
	out_is "precious
$outside
changed"
	outside_is_kept
	equal "$(cat one)" one
}

a_link_that_means_a_descriptor_of_its_opener_leads_to_none_of_the_hosts() {
	cat >links.py <<-'END'
		import os
		for number in range(3, 80):
		    os.symlink(f"/proc/self/fd/{number}", "leads")
		    for change in (lambda: os.chmod("leads", 0o600), lambda: os.utime("leads"), lambda: os.chown("leads", os.getuid(), os.getgid())):
		        try: change()
		        except OSError: pass
		        else: print("changed", number)
		    os.unlink("leads")
		os.chmod("/proc/self/fd/%d" % os.open("one", os.O_RDONLY), 0o640)
		print(oct(os.stat("one").st_mode)[-3:])
	END
	run -q -- /usr/bin/python3 links.py
	out_is 640
}
