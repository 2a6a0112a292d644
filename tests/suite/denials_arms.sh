# tests/suite/denials_arms.sh - what is refused is told in the same way by every arm that refuses, and through the program
# that another lets confine; and where nothing can be told, that is said.
# every arm

. "$here/telling"

# Each way in which this arm is used: `way` has the options.
each_way() {	# TEST
	[[ $ARM != copytree ]] || skip "copytree refuses nothing"
	local way=()
	"$1"
	[[ $ARM == namespaces && -x /usr/bin/bwrap ]] || return 0
	way=(--set arm:namespaces.wrapper=/usr/bin/bwrap)
	pf run "${way[@]}" -q -- true
	((status == 0)) || { echo "bubblewrap does not work here"; return 0; }
	"$1"
}
tell() { run -q --denials --receipt "$WORK/receipt" "${way[@]}" "$@"; }

# Whatever was refused, and nothing else, by each operation in each place.
matrix() {
	local here=${BASH_SOURCE%/*} place=$WORK/home/place
	rm -rf "$place"
	local places=("$place/plain" "$place/writable" "$place/hidden") policy=()
	if [[ $ARM == namespaces ]]; then	# landlock protects nothing in what may be written
		places+=("$place/writable/kept") policy=(--set filesystem.protected="$place/writable/kept")
	fi
	/usr/bin/python3 "$here/denials_matrix.py" --lay "${places[@]}" inside
	cp "$here/denials_matrix.py" matrix.py
	tell --set filesystem.writable="$place/writable" --set filesystem.hidden="$place/hidden" "${policy[@]}" -- \
		/usr/bin/python3 matrix.py inside "${places[@]}" 2>/dev/null
	status_is 0
	out_lacks inside
	out_has "write $place/plain/write"
	out_has "read $place/hidden/read"
	out_has "change $place/plain/chmod"
	[[ $ARM != namespaces ]] || out_has "change $place/writable/kept/chmod"
	out_lacks "writable/write"
	diff <(sort -u <<<"$out") <(json "$WORK/receipt" '"\n".join(x["operation"] + " " + x["target"] for x in d["denials"])' |
		grep -F "$place" | sort -u)
	equal "$(json "$WORK/receipt" 'd["denials_missing"], d["denials_more"]')" "None 0"
	rm -rf inside matrix.py
}
each_refusal_is_told_and_nothing_that_came_through() {
	each_way matrix
}

bounds() {
	tell -- sh -c '
		i=0; while [ $i -lt 300 ]; do { echo >~/made$i; } 2>/dev/null; i=$((i + 1)); done
		i=0; while [ $i -lt 50 ]; do { echo >~/made0; } 2>/dev/null; i=$((i + 1)); done'
	equal "$(told "len(d), d['make', '$HOME/made0']['count']")" "(256, 51)"
	equal "$(json "$WORK/receipt" 'd["denials_more"], d["denials_missing"]')" "44 None"
	tell -- sh -c 'setsid sh -c "sleep 0.3; echo >~/late" & sleep 0.6' 2>/dev/null
	equal "$(told "len(d)")" 1
	quick 10 tell --timeout 1s -- sh -c 'while :; do echo >~/again; done' 2>/dev/null
	status_is 124
	equal "$(told "len(d)")" 1
	equal "$(json "$WORK/receipt" 'd["denials_missing"], d["ending"]["limit"]')" "None timeout"
}
refusals_are_told_to_the_end_of_all_and_within_a_bound() {
	each_way bounds
}

names() {
	local name=$HOME/$'a\nb\e[31m"\\'
	run --denials --receipt "$WORK/receipt" "${way[@]}" -- sh -c 'exec 2>/dev/null; echo x >"$1"' - "$name"
	equal "$(told 'len(d)')" 1
	[[ $(json "$WORK/receipt" 'ascii(d["denials"][0]["target"])') == *'/a\nb\x1b[31m'* ]]
	never grep -q $'\e' "$WORK/err" "$WORK/receipt"
	never grep -q '^b' "$WORK/err"
}
a_hostile_name_is_told_without_what_a_terminal_obeys() {
	each_way names
}

calls() {
	refused_calls >call.py
	tell -- /usr/bin/python3 call.py
	out_is $'1\n1\n1\n1\n1'
	equal "$(told 'sorted(k[1] for k in d if k[0] == "call")')" "['bpf', 'chroot', 'io_uring_setup', 'mount', 'syslog']"
	equal "$(told 'd["call", "mount"]["lift"]')" "set [kernel] allow = namespaces"
}
calls_that_a_filter_refuses_are_told_by_every_arm_that_has_one() {
	[[ $(uname -m) == x86_64 ]] || skip "the numbers of this test are those of x86_64"
	each_way calls
}

arguments() {
	tell -- /usr/bin/python3 call.py
	status_is 0
	equal "$(told 'sorted(k[1] for k in d if k[0] == "call" and k[1].split("(")[0] in ("unshare", "clone", "ioctl", "socket") and "INET" not in k[1] and "NETLINK" not in k[1])')" \
		"['clone(CLONE_NEWNS)', 'clone(CLONE_NEWPID)', 'ioctl(TIOCLINUX)', 'ioctl(TIOCSTI)', 'socket(AF_ALG)', 'socket(AF_PACKET)', 'socket(AF_VSOCK)', 'socket(of a family that builds do not need)', 'unshare(CLONE_NEWNET)', 'unshare(CLONE_NEWUSER)']"
	equal "$(told 'd["call", "unshare(CLONE_NEWUSER)"]["lift"], d["call", "socket(AF_ALG)"]["lift"]')" \
		"('set [kernel] allow = namespaces', 'nothing lifts that')"
	equal "$(json "$WORK/receipt" 'd["denials_missing"]')" None
	tell --set kernel.allow=namespaces -- /usr/bin/python3 -c 'import ctypes; ctypes.CDLL(None).unshare(0x10000000)'
	equal "$(told '[k for k in d if k[0] == "call"]')" "[]"
}
calls_refused_for_their_arguments_are_told_and_get_the_errors_that_they_get_untold() {
	[[ $(uname -m) == x86_64 ]] || skip "the numbers of this test are those of x86_64"
	cat >call.py <<-'END'
		import ctypes
		call = ctypes.CDLL(None, use_errno=True).syscall
		for error, *arguments in ((1, 272, 0x10000000), (1, 272, 0x40000000), (1, 56, 0x20000 | 17, 0, 0, 0, 0),
		                          (1, 56, 0x20000000 | 17, 0, 0, 0, 0), (1, 16, -1, 0x5412, 0), (1, 16, -1, 0x541c, 0),
		                          (97, 41, 17, 3, 0), (97, 41, 38, 5, 0), (97, 41, 40, 1, 0), (97, 41, 44, 3, 0), (97, 41, 200, 1, 0)):
		    assert (call(*arguments), ctypes.get_errno()) == (-1, error), (arguments, ctypes.get_errno())
		assert call(272, 0x200) == 0	# a table of files of its own is nobody's business
	END
	each_way arguments
	run -q -- /usr/bin/python3 call.py
	status_is 0
}

unheard() { json "$WORK/receipt" '[x["kind"] for x in d["denials_unheard"]]'; }
kinds_unheard() {
	tell -- true
	equal "$(json "$WORK/receipt" 'all(x["kind"] and x["why"] for x in d["denials_unheard"]), "flags of clone3" in [x["kind"] for x in d["denials_unheard"]]')" "True True"
	run --denials "${way[@]}" -- true
	err_has "of these kinds no refusal is heard here: flags of clone3; "
	[[ $ARM == landlock ]] || { [[ $(unheard) != *addresses* ]]; return; }
	[[ $(unheard) == *"'addresses'"* ]]
	err_has "; addresses"
	((EUID == 0)) || [[ $(unheard) == *unreadable* ]]
	tell --set network.mode=host -- true
	[[ $(unheard) != *addresses* ]]
}
kinds_of_which_no_refusal_is_heard_are_in_the_receipt_and_said_in_a_line() {
	each_way kinds_unheard
	run -q --receipt "$WORK/receipt" -- true
	equal "$(json "$WORK/receipt" '"denials_unheard" in d')" False
}

an_address_is_told_or_that_there_is_no_socket_for_it() {
	[[ $ARM == landlock ]] || skip "the other arms are tested for it elsewhere"
	cat >try.py <<-'END'
		import socket
		for family, address in ((socket.AF_INET, ("127.0.0.1", 9)), (socket.AF_INET6, ("::1", 9)), (socket.AF_UNIX, "nowhere")):
		    try: socket.socket(family).connect(address)
		    except OSError as error: print(error.errno)
	END
	local way=()
	tell -- /usr/bin/python3 try.py
	equal "${out:0:5}" $'97\n97'
	equal "$(told "d['call', 'socket(AF_INET)']['call'], d['call', 'socket(AF_INET6)']['lift'][:25]")" "('socket', 'set [network] mode = host')"
	run -q --denials --set network.mode=ports --set network.connect=443 --receipt "$WORK/receipt" -- /usr/bin/python3 try.py
	((status == 0)) || skip "this kernel has no rules for ports"
	equal "$(told "sorted(k[1] for k in d if k[0] == 'connect')")" "['127.0.0.1:9', '[::1]:9']"
	equal "$(told "d['connect', '127.0.0.1:9']['why']")" "the network is ports"
	run -q --denials --relax network:listen --set network.mode=ports --set network.listen=18443 --receipt "$WORK/receipt" -- \
		/usr/bin/python3 -c 'import socket
try: socket.socket().bind(("127.0.0.1", 18444))
except OSError as error: assert error.errno == 13, error.errno'
	status_is 0
	equal "$(told "[(k[1], v['call'], v['lift']) for k, v in d.items() if k[0] == 'listen']")" \
		"[('127.0.0.1:18444', 'bind', 'set [network] listen = 18444')]"
	run -q --denials --set network.mode=ports --set network.connect=443 --receipt "$WORK/receipt" -- /usr/bin/python3 -c '
import socket, sys
for family, protocol in ((socket.AF_INET, 0), (socket.AF_INET6, 17)):
    try: sys.exit(socket.socket(family, socket.SOCK_DGRAM, protocol))
    except OSError as error: assert error.errno == 93, error.errno
try: sys.exit(socket.socket().listen())
except OSError as error: assert error.errno == 13, error.errno'
	status_is 0
	equal "$(told "sorted(k[1] for k in d if k[0] == 'call')")" "['listen', 'socket(AF_INET, SOCK_DGRAM)', 'socket(AF_INET6, SOCK_DGRAM)']"
}

runs_alike() {
	printf 'echo ran\n' >script
	chmod +x script
	tell -- sh -c 'cat one; mkdir -p a/b; ln -s one other; mv a c; cat other; chmod 700 c; touch -d @5 c; ls -A; rm -r c; ./script; cd src; ./say x; (sleep 0.1 & wait); exit 7'
	status_is 7
	out_is $'one\none\nc\nlink\none\nother\nscript\nsrc\nran\nx'
	tell -- ./script
	out_is ran
	tell -- /no/such/program
	status_is 127
	tell -- ls /proc/self/fd
	out_is $'0\n1\n2\n3'
	rm script
}
a_command_that_is_listened_to_does_what_it_does_otherwise() {
	each_way runs_alike
}

where_another_listens_already_the_run_is_refused_by_name() {
	local below=(/usr/bin/python3 "${BASH_SOURCE%/*}/below_a_listener.py" "$PINFOLD" run -q --arm "$ARM" --receipt "$WORK/receipt")
	status=0
	"${below[@]}" --denials -- touch ran >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	if [[ $ARM == copytree ]]; then
		status_is 0
		equal "$(json "$WORK/receipt" 'd["denials"], "refuses nothing" in d["denials_missing"]')" "[] True"
		return 0
	fi
	refused E_SANDBOX_DENIED 125
	err_has "listens to system calls already"
	err_has "leave out --denials"
	"${below[@]}" --relax writes -- true
}

what_nothing_confines_is_refused_nothing_and_that_is_said() {
	[[ $ARM == copytree ]] || skip "it is the same for every arm"
	run --denials --receipt "$WORK/receipt" -- true
	err_has "nothing can be told of refusals: the arm refuses nothing"
	err_lacks "no refusal is heard"
	equal "$(json "$WORK/receipt" 'd["denials_unheard"]')" "[]"
	equal "$(json "$WORK/receipt" 'd["denials"], "refuses nothing" in d["denials_missing"]')" "[] True"
	pf run --where host --set placement.host=always --denials --receipt "$WORK/receipt" -- true
	err_has "nothing confines the command"
	equal "$(json "$WORK/receipt" 'd["denials"], "nothing confines" in d["denials_missing"]')" "[] True"
}

what_lets_nobody_look_at_it_is_said_to_be_missing() {
	[[ $ARM == landlock ]] || skip "an owner of a user namespace may look at all that is in it"
	((EUID != 0)) || skip "root may look at everything"
	local way=()
	tell -- /usr/bin/python3 -c 'import ctypes, os
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)	# not dumpable
try: open(os.path.expanduser("~/made"), "w")
except OSError: pass'
	equal "$(json "$WORK/receipt" '"lets nobody look" in d["denials_missing"]')" True
}

# What the caller accepted came through, so it is no refusal.
what_is_given_up_by_name_is_not_told() {
	[[ $ARM == landlock ]] || skip "this is about a gap of landlock's"
	local way=()
	tell --set arm:landlock.sockets=open --relax sockets -- /usr/bin/python3 -c 'import socket
s = socket.socket(socket.AF_UNIX)
try: s.connect("/run/nowhere")
except OSError: pass'
	status_is 0
	equal "$(told 'len(d)')" 0
}

reported() {
	local server line
	tell -- sh -c 'echo >~/made' 2>/dev/null
	pf report --receipt "$WORK/receipt"
	out_has 'What it was refused'
	out_has 'Not heard here: flags of clone3'
	out_has "$HOME/made"
	tell --set limits.file-size=1000 -- sh -c 'echo >~/made; exec head -c 5000 /dev/zero >big' 2>/dev/null
	equal "$(told 'len(d)')" 1
	# Of what another program waits for, only its status is known.
	[[ ${#way[@]} -gt 0 ]] || equal "$(json "$WORK/receipt" 'd["ending"]["limit"]')" file-size
	tell --events "$WORK/events" -- sh -c 'echo >~/made' 2>/dev/null
	status_is 2
	grep -q '"settled"' "$WORK/events"
	line='{"id": 1, "do": "run", "argv": ["sh", "-c", "echo >~/made"], "receipt": true, "settings": ["pinfold.denials=yes", "pinfold.arm='$ARM'"'
	[[ ${#way[@]} == 0 ]] || line+=", \"${way[1]}\""
	rm -f "$WORK/answered"
	{ echo "$line]}"; eventually 20 grep -qs '"event":"ended"' "$WORK/answered"; } | "$PINFOLD" serve >"$WORK/answered" 2>"$WORK/said"
	grep -qF "\"target\":\"$HOME/made\"" "$WORK/answered"
}
refusals_are_told_in_the_report_by_a_server_and_beside_a_limit() {
	each_way reported
}
