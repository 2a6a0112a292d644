# tests/suite/killed.sh - whatever is killed, and wherever room or rights are missing, the next call works.
# every view

# Of a tree of its own: the files `one`, and `many/*`, all of one generation.
generation() { cat one many/* | sort -u; }

set_generation() {	# NUMBER
	mkdir -p many
	local i
	for i in one many/{1..40}; do echo "generation $1" >"$i"; done
}

# Kills the verb after a moment of up to so many milliseconds, its command with it.
kill_within() {	# MILLISECONDS ARGUMENT…
	local most=$1 pid
	shift
	"$PINFOLD" "$@" >/dev/null 2>&1 &
	pid=$!
	sleep "$(printf '0.%03d' $((RANDOM % most)))"
	kill -KILL "$pid" 2>/dev/null || :
	wait "$pid" 2>/dev/null || :
}

kills_of_every_verb_leave_the_tree_before_or_after_and_the_next_call_works() {
	local round was now wanted dropped view=
	[[ $ARM != */* ]] || view=${ARM#*/}
	set_generation 0
	for ((round = 1; round <= ${SUITE_ROUNDS:-12}; round++)); do
		was=$(generation)
		sleep 0.03
		kill_within 80 run -q ${ARM:+--arm "${ARM%/*}"} ${view:+--view "$view"} --session k -- sh -c 'for i in one many/*; do echo half >$i; done; sleep 1'
		equal "$(generation)" "$was"
		run -q --session k -- sh -c "for i in one many/*; do echo 'generation $round' >\$i; done; rm -rf gone; mkdir gone; touch gone/{1,2,3}"
		status_is 0
		wanted="generation $round"
		case $((round % 4)) in
		0) kill_within 60 gc ;;
		1) kill_within 60 diff --session k ;;
		2) kill_within 30 discard --session k many/7 many/23
			pf diff --session k --name-only many/7 many/23
			status_is 0
			[[ ! $out || $out == $'many/23\nmany/7' ]] || { echo "neither dropped nor kept: $out"; return 1; }
			dropped=$([[ $out ]] || echo yes)
			run -q --session k -- sh -c "for i in 7 23; do ${dropped:+! }grep -q 'generation $round\$' many/\$i || exit 1; done"
			status_is 0
			run -q --session k -- sh -c "for i in 7 23; do echo 'generation $round' >many/\$i; done" ;;
		esac
		equal "$(generation)" "$was"
		kill_within 50 apply --session k
		pf diff --session k --name-only
		status_is 0
		now=$(generation)
		[[ $now == "$was" || $now == "$wanted" ]] || { echo "neither before nor after: $now"; return 1; }
		[[ ! $(find . -name '.pinfold-*') ]]
		pf apply --session k
		status_is 0
		equal "$(generation)" "$wanted"
		((round % 3)) || kill_within 40 discard --session k
	done
	pf discard --session k || :
	run -q --session k -- sh -c 'cat one many/* | sort -u'
	out_is "$wanted"
}

# A scratch directory of so many bytes.
small_scratch() {	# SIZE
	as_root_only
	mkdir "$WORK/small"
	mount -t tmpfs -o "size=$1,mode=0700" none "$WORK/small" || skip "no file system can be mounted"
	at_end "umount -l '$WORK/small'"
	allowed_mount=$WORK/small
	here=(--set "filesystem.scratch=$WORK/small")
}

where_the_scratch_directory_is_full_changes_are_shown_and_room_is_made() {
	small_scratch 3m
	run -q "${here[@]}" --session s -- sh -c 'echo changed >one'
	status_is 0
	run -q "${here[@]}" -- sh -c 'head -c 100000 /dev/zero >some'
	keep_tree
	dd if=/dev/zero of="$WORK/small/filler" bs=64k 2>/dev/null || :
	pf diff --session s "${here[@]}" --name-only
	status_is 0
	out_is one
	pf gc "${here[@]}" --set session.keep-count=0 --set copy.kept=0 || :
	err_lacks "assert"
	same_manifest
	rm "$WORK/small/filler"
	pf gc "${here[@]}"
	status_is 0
	pf diff --session s "${here[@]}" --name-only
	out_is one
	lose_tree
	pf apply --session s "${here[@]}"
	status_is 0
	equal "$(cat one)" changed
}

where_the_scratch_directory_is_read_only_nothing_is_lost_and_that_is_said() {
	small_scratch 20m
	run -q "${here[@]}" --session s -- sh -c 'echo changed >one'
	status_is 0
	keep_tree
	eventually 10 mount -o remount,ro "$WORK/small"
	local verb
	for verb in gc "diff --session s" "apply --session s" "discard --session s" "run -q --session s -- echo ran"; do
		pf ${verb%% *} "${here[@]}" $([[ $verb != *" "* ]] || echo "${verb#* }")
		[[ $status == 0 || $err == *"Read-only file system"* || $err == *"read-only"* ]] ||
			{ echo "$verb does not say why"; return 1; }
		[[ $verb == diff* || $verb == gc || $status != 0 ]]
		same_manifest
	done
	mount -o remount,rw "$WORK/small"
	lose_tree
	pf apply --session s "${here[@]}"
	status_is 0
	equal "$(cat one)" changed
}

# One verb among others that are at it: done, nothing to do, or told that somebody is.
among_others() {	# ARGUMENT…
	local said status=0
	said=$("$PINFOLD" "$@" 2>&1 </dev/null) || status=$?
	((status <= 1)) || [[ $status == 125 && $said =~ E_(BUSY|SESSION) ]] || echo "$*: status $status: $said" >>"$WORK/odd"
}

every_verb_at_once_on_one_session_leaves_the_tree_of_one_command() {
	local round view= i pids
	[[ $ARM != */* ]] || view=${ARM#*/}
	set_generation 0
	for ((round = 1; round <= ${SUITE_ROUNDS:-4}; round++)); do
		pids=()
		(for i in 1 2 3; do among_others run -q ${ARM:+--arm "${ARM%/*}"} ${view:+--view "$view"} --session k -- \
			sh -c "for i in one many/*; do echo 'generation $round.$i' >\$i; done; rm -rf n; mkdir n; echo n >n/n"; done) & pids+=($!)
		(for i in 1 2 3 4; do among_others apply --session k; done) & pids+=($!)
		(for i in 1 2 3 4; do among_others apply --session k one many; done) & pids+=($!)
		(sleep "0.0$((RANDOM % 10))"; among_others discard --session k n; among_others discard --session k) & pids+=($!)
		(for i in 1 2 3; do among_others diff --session k --json; among_others gc; among_others sessions; done) & pids+=($!)
		wait "${pids[@]}"
		[[ ! -s $WORK/odd ]] || { cat "$WORK/odd"; return 1; }
		[[ $(generation | wc -l) == 1 ]] || { generation; return 1; }
		[[ ! $(find . -name '.pinfold-*') ]]
	done
	pf discard --session k
	run -q --session k -- sh -c 'echo last >one'
	pf apply --session k
	equal "$(cat one)" last
}
