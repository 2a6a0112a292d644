# tests/suite/ceilings.sh - ceilings on everything that a run starts, together: held where a cgroup was delegated,
# and refused by name where not.
# every arm

# The caller's cgroup, and the one that was delegated: that in which it is, or the one above once it has stepped aside.
own_group() { echo "$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)$(sed -n 's/^0:://p' /proc/self/cgroup)"; }
place() { local own; own=$(own_group); [[ $own != */pinfold-callers ]] || own=${own%/*}; echo "$own"; }
aside=(--set limits.step-aside=yes)
have_group() {
	[[ $ARM != copytree ]] || skip "copytree holds no command in a cgroup"
	run "${aside[@]}" -q --require resources -- true
	((status == 0)) || skip "no delegated cgroup is here: ${err//$'\n'/ }"
}
lack_group() {
	run -q --require resources -- true
	((status != 0)) || skip "a delegated cgroup is here"
}
groups() { find "$(place)" -maxdepth 1 -name 'pinfold-run-*' 2>/dev/null; }
no_groups() { [[ ! $(groups) ]]; }
limit_is() { equal "$(json "$WORK/receipt" 'd["ending"].get("limit")')" "$1"; }

a_ceiling_that_cannot_be_held_is_refused_by_name_with_what_would_lift_it() {
	keep_tree
	lack_group
	local name
	for name in memory=1G tasks=100 processors=1.5; do
		run --set "limits.$name" -- echo ran
		refused E_SANDBOX_DENIED
		err_has "${name%=*}"
		err_has "--relax resources:${name%=*}"
	done
	run --set limits.memory=1G --set limits.tasks=100 --relax resources:memory -- echo ran
	refused E_SANDBOX_DENIED
	err_lacks "resources:memory;"
	err_has "resources:tasks"
}

where_version_1_has_the_controllers_it_is_told_what_gives_them_to_version_2() {
	[[ $ARM != copytree ]] || skip "copytree holds no command in a cgroup"
	awk '$1 == "memory" && $2 > 0 && $4 == 1 { found = 1 } END { exit !found }' /proc/cgroups || skip "version 1 has no memory here"
	run --set limits.memory=1G -- echo ran
	refused E_SANDBOX_DENIED
	err_has "version 1"
	err_has "systemd.unified_cgroup_hierarchy=1"
	err_has "cgroup_no_v1=all"
	err_lacks "systemd-run"
}

a_ceiling_that_was_relaxed_is_told_and_the_command_runs() {
	lack_group
	run --receipt "$WORK/receipt" --set limits.tasks=100 --relax resources -- echo ran
	status_is 0
	out_is ran
	err_has "not enforced, as --relax resources:tasks accepts"
	equal "$(json "$WORK/receipt" '"resources:tasks" in d["relaxed"]')" True
	equal "$(json "$WORK/receipt" 'd["arm"]["promises"]["resources"]["kept"]')" False
}

the_promise_that_is_required_and_not_kept_is_refused_with_what_would_lift_it() {
	lack_group
	run --require resources -- echo ran
	refused E_SANDBOX_DENIED
	err_has resources
}

without_a_ceiling_nobody_looks_for_a_cgroup() {
	command -v strace >/dev/null || skip "needs strace"
	not_sanitized ptrace
	run -q -- true
	status_is 0
	strace -f -o "$WORK/calls" "$PINFOLD" run -q --arm "$ARM" -- true
	never grep -E 'mountinfo|proc/self/cgroup|cgroup\.' "$WORK/calls"
}

an_explanation_names_the_gap_and_moves_nobody() {
	local before
	before=$(cat /proc/self/cgroup)
	pf explain --arm "$ARM" "${aside[@]}" --set limits.tasks=100 --json -- true
	status_is 0
	equal "$(cat /proc/self/cgroup)" "$before"
	no_groups
}

becoming_the_command_leaves_nobody_to_remove_a_cgroup() {
	pf exec --arm "$ARM" --view direct --set limits.tasks=100 -- echo ran
	refused E_SANDBOX_DENIED
}

as_many_tasks_as_the_ceiling_allows_and_no_more() {
	keep_tree
	have_group
	run "${aside[@]}" --receipt "$WORK/receipt" --set limits.tasks=20 -- /usr/bin/python3 -c '
import os, time
made = 0
try:
    for i in range(200):
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        made += 1
except OSError as error:
    print(made < 20, error.errno)'
	status_is 0
	out_is "True 11"
	limit_is tasks
	err_has "[limits] tasks"
	equal "$(json "$WORK/receipt" 'd["arm"]["promises"]["resources"]["kept"]')" True
	no_groups
}

a_fork_bomb_ends_with_its_time_and_harms_nobody() {
	have_group
	quick 30 run "${aside[@]}" -q --timeout 2s --set limits.tasks=50 -- bash -c 'bomb() { bomb | bomb & }; bomb; sleep 60'
	status_is 124
	nothing_runs
	no_groups
}

memory_past_the_ceiling_ends_processes_of_the_run_alone() {
	have_group
	run "${aside[@]}" --receipt "$WORK/receipt" --set limits.memory=64M -- /usr/bin/python3 -c 'x = bytearray(300 << 20)'
	status_is 137
	limit_is memory
	err_has "[limits] memory"
	run "${aside[@]}" --receipt "$WORK/receipt" --set limits.memory=64M -- sh -c \
		'for i in 1 2 3 4 5 6; do /usr/bin/python3 -c "x = bytearray(30 << 20); import time; time.sleep(3)" & done; wait; echo on'
	out_is on
	limit_is memory
	no_groups
}

what_lies_in_the_temporary_directory_in_memory_counts() {
	have_group
	[[ $ARM == namespaces ]] || skip "its temporary directory is on disk"
	run "${aside[@]}" -q --receipt "$WORK/receipt" --set limits.memory=48M -- head -c 200000000 /dev/zero >/dev/null
	status_is 0
	run "${aside[@]}" -q --receipt "$WORK/receipt" --set limits.memory=48M -- \
		sh -c 'head -c 200000000 /dev/zero >/dev/shm/held; echo $?'
	limit_is memory
}

a_share_of_processors_is_what_a_command_gets() {
	have_group
	run "${aside[@]}" -q --receipt "$WORK/receipt" --set limits.processors=0.2 -- /usr/bin/python3 -c '
import os, time
began, used = time.monotonic(), sum(os.times()[:2])
while sum(os.times()[:2]) - used < 0.4:
    pass
print(0.1 < 0.4 / (time.monotonic() - began) < 0.35)'
	out_is True
	limit_is None
}

a_command_within_its_ceilings_is_told_nothing() {
	have_group
	run "${aside[@]}" -q --receipt "$WORK/receipt" --set limits.memory=1G --set limits.tasks=100 --set limits.processors=2 -- sh -c 'exit 3'
	status_is 3
	equal "$err" ""
	limit_is None
}

the_command_can_neither_leave_nor_change_its_cgroup() {
	have_group
	local place
	place=$(place)
	run "${aside[@]}" -q --set limits.tasks=30 -- bash -c "for at in '$place' '$place'/*; do
		(echo 0 >\"\$at/cgroup.procs\") 2>/dev/null && echo \"left to \$at\"
		(echo max >\"\$at/pids.max\") 2>/dev/null && echo \"changed \$at\"
		mkdir \"\$at/mine\" 2>/dev/null && echo \"made in \$at\"
	done; true"
	status_is 0
	out_is ""
	run "${aside[@]}" -q --set limits.tasks=30 -- /usr/bin/python3 -c "
import ctypes, os, struct, sys
place = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECTORY)
call = struct.pack('11Q', 0x200000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, place)
pid = ctypes.CDLL(None).syscall(435, call, len(call))
if pid == 0: os._exit(0)
print('left' if pid > 0 else 'held')" "$place"
	out_is held
}

what_holds_the_cgroups_cannot_be_writable() {
	have_group
	run "${aside[@]}" --set limits.tasks=30 --set "filesystem.writable=$(place)" -- echo ran
	refused E_SANDBOX_DENIED
	err_has resources:tasks
	run "${aside[@]}" --set limits.tasks=30 --set kernel.allow=namespaces -- echo ran
	refused E_SANDBOX_DENIED
	err_has resources:tasks
}

what_a_killed_pinfold_has_left_the_next_run_removes() {
	have_group
	local left
	"$PINFOLD" run -q --arm "$ARM" "${aside[@]}" --set limits.tasks=30 -- sleep 60 &
	left=$!
	eventually 10 some_group
	sleep 1
	kill -KILL "$left"
	wait "$left" || :
	[[ $(groups) ]]
	run "${aside[@]}" -q --set limits.tasks=30 -- true
	status_is 0
	no_groups
}
some_group() { [[ $(groups) ]]; }

many_at_once_have_a_cgroup_each_and_leave_none() {
	have_group
	local i pids=()
	for i in {1..12}; do
		"$PINFOLD" run -q --arm "$ARM" "${aside[@]}" --set limits.tasks=30 -- sh -c "sleep 1; exit $i" &
		pids+=($!)
	done
	for i in {1..12}; do
		status=0
		wait "${pids[i - 1]}" || status=$?
		status_is "$i"
	done
	no_groups
}

a_server_has_ceilings_for_each_run() {
	have_group
	printf '%s\n' '{"id":1,"do":"run","argv":["/usr/bin/python3","-c","x=bytearray(300<<20)"],"settings":["limits.memory=64M"]}' \
		'{"id":2,"do":"run","argv":["true"]}' >"$WORK/in"
	status=0
	"$PINFOLD" serve --drain --set "pinfold.arm=$ARM" "${aside[@]}" <"$WORK/in" >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	out_has '"limit":"memory"' || out_has '"limit": "memory"'
	no_groups
}

a_ceiling_on_a_command_without_confinement_is_refused_unless_it_is_given_up() {
	run --where host --set placement.host=always --set limits.tasks=50 -- touch "$WORK/ran"
	refused E_SANDBOX_DENIED
	[[ ! -e $WORK/ran ]]
	err_has resources:tasks
	run --where host --set placement.host=always --set limits.tasks=50 --relax resources:tasks -- touch "$WORK/ran"
	status_is 0
	[[ -e $WORK/ran ]]
}
