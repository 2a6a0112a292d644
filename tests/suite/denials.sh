# tests/suite/denials.sh - what is refused is told: what, by which rule, and what would let it through.
# arm namespaces

. "$here/telling"

what_is_refused_is_told_with_its_rule_and_what_would_let_it_through() {
	local place=$WORK/home/place
	mkdir -p "$place/kept" "$HOME/.ssh"
	echo key >"$HOME/.ssh/id"
	echo plain >"$place/file"
	run --denials --receipt "$WORK/receipt" --set filesystem.writable="$place" --set filesystem.protected="$place/kept" -- sh -c '
		cat ~/.ssh/id; echo x >~/made; rm -f ~/place; echo x >~/place/kept/made; chmod 700 ~/.ssh
		echo x >inside; echo x >~/place/file; cat ~/place/file; echo x >/tmp/own; cat /etc/passwd /nowhere; mkdir /nowhere/x' 2>/dev/null
	equal "$(told "d['read', '$HOME/.ssh/id']['why']")" "it is hidden: $HOME/.ssh"
	equal "$(told "d['read', '$HOME/.ssh/id']['lift']")" "nothing lifts that: it is of the hard tier"
	equal "$(told "d['make', '$HOME/made']['lift']")" "set [filesystem] writable = $HOME"
	equal "$(told "d['make', '$place/kept/made']['why']")" "it is protected: $place/kept"
	equal "$(told "d['change', '$HOME/.ssh']['call'][:8]")" fchmodat
	equal "$(told "sorted({k[1] for k in d} - {'$HOME/.ssh/id', '$HOME/made', '$place/kept/made', '$HOME/.ssh', '$place'})")" "[]"
	equal "$(json "$WORK/receipt" 'd["denials_missing"], d["denials_more"]')" "None 0"
	err_has "refused to read $HOME/.ssh/id: it is hidden"
	err_has "set [filesystem] writable = $HOME"
	[[ ! -e $HOME/made ]]
}

what_the_caller_could_not_do_either_is_no_refusal() {
	((EUID != 0)) || skip "root may do nearly everything"
	run --denials --receipt "$WORK/receipt" -- sh -c 'echo x >/usr/made; cat /etc/shadow; rm /bin/sh' 2>/dev/null
	equal "$(told 'len(d)')" 0
	err_lacks "refused to"
}

addresses_and_sockets_that_are_refused_are_told() {
	cat >try.py <<'END'
import socket, sys
for family, address in ((socket.AF_INET, ("192.0.2.1", 80)), (socket.AF_INET6, ("2001:db8::1", 443)), (socket.AF_INET, ("127.0.0.1", 9)),
                        (socket.AF_UNIX, sys.argv[1]), (socket.AF_UNIX, "\0" + sys.argv[2]), (socket.AF_UNIX, "\0nobody")):
    try:
        socket.socket(family).connect(address)
    except OSError:
        pass
END
	/usr/bin/python3 -c 'import socket, sys, time
a, b = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
a.bind(sys.argv[1]); a.listen(); b.bind("\0" + sys.argv[2]); b.listen()
print("up", flush=True); time.sleep(30)' "$WORK/home/socket" "$SUITE_MARK" >"$WORK/up" &
	at_end "kill $!"
	eventually 10 grep -q up "$WORK/up"
	run -q --denials --receipt "$WORK/receipt" -- /usr/bin/python3 try.py "$WORK/home/socket" "$SUITE_MARK"
	equal "$(told "{k[1] for k in d} == {'192.0.2.1:80', '$WORK/home/socket', '@$SUITE_MARK', '[2001:db8::1]:443'}")" True
	equal "$(told 'd["connect", "192.0.2.1:80"]["why"]')" "the network is none"
	equal "$(told "d['connect', '$WORK/home/socket']['lift']")" "set [network] sockets = $WORK/home/socket"
}

