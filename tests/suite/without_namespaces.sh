# tests/suite/without_namespaces.sh - on machines that refuse user namespaces the next arm of the preference is taken, and
# what it does not keep is said.

# like HOW COMMAND…: the command below what such a machine refuses.
like() {
	local how=$1
	shift
	[[ $(uname -m) == x86_64 ]] || skip "this test knows the numbers of x86-64's calls only"
	if [[ $how == limit ]]; then
		unshare --user --map-current-user true 2>/dev/null || skip "no user namespaces here to take them away in"
		unshare --user --map-current-user --keep-caps sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' sh "$@"
		return
	fi
	/usr/bin/python3 - "$how" "$@" <<-'END'
		import ctypes, errno, os, struct, sys
		how, command = sys.argv[1], sys.argv[2:]
		libc = ctypes.CDLL(None, use_errno=True)
		def statement(code, jt, jf, k): return struct.pack("HBBI", code, jt, jf, k)
		def refuse(error): return statement(0x06, 0, 0, 0x00050000 | error)
		# Of an argument, where it lies and which bits of it are refused.
		new, closing = (16, 0x7e020000), (32, 4)
		# Engines refuse more than this by their default profiles; what counts is what the arms ask for.
		calls = {"docker": [(56, errno.EPERM, new), (272, errno.EPERM, new), (435, errno.ENOSYS, None), (165, errno.EPERM, None),
		                    (166, errno.EPERM, None), (155, errno.EPERM, None), (308, errno.EPERM, None), (250, errno.EPERM, None),
		                    (428, errno.EPERM, None), (429, errno.EPERM, None), (442, errno.EPERM, None)],
		         "apparmor": [(56, errno.EACCES, new), (272, errno.EACCES, new), (435, errno.ENOSYS, None)],
		         "bare": [(56, errno.EPERM, new), (272, errno.EPERM, new), (435, errno.ENOSYS, None),
		                  (444, errno.ENOSYS, None), (445, errno.ENOSYS, None), (446, errno.ENOSYS, None)],
		         "linux-5.10": [(436, errno.EINVAL, closing), (442, errno.ENOSYS, None),
		                        (444, errno.ENOSYS, None), (445, errno.ENOSYS, None), (446, errno.ENOSYS, None)]}[how]
		code = b""
		for number, error, argument in calls:
		    code += statement(0x20, 0, 0, 0)
		    if argument:
		        code += statement(0x15, 0, 3, number) + statement(0x20, 0, 0, argument[0]) + statement(0x45, 0, 1, argument[1]) + refuse(error)
		    else:
		        code += statement(0x15, 0, 1, number) + refuse(error)
		code += statement(0x06, 0, 0, 0x7fff0000)
		program = ctypes.create_string_buffer(code)
		class Program(ctypes.Structure): _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_void_p)]
		if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(Program(len(code) // 8, ctypes.addressof(program)))):
		    sys.exit("no filter")
		os.execv(command[0], command)
	END
}
needs_landlock() {
	[[ $(/usr/bin/python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))') -gt 0 ]] || skip "this kernel has no Landlock"
}
# As pf, below that.
pf_like() {
	status=0
	like "$1" "$PINFOLD" "${@:2}" >"$WORK/out" 2>"$WORK/err" || status=$?
	[[ $status != 77 ]] || skip "$(<"$WORK/err")"
	show
}

the_arm_landlock_is_taken_where_user_namespaces_are_refused() {
	local how
	needs_landlock
	keep_tree
	for how in docker apparmor limit; do
		pf_like "$how" run --receipt "$WORK/receipt" -- sh -c 'echo two >one; cat one; chmod 0600 one; ls >list; echo x >/var/tmp/pinfold-outside'
		[[ $status != 0 ]]
		out_is two
		[[ ! -e /var/tmp/pinfold-outside ]]
		err_has "namespaces is not available"
		err_lacks seatbelt
		grep -q "landlock: it guarantees .*; it does not guarantee: separation from other processes" "$WORK/receipt"
		same_manifest
	done
}

what_is_said_of_the_arms_is_right_where_user_namespaces_are_refused() {
	needs_landlock
	pf_like docker probe --json
	status_is 0
	equal "$(json "$WORK/out" '[a["available"] for a in d["arms"] if a["name"] in ("namespaces", "landlock")]')" '[False, True]'
	pf_like docker explain -- true
	out_has landlock
	pf_like docker probe --require writes,secrets,network,sockets
	status_is 0
	pf_like docker probe --require processes
	never status_is 0
}

a_promise_that_landlock_does_not_keep_is_refused_there() {
	needs_landlock
	pf_like docker run --require processes -- echo ran
	refused E_SANDBOX_DENIED
	err_has "landlock does not keep processes"
}

with_neither_of_them_the_copy_is_left_and_that_is_said() {
	pf_like bare run --receipt "$WORK/receipt" -- cat one
	status_is 0
	out_is one
	err_has "landlock is not available"
	grep -q "copytree: it guarantees" "$WORK/receipt"
}

with_a_kernel_before_linux_5_11_the_copy_is_left_and_no_descriptor_of_the_caller_reaches_the_command() {
	local wanted verb
	run -q --arm copytree -- ls /proc/self/fd
	wanted=$out
	exec 7<one 300<one
	for verb in "run -q --arm copytree" "run -q" "exec -q --view direct --arm copytree"; do
		pf_like linux-5.10 $verb -- ls /proc/self/fd
		status_is 0
		out_is "$wanted"
	done
	exec 7<&- 300<&-
}
