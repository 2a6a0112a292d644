# tests/suite/steps.sh - between the host and the command's program the child makes the calls that are listed here, and
# no other: what it does there it does with the caller's memory, and before it is confined.
# every arm

steps_common=' chdir clone close close_range dup3 execve execveat exit_group fcntl futex getcpu getpid getppid getpriority
	ioctl prctl prlimit64 recvfrom restart_syscall rt_sigaction rt_sigprocmask sched_getaffinity sched_setaffinity setpgid setpriority setsid '
steps_confining=' capget capset keyctl landlock_add_rule landlock_create_ruleset landlock_restrict_self openat openat2
	seccomp statx '
steps_landlock=' sendmsg socket '	# a descriptor, to whom the filter asks
steps_watching=' sendmsg '	# the listener's descriptor
steps_namespaces=' clock_gettime fchdir fchmodat fsconfig fsmount fsopen mkdirat mknodat mount_setattr move_mount open_tree
	pivot_root setns socket statfs symlinkat umask umount2 unshare utimensat write '

# Of each task that comes to execute a program: the calls that it made before, by name. The host's own are none of them.
child_calls() {
	awk 'NR == 1 { host = $1 }
		$1 == host || done[$1] { next }
		{ name = $2; sub(/\(.*/, "", name) }
		name == "<..." { name = $3 }
		name !~ /^[a-z_0-9]+$/ { next }
		(name == "execve" || name == "execveat") && / = 0$/ { done[$1] = 1; next }
		{ made[$1, name] = 1 }
		END { for (key in made) { split(key, part, SUBSEP); if (done[part[1]]) print part[2] } }' "$1" | sort -u
}

only_listed_calls() {	# OPTION…
	local call made=0
	run -q "$@" -- true
	status_is 0
	strace -f -o "$WORK/calls" "$PINFOLD" run --arm "$ARM" -q "$@" -- true >/dev/null
	for call in $(child_calls "$WORK/calls"); do
		made=$((made + 1))
		[[ " ${listed//[$'\n\t']/ } " == *" $call "* ]] || { echo "the child called $call with: $*"; return 1; }
	done
	((made > 10))
}

the_child_makes_no_other_calls_than_those_that_are_listed() {
	command -v strace >/dev/null || skip "strace is missing"
	not_sanitized "being traced"
	local listed=$steps_common
	[[ $ARM == copytree ]] || listed+=$steps_confining
	[[ $ARM != landlock ]] || listed+=$steps_landlock
	[[ $ARM != namespaces ]] || listed+=$steps_namespaces
	only_listed_calls
	only_listed_calls --session one
	only_listed_calls --set limits.nice=3 --set limits.processes=500
	only_listed_calls --set pinfold.terminal=inherit
	[[ $ARM == copytree ]] || listed+=$steps_watching
	only_listed_calls --denials
	[[ $ARM == namespaces ]] || return 0
	only_listed_calls --view overlay
	only_listed_calls --set network.mode=host
	only_listed_calls --set network.mode=ports --set network.connect=443
	only_listed_calls --preset build
	((EUID != 0)) || only_listed_calls --scope machine
}