where_something_is_sent_and_a_name_that_is_taken_are_told_as_connections_and_files_are() {
	/usr/bin/python3 -c 'import socket, sys, time
a = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); a.bind(sys.argv[1]); print("up", flush=True); time.sleep(30)' "$WORK/home/socket" >"$WORK/up" &
	at_end "kill $!"
	cat >try.py <<-'END'
		import ctypes, os, socket, struct, sys
		home, libc = sys.argv[1], ctypes.CDLL(None, use_errno=True)
		def attempt(call, *arguments):
		    try: call(*arguments)
		    except OSError: return
		    print("came through:", arguments)
		four, six, path = (socket.socket(f, socket.SOCK_DGRAM) for f in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX))
		attempt(four.sendto, b"x", ("192.0.2.1", 53)); attempt(six.sendto, b"x", ("2001:db8::1", 53))
		attempt(four.sendmsg, [b"x"], [], 0, ("192.0.2.2", 53)); attempt(path.sendto, b"x", home + "/socket")
		attempt(path.bind, home + "/taken")
		# Several at once, of which the second has another address.
		keep = [ctypes.create_string_buffer(struct.pack("=HH4s8x", 2, socket.htons(53), bytes((192, 0, 2, n)))) for n in (3, 4)]
		data = ctypes.create_string_buffer(b"x")
		vector = ctypes.create_string_buffer(struct.pack("=QQ", ctypes.addressof(data), 1))
		many = ctypes.create_string_buffer(b"".join(struct.pack("=QIIQQQQQII", ctypes.addressof(k), 16, 0, ctypes.addressof(vector), 1, 0, 0, 0, 0, 0)
		                                           for k in keep))
		assert libc.sendmmsg(four.fileno(), many, 2, 0) == -1
		# What comes through: by a connection, to itself, and a name of its own.
		one, other = socket.socketpair()
		one.send(b"x"); one.sendmsg([b"y"]); assert other.recv(1) + other.recv(1) == b"xy"
		own = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); own.bind("own"); path.sendto(b"x", "own"); assert own.recv(1) == b"x"
		mine = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); mine.bind(("0.0.0.0", 0))
		for to in ("127.0.0.1", "0.0.0.0"): four.sendto(b"z", (to, mine.getsockname()[1])); assert mine.recv(1) == b"z"
	END
	eventually 10 grep -q up "$WORK/up"
	run -q --denials --receipt "$WORK/receipt" -- /usr/bin/python3 try.py "$HOME"
	status_is 0
	out_is ""
	equal "$(told 'sorted((k[0], k[1], v["call"]) for k, v in d.items())')" "[('connect', '$HOME/socket', 'sendto'), \
('connect', '192.0.2.1:53', 'sendto'), ('connect', '192.0.2.2:53', 'sendmsg'), ('connect', '192.0.2.3:53', 'sendmmsg'), \
('connect', '192.0.2.4:53', 'sendmmsg'), ('connect', '[2001:db8::1]:53', 'sendto'), ('make', '$HOME/taken', 'bind')]"
	equal "$(json "$WORK/receipt" 'd["denials_missing"]')" None
}

calls_that_the_filter_refuses_are_told_and_stay_refused() {
	[[ $(uname -m) == x86_64 ]] || skip "the numbers of this test are those of x86_64"
	refused_calls >call.py
	run --denials --receipt "$WORK/receipt" -- /usr/bin/python3 call.py
	out_is $'1\n1\n1\n1\n1'
	equal "$(told 'sorted(k[1] for k in d if k[0] == "call")')" "['bpf', 'chroot', 'io_uring_setup', 'mount', 'syslog']"
	equal "$(told 'd["call", "mount"]["lift"]')" "set [kernel] allow = namespaces"
	equal "$(told 'd["call", "syslog"]["lift"]')" "nothing lifts that"
	err_has "refused to call mount"
	run -q --denials --set kernel.allow=performance --receipt "$WORK/receipt" -- /usr/bin/python3 call.py
	equal "$(told 'sorted(k[1] for k in d if k[0] == "call")')" "['chroot', 'io_uring_setup', 'mount', 'syslog']"
	run -q --denials --require kernel,writes,secrets,network,processes,process_tree -- true
	status_is 0
}

a_run_that_is_not_watched_has_no_refusals_in_its_receipt() {
	run --receipt "$WORK/receipt" -- sh -c 'echo x >~/made; grep Seccomp_filters /proc/self/status' 2>/dev/null
	equal "$(json "$WORK/receipt" '"denials" in d')" False
	local one=${out##*[[:space:]]}
	run -q --denials -- sh -c 'grep Seccomp_filters /proc/self/status'
	equal "${out##*[[:space:]]}" $((one + 1))
	err_lacks "refused to"
}

refusals_are_told_to_the_end_and_kept_within_a_bound() {
	run -q --denials --receipt "$WORK/receipt" -- sh -c '
		i=0; while [ $i -lt 300 ]; do { echo >~/made$i; } 2>/dev/null; i=$((i + 1)); done
		i=0; while [ $i -lt 50 ]; do { echo >~/made0; } 2>/dev/null; i=$((i + 1)); done'
	equal "$(told "len(d), d['make', '$HOME/made0']['count']")" "(256, 51)"
	equal "$(json "$WORK/receipt" 'd["denials_more"], d["denials_missing"]')" "44 None"
	run -q --denials --receipt "$WORK/receipt" -- sh -c 'setsid sh -c "sleep 0.3; echo >~/late" & sleep 0.6' 2>/dev/null
	equal "$(told "len(d)")" 1
	quick 10 run -q --denials --receipt "$WORK/receipt" --timeout 1s -- sh -c 'while :; do echo >~/again; done' 2>/dev/null
	status_is 124
	equal "$(told "len(d)")" 1
	equal "$(json "$WORK/receipt" 'd["denials_missing"]')" None
}

what_a_watched_command_does_is_what_it_does_unwatched() {
	run -q --denials -- sh -c 'cat one; mkdir -p a/b; ln -s one other; mv a c; cat other; ls; rm -r c; printf "#!/bin/sh\necho ran\n" >p; chmod +x p; ./p; cd src; ./say x; (sleep 0.1 & wait); kill -0 $$ && exit 7'
	status_is 7
	out_is $'one\none\nc\nlink\none\nother\nsrc\nran\nx'
	run -q --denials -- /no/such/program
	status_is 127
}
