# tests/suite/wrappers.sh - compiler wrappers: measured, kept or switched off, told, and remembered.
# every arm

. "$here/wrapping"

a_wrapper_that_a_build_proved_stays_on_and_is_measured_once() {
	make_cargo
	export RUSTC_WRAPPER=good
	keep_tree
	wrun -- sh -c "$settings"
	status_is 0
	out_is RUSTC_WRAPPER=good
	err_lacks wrapper
	wrun -- sh -c "$settings"
	out_is RUSTC_WRAPPER=good
	equal "$(builds)" 1
	pf wrappers
	out_has 'decision   kept'
	pf wrappers --forget
	out_is 'forgot 1 decision'
	wrun -- sh -c "$settings"
	equal "$(builds)" 2
}

a_wrapper_is_measured_where_refusals_are_told_as_where_they_are_not() {
	make_cargo
	export RUSTC_WRAPPER=good
	wrun --denials -- sh -c "$settings"
	status_is 0
	out_is RUSTC_WRAPPER=good
	equal "$(builds)" 1
}

anything_else_sets_all_four_to_empty_exactly_once() {
	make_cargo
	RUSTC_WRAPPER=/missing wrun -- sh -c "$settings"
	out_is "$all_off"
	err_has 'the compiler wrapper /missing is switched off for this command: it cannot run in the arm'
	err_has 'could not execute process'
	equal "$(builds)" 2
	RUSTC_WRAPPER=/missing wrun --env RUSTC_WORKSPACE_WRAPPER=/gone -- sh -c "$settings"
	out_is "$all_off"
}

where_nothing_names_a_wrapper_nothing_is_set_and_nothing_tried() {
	make_cargo
	wrun -- sh -c "$settings"
	out_is ''
	err_lacks wrapper
	equal "$(builds)" 0
}

a_cargo_that_cannot_be_started_is_unmeasured_and_says_so() {
	make_cargo
	rm "$WORK/bin/cargo"
	RUSTC_WRAPPER=good PATH=$WORK/bin:/usr/bin:/bin wrun -- sh -c "$settings"
	[[ ! -e /usr/bin/cargo ]] || skip "this machine has a cargo of its own"
	out_is "$all_off"
	err_has 'the throwaway build cannot be started'
	pf wrappers --json
	out_has '"unmeasured"'
}

a_build_that_fails_with_and_without_it_is_unmeasured() {
	make_cargo
	sed -i '2i echo "error: no space" >\&2; echo x >>"$(dirname "$0")/../log/builds"; exit 1' "$WORK/bin/cargo"
	RUSTC_WRAPPER=good wrun -- sh -c "$settings"
	out_is "$all_off"
	err_has 'failed with it and without it: with it: error: no space; without it: error: no space'
	equal "$(builds)" 2
}

commands_that_cannot_compile_are_not_measured_and_not_touched() {
	make_cargo
	export RUSTC_WRAPPER=/missing
	git init -q . && rm -rf .git
	wrun -- printenv RUSTC_WRAPPER
	out_is /missing
	wrun -- cargo --version
	wrun -- git --version
	wrun -- git status
	err_lacks wrapper
	equal "$(builds)" 0
}

a_file_of_the_tree_or_above_it_names_one_for_cargo_to_find() {
	make_cargo
	mkdir -p .cargo src/deep
	printf '[build]\nrustc-wrapper = "good"\n' >.cargo/config.toml
	keep_tree
	wrun -- sh -c "$settings"
	out_is ""
	pf wrappers
	out_has 'wrapper    good'
	printf '[build]\nrustc-wrapper = "/missing"\n' >.cargo/config.toml
	keep_tree
	wrun -- sh -c "$settings"
	out_is "$all_off"
	equal "$(builds)" 3
}

# A scratch directory with room for the copy and for nothing more.
a_throwaway_project_that_cannot_be_made_is_unmeasured_with_the_systems_words() {
	as_root_only
	make_cargo
	cat >"$WORK/inside" <<-'END'
		mkdir "$WORK/full"
		for ((inodes = 8; inodes < 80; inodes++)); do
			mount -t tmpfs -o "mode=0700,nr_inodes=$inodes" tmpfs "$WORK/full" || exit 9
			if "$PINFOLD" run "$@" -- sh -c : 2>/dev/null && "$PINFOLD" run "$@" -- sh -c : 2>/dev/null; then
				status=0
				RUSTC_WRAPPER=good "$PINFOLD" run "$@" -- sh -c "$SETTINGS" >"$WORK/said" 2>&1 || status=$?
				[[ $status == 125 ]] || break	# else there was no room for the run itself
			fi
			umount "$WORK/full"
		done
		RUSTC_WRAPPER=good "$PINFOLD" run "$@" -- sh -c "$SETTINGS"
	END
	status=0
	SETTINGS=$settings WORK=$WORK unshare -m --propagation private bash "$WORK/inside" --arm "${ARM%/*}" \
		--set "filesystem.writable=$WORK/log" --set "filesystem.scratch=$WORK/full" >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	status_is 0
	out_is "$all_off"
	err_has 'cannot make a throwaway project: in the run'
	err_has 'No space left on device'
	equal "$(builds)" 0
}

what_changes_the_answer_is_measured_again() {
	make_cargo
	export RUSTC_WRAPPER=good
	wrun -- sh -c true
	printf '#!/bin/sh\nexit 1\n' >"$WORK/bin/good"
	wrun -- sh -c "$settings"
	out_is "$all_off"
	equal "$(builds)" 3
	printf '#!/bin/sh\nexec "$@" # better\n' >"$WORK/bin/good"
	wrun -- sh -c "$settings"
	out_is RUSTC_WRAPPER=good
	FURTHER=1 wrun -- sh -c true
	equal "$(builds)" 5
	wrun --set wrappers.measure=always -- sh -c true
	equal "$(builds)" 6
	NEW=1 wrun --set wrappers.measure=never -- sh -c "$settings"
	out_is "$all_off"
	err_has 'measure = never'
	wrun --set wrappers.cache=off -- sh -c "$settings"
	out_is "$all_off"
	equal "$(builds)" 6
}

an_include_means_that_it_is_measured_each_time() {
	make_cargo
	mkdir .cargo
	printf 'include = "more.toml"\n[build]\nrustc-wrapper = "good"\n' >.cargo/config.toml
	printf 'include = "config.toml"\n' >.cargo/more.toml
	wrun -- sh -c true
	wrun -- sh -c true
	equal "$(builds)" 2
}

the_throwaway_build_has_the_commands_place_environment_and_confinement() {
	make_cargo
	mkdir -p src/deep
	sed -i '2i [ "$1" != build ] || { pwd; echo "$FURTHER $CARGO_TERM_COLOR $*"; ls "$HOME/hidden" 2>/dev/null; touch made; } >>"$(dirname "$0")/../log/said"' "$WORK/bin/cargo"
	mkdir "$HOME/hidden"
	: >"$HOME/hidden/secret"
	export RUSTC_WRAPPER=good FURTHER=further CARGO_TERM_COLOR=always
	keep_tree
	wrun --set "filesystem.hidden=~/hidden" -- sh -c 'pwd'
	equal "$(head -n 1 "$WORK/log/said")" "$out"
	grep -q '^further always build -v --color never --offline --manifest-path' "$WORK/log/said"
	! confined || never grep -q secret "$WORK/log/said"
}

# What the caller's environment says counts only as far as the command gets it.
only_the_environment_that_the_command_gets_decides() {
	make_cargo
	RUSTC_WRAPPER=good wrun --set environment.drop=RUSTC_WRAPPER -- sh -c "$settings"
	out_is ''
	equal "$(builds)" 0
	wrun --env RUSTC_WRAPPER=good -- sh -c "$settings"
	out_is RUSTC_WRAPPER=good
	equal "$(builds)" 1
	wrun --set environment.set=RUSTC_WRAPPER=/missing -- sh -c "$settings"
	out_is "$all_off"
}

what_confines_differently_is_measured_again_and_nothing_else_is() {
	make_cargo
	export RUSTC_WRAPPER=good
	wrun -- sh -c true
	PWD=/other SHLVL=7 COLUMNS=3 wrun --timeout 30 --receipt "$WORK/receipt" --set limits.nofile=500 -- sh -c 'echo another command'
	equal "$(builds)" 1
	wrun --set network.mode=host -- sh -c true
	equal "$(builds)" 2
	mkdir "$HOME/hidden"
	wrun --set "filesystem.hidden=~/hidden" -- sh -c true
	equal "$(builds)" 3
	run --set "filesystem.writable=$WORK/log, $HOME/hidden" -- sh -c true
	equal "$(builds)" 4
	wrun -- sh -c true
	equal "$(builds)" 4
}

# It may run already, and says so by its status.
the_status_of_a_helper_outside_counts_for_nothing() {
	! keeps writes || skip "nothing is started outside in this arm"
	make_cargo
	make_wrapper helper <<<"echo \"\$* \$GIVEN \$OTHER\" >>'$WORK/log/helper'; exit 2"
	printf '[wrapper:site]\nmatch = good\nwhere = outside\nprepare = %s, --begin\nenvironment = GIVEN\n' "$WORK/bin/helper" >"$WORK/site.conf"
	export RUSTC_WRAPPER=good GIVEN=given OTHER=other
	wrun --config "$WORK/site.conf" -- sh -c "$settings"
	out_is RUSTC_WRAPPER=good
	equal "$(<"$WORK/log/helper")" '--begin given '
	wrun --config "$WORK/site.conf" -- true
	equal "$(wc -l <"$WORK/log/helper")" 1
}

a_helper_that_was_started_in_vain_is_ended_and_one_that_ran_before_is_not() {
	! keeps writes || skip "nothing is started outside in this arm"
	[[ -x /usr/bin/python3 ]] || skip "no /usr/bin/python3"
	make_cargo
	make_wrapper helper <<<"echo \"\$*\" >>'$WORK/log/helper'"
	printf '[wrapper:site]\nmatch = useless\nwhere = outside\nprepare = %s, --begin\nstop = %s, --end\nendpoint = %s\n' \
		"$WORK/bin/helper" "$WORK/bin/helper" "$WORK/s.socket" >"$WORK/site.conf"
	make_wrapper useless <<<'exit 1'
	export RUSTC_WRAPPER=useless
	wrun --config "$WORK/site.conf" -- sh -c "$settings"
	out_is "$all_off"
	err_has 'its helper was started, and did not answer where it should listen'
	equal "$(<"$WORK/log/helper")" $'--begin\n--begin\n--end'
	pf wrappers
	out_has 'decision   unmeasured'
	/usr/bin/python3 -c "
import socket, time
s = socket.socket(socket.AF_UNIX); s.bind('$WORK/s.socket'); s.listen(); time.sleep(60)" &
	at_end "kill $!"
	eventually 5 test -S "$WORK/s.socket"
	FURTHER=1 wrun --config "$WORK/site.conf" -- sh -c "$settings"
	out_is "$all_off"
	equal "$(wc -l <"$WORK/log/helper")" 3
}

# A server that listens, at a port or a socket, once somebody writes to a FIFO.
make_server() {
	cat >"$WORK/server" <<-'END'
		import os, socket, sys
		where = sys.argv[1]
		server = socket.socket(socket.AF_INET if where.isdigit() else socket.AF_UNIX)
		server.bind(("127.0.0.1", int(where)) if where.isdigit() else where)
		print(server.getsockname(), flush=True)
		os.read(3, 1)
		server.listen()
		while True: server.accept()[0].close()
	END
}
serve_from() {	# WHERE FIFO [setpriv…]
	mkfifo "$2"
	"${@:3}" /usr/bin/python3 - "$1" <"$WORK/server" >"$WORK/bound" 3<>"$2" &
	at_end "kill $!"
	eventually 10 test -s "$WORK/bound"
}

a_helper_inside_runs_before_the_command_confined_as_it_is_and_ends_with_it() {
	local name confinement='grep -E "^(Cap|NoNewPrivs|Seccomp|Uid|Groups)" /proc/self/status; readlink /proc/self/ns/*'
	make_cargo
	make_wrapper ready <<-END
		echo "\$PINFOLD_RUN \$*" >>"$WORK/log/ready"
		{ $confinement; ls -l /proc/self/fd | wc -l; } >"$WORK/log/confined"
		touch "$WORK/escaped" 2>/dev/null
		setsid sleep 63 &
	END
	make_wrapper fails <<<"echo x >>'$WORK/log/fails'; exit 1"
	make_wrapper hangs <<<"echo x >>'$WORK/log/hangs'; while :; do sleep 60; done"
	printf '[wrapper:site]\nmatch = good\nprepare = ready, --begin, a b\n' >"$WORK/site.conf"
	export RUSTC_WRAPPER=good
	keep_tree
	wrun --config "$WORK/site.conf" -- sh -c 'echo "$RUSTC_WRAPPER $PINFOLD_RUN --begin a b"
		for i in $(seq 100); do ! pgrep -fx "sleep 63" >/dev/null || { echo there; break; }; [ ! -e "$0" ] || sleep 0.05; done
		'"{ $confinement; ls -l /proc/self/fd | wc -l; } >\"\${0%/*}/commands\"" "$WORK/log/ready"
	status_is 0
	if ! keeps writes,process_tree,processes; then
		[[ $out != *there* && ! -e $WORK/log/ready ]] || { echo "it ran"; return 1; }
		return 0
	fi
	equal "$(tail -n 1 "$WORK/log/ready")" "$(sed -n 's/^good //p' <<<"$out")"
	equal "$(wc -l <"$WORK/log/ready")" 2
	diff "$WORK/log/confined" "$WORK/log/commands"
	out_has there
	[[ ! -e $WORK/escaped ]]
	never pgrep -u "$EUID" -fx 'sleep 63'
	for name in fails hangs absent "$WORK/bin/fails"; do
		sed -i "s|^prepare.*|prepare = $name|" "$WORK/site.conf"
		wrun --config "$WORK/site.conf" -- sh -c 'echo "$RUSTC_WRAPPER"'
		out_is good
	done
	equal "$(wc -l <"$WORK/log/fails") $(wc -l <"$WORK/log/hangs")" '12 6'
	rm -f "$WORK/log/fails"
	wrun --config "$WORK/site.conf" --denials -- sh -c 'echo "$RUSTC_WRAPPER"'
	out_is good
	equal "$(wc -l <"$WORK/log/fails")" 3
	never pgrep -u "$EUID" -f "^/bin/sh $WORK/bin/hangs"
}

no_helper_is_started_by_a_program_that_has_yet_to_confine() {
	[[ $ARM == namespaces && -x /usr/bin/bwrap ]] || skip "needs bubblewrap, and the arm namespaces"
	make_cargo
	make_wrapper ready <<<": >'$HOME/escaped'; echo x >>'$WORK/log/ready'"
	export RUSTC_WRAPPER=good
	wrun --set arm:namespaces.wrapper=/usr/bin/bwrap --set wrapper:site.match=good --set wrapper:site.prepare=ready -- \
		sh -c 'echo "$RUSTC_WRAPPER"'
	[[ $status == 0 ]] || skip "bubblewrap does not work here"
	out_is good
	[[ ! -e $WORK/log/ready && ! -e $HOME/escaped ]]
}

# A client of a helper that does not come up fails after a while; the next one has better luck.
a_helper_inside_that_loses_its_start_decides_nothing_and_one_that_loses_it_twice_is_named_with_the_cause() {
	make_cargo
	make_wrapper late <<-'END'
		log=$(dirname "$0")/../log
		[ -e "$log/begun" ] || { : >"$log/begun"; echo "late: error: no server came up" >&2; exit 2; }
		exec "$@"
	END
	make_wrapper lost <<<'echo "lost: error: no server came up" >&2; exit 2'
	cat >"$WORK/failing" <<-'END'
		echo "error: process didn't exit successfully: \`$wrapper rustc -vV\` (exit status: 2)" >&2
		printf '%s\n' '--- stderr' "$said" >&2
	END
	sed -i -e "/never executed/{r $WORK/failing" -e 'd}' -e 's/! "$wrapper" rustc -vV/! said=$("$wrapper" rustc -vV 2>\&1)/' "$WORK/bin/cargo"
	RUSTC_WRAPPER=late wrun --set wrapper:site.match=late --set wrapper:site.endpoint="$WORK/none" -- sh -c "$settings"
	out_is RUSTC_WRAPPER=late
	err_lacks wrapper
	equal "$(builds)" 3
	RUSTC_WRAPPER=lost wrun --set wrapper:site.match=lost --set wrapper:site.endpoint="$WORK/none" -- sh -c "$settings"
	out_is "$all_off"
	err_has "it cannot run in the arm"
	err_has "(exit status: 2): lost: error: no server came up"
	equal "$(builds)" 6
}

# In turn: it listens late, is started in vain once, never listens.
a_helper_outside_is_waited_for_started_twice_and_decides_nothing_where_it_does_not_come_up() {
	! keeps writes || skip "nothing is started outside in this arm"
	[[ -x /usr/bin/python3 ]] || skip "no /usr/bin/python3"
	make_cargo
	make_server
	make_wrapper client <<-'END'
		/usr/bin/python3 -c 'import os, socket; socket.socket(socket.AF_UNIX).connect(os.environ["WHERE"])' || exit 2
		exec "$@"
	END
	make_wrapper slow <<<"echo x >>'$WORK/log/slow'; (sleep 0.2; echo >'$WORK/slow.begin') >/dev/null 2>&1 &"
	make_wrapper dies <<<"[ -e '$WORK/log/dies' ] && echo >'$WORK/dies.begin'; echo x >>'$WORK/log/dies'; exit 2"
	make_wrapper never <<<"echo x >>'$WORK/log/never'"
	export RUSTC_WRAPPER=client WHERE name
	for name in slow dies never; do
		WHERE=$WORK/$name.socket
		serve_from "$WHERE" "$WORK/$name.begin"
		printf '[wrapper:site]\nmatch = client\nwhere = outside\nprepare = %s\nendpoint = %s\n' \
			"$WORK/bin/$name" "$WHERE" >"$WORK/site.conf"
		wrun --config "$WORK/site.conf" -- sh -c "$settings"
		[[ $name != never ]] || break
		out_is RUSTC_WRAPPER=client
		err_lacks wrapper
	done
	out_is "$all_off"
	err_has 'its helper was started, and did not answer where it should listen'
	equal "$(wc -l <"$WORK/log/dies") $(wc -l <"$WORK/log/never")" '2 2'
	pf wrappers
	out_has 'decision   unmeasured'
	out_lacks disabled
}

a_port_that_another_user_takes_as_the_helper_starts_is_not_used_and_decides_nothing() {
	! keeps writes || skip "nothing is started outside in this arm"
	as_root_only
	[[ -x /usr/bin/python3 ]] || skip "no /usr/bin/python3"
	make_cargo
	make_server
	make_wrapper helper <<<"echo >'$WORK/begin'"
	local port=$((17000 + RANDOM % 3000))
	serve_from "$port" "$WORK/begin" setpriv --reuid 65534 --regid 65534 --clear-groups
	export RUSTC_WRAPPER=good
	wrun --set wrapper:site.match=good --set wrapper:site.where=outside --set "wrapper:site.prepare=$WORK/bin/helper" \
		--set "wrapper:site.endpoint=port $port" -- sh -c "$settings"
	out_is "$all_off"
	err_has 'it belongs to another user'
	pf wrappers
	out_has 'no decision'
	equal "$(builds)" 0
}

runs_that_begin_together_measure_once_and_wait() {
	make_cargo
	sed -i '2i [ "$1" != build ] || sleep 1' "$WORK/bin/cargo"
	export RUSTC_WRAPPER=good
	local one two
	wrun -- sh -c "$settings" >/dev/null &
	one=$!
	"$PINFOLD" run ${ARM:+--arm "${ARM%/*}"} --set "filesystem.writable=$WORK/log" -- sh -c "$settings" >"$WORK/o2" 2>"$WORK/e2" &
	two=$!
	wait "$one" && wait "$two"
	equal "$(builds)" 1
	equal "$(<"$WORK/o2")" RUSTC_WRAPPER=good
	grep -hq 'waiting: another run is trying the compiler wrapper good' "$WORK/e2" "$WORK/err"
}

what_the_throwaway_build_does_is_no_change_of_the_command() {
	make_cargo
	export RUSTC_WRAPPER=good
	wrun -- sh -c 'echo y >made; ls "$TMPDIR"'
	out_lacks project
	out_lacks throwaway
	pf diff --name-only
	out_is made
	pf wrappers --measure ${ARM:+--arm "${ARM%/*}"} --set "filesystem.writable=$WORK/log"
	status_is 0
	pf diff --name-only
	out_is made
	pf sessions --json
	out_lacks wrappers-
}

# The wrapper wants what an earlier command of the session left where a layer lies, and in the tree.
a_trial_leaves_nothing_in_a_session_and_sees_all_that_is_in_it() {
	confined || skip "this arm has no layers"
	local view session
	make_cargo
	mkdir -p "$HOME/.cache"
	for view in copy overlay; do
		session=of-$view
		make_wrapper traces <<-'END'
			echo trace >>"$HOME/.cache/trace" && echo trace >>trace && exec "$@"
		END
		unset RUSTC_WRAPPER
		wrun --session "$session" --view "$view" -- sh -c 'echo y >made; echo y >"$HOME/.cache/needed"'
		export RUSTC_WRAPPER=traces
		wrun --session "$session" --view "$view" -- sh -c 'echo "$RUSTC_WRAPPER"; ls "$HOME/.cache" .'
		out_has traces
		out_lacks trace$'\n'
		make_wrapper traces <<-'END'
			test -e "$HOME/.cache/needed" && test -e made && echo trace >>made && rm "$HOME/.cache/needed" && exec "$@"
		END
		wrun --session "$session" --view "$view" -- sh -c 'echo "$RUSTC_WRAPPER"; cat made "$HOME/.cache/needed"'
		out_is "$(printf 'traces\ny\ny')"
		pf diff --session "$session" --name-only
		out_is "$(printf '%s\n' made "$HOME/.cache/needed")"
	done
	wrun --scope machine --session whole -- sh -c 'echo y >made'
	pf diff --session whole --name-only
	out_is made
	[[ ! -e $HOME/.cache/trace && ! -e $HOME/.cache/needed && ! -e trace ]]
}

# As in a container, whose root is an overlay: the command's layer is one more than it, and a trial's would be too many.
over_an_overlay_a_trial_leaves_nothing_in_a_session_either() {
	local view
	confined || skip "this arm has no layers"
	as_root_only
	make_cargo
	mkdir "$WORK"/{lower,upper,work,on,scratch}
	mount -t overlay none -o "lowerdir=$WORK/lower,upperdir=$WORK/upper,workdir=$WORK/work" "$WORK/on" ||
		skip "no overlay can be mounted"
	at_end "umount -l '$WORK/on'"
	allowed_mount=$WORK/on
	export HOME=$WORK/on/home
	mkdir -p "$HOME/.cache" "$WORK/on/tree"
	chmod 0700 "$WORK/scratch" "$HOME"
	cd "$WORK/on/tree"
	for view in copy overlay; do
		make_wrapper traces <<-'END'
			test -e "$HOME/.cache/needed" && test -e made && echo trace >>made && rm "$HOME/.cache/needed" && exec "$@"
		END
		unset RUSTC_WRAPPER
		wrun --set "filesystem.scratch=$WORK/scratch" --session "$view" --view "$view" -- sh -c 'echo y >made; echo y >"$HOME/.cache/needed"'
		status_is 0
		export RUSTC_WRAPPER=traces
		wrun --set "filesystem.scratch=$WORK/scratch" --session "$view" --view "$view" -- sh -c 'echo "$RUSTC_WRAPPER"; cat made "$HOME/.cache/needed"'
		out_is "$(printf 'traces\ny\ny')"
		pf diff --set "filesystem.scratch=$WORK/scratch" --session "$view" --name-only
		out_is "$(printf '%s\n' made "$HOME/.cache/needed")"
	done
}

what_keeps_a_trial_from_being_made_is_no_decision_that_is_kept() {
	local gap=(--set filesystem.executable=/usr)
	make_cargo
	export RUSTC_WRAPPER=good
	if [[ $ARM != copytree ]]; then
		mkdir "$HOME/place"
		gap=(--set "filesystem.writable=$HOME/place" --set "filesystem.protected=$HOME/place/none")
	fi
	run "${gap[@]}" -- sh -c true
	status_is 125
	err_has 'cannot enforce all that was asked for'
	err_lacks wrapper
	pf wrappers
	out_is 'no decision about a compiler wrapper is kept for this tree'
	wrun -- sh -c "$settings"
	out_is RUSTC_WRAPPER=good
	pf wrappers
	out_has 'decision   kept'
}

a_receipt_says_what_was_done_and_a_record_that_was_changed_is_refused() {
	make_cargo
	export RUSTC_WRAPPER=good
	wrun --receipt "$WORK/receipt" -- sh -c true
	pf wrappers --receipt "$WORK/receipt"
	status_is 0
	out_has 'wrapper    good'
	sed 's/"wrapper": "good"/"wrapper": "[REDACTED]"/' "$WORK/receipt" >"$WORK/redacted"
	pf wrappers --receipt "$WORK/redacted"
	status_is 1
	out_has 'a record that cannot be read'
	sed 's/"wrapper": "good"/"wrapper": null/' "$WORK/receipt" >"$WORK/contradiction"
	pf wrappers --receipt "$WORK/contradiction"
	status_is 1
	wrun --receipt "$WORK/receipt" -- true
	pf wrappers --receipt "$WORK/receipt"
	status_is 0
	out_has 'not one that could compile'
}

# A Python program on stdin with `t`, a run with a slow wrapper at a terminal.
at_a_terminal() {	# OPTION…
	make_cargo
	sed -i '2i [ "$1" != build ] || sleep 2' "$WORK/bin/cargo"
	{ printf 'import sys\nsys.path.insert(0, "%s")\nfrom terminal import *\n' "$here"
		printf 'os.environ["RUSTC_WRAPPER"] = "good"\n'
		printf 't = Terminal([PINFOLD, "run", *"%s".split(), "--", "sh", "-c", "echo the command ran"], prompt="")\n' \
			"${ARM:+--arm ${ARM%/*}} --set filesystem.writable=$WORK/log $*"
		cat
	} >"$WORK/program.py"
	PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$WORK/program.py"
}

a_person_sees_what_is_tried_after_a_second_and_then_no_more_of_it() {
	at_a_terminal <<-'END'
	line = t.expect(r"\rtrying the compiler wrapper good with a throwaway build: 1 s")
	if "trying" in t.expect(r"(?s) {%d,}\r.*the command ran" % (len(line.group(0)) - 1)).group(0):
	    sys.exit("the line is still there")
	os.waitpid(t.pid, 0)
	END
}

a_quiet_run_says_nothing_while_it_tries() {
	at_a_terminal -q <<-'END'
	if "trying" in t.expect(r"(?s).*the command ran").group(0):
	    sys.exit("a quiet run speaks")
	os.waitpid(t.pid, 0)
	END
}

a_signal_while_it_tries_ends_the_run_and_decides_nothing() {
	at_a_terminal <<-'END'
	t.expect(r"trying the compiler wrapper good")
	began = time.monotonic()
	os.kill(t.pid, signal.SIGTERM)
	status = os.waitpid(t.pid, 0)[1]
	if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGTERM or time.monotonic() - began > 1:
	    sys.exit(f"status {status} after {time.monotonic() - began} s")
	END
	pf wrappers
	out_has 'no decision'
}

the_events_of_a_run_have_its_record_and_a_line_that_was_damaged_is_no_absence() {
	make_cargo
	export RUSTC_WRAPPER=good
	wrun --events "$WORK/events" -- sh -c true
	pf wrappers --receipt "$WORK/events"
	status_is 0
	out_has 'wrapper    good'
	sed -i '/"cargo"/s/.\{40\}$//' "$WORK/events"
	pf wrappers --json --receipt "$WORK/events"
	status_is 1
	equal "$(json "$WORK/out" 'd["unreadable"], len(d["records"])')" '1 3'
	pf wrappers --receipt "$WORK/tree/one"
	refused E_USAGE
}

launchers_of_c_are_measured_by_a_compilation_and_dropped_to_the_compiler() {
	command -v cc >/dev/null || skip "no cc"
	make_cargo
	export CC='good cc -O' CXX='/missing/w c++' CMAKE_C_COMPILER_LAUNCHER='good'
	wrun -- sh -c 'echo "$CC|$CXX|$CMAKE_C_COMPILER_LAUNCHER"'
	out_is 'good cc -O|c++|good'
	err_has 'the compiler wrapper /missing/w is switched off'
	export CC='/missing/w cc -O'
	wrun -- sh -c 'echo "$CC|$CMAKE_C_COMPILER_LAUNCHER|"'
	out_is 'cc -O||'
	mkdir "$WORK/links"
	printf '#!/bin/sh\nexit 1\n' >"$WORK/bin/broken"
	chmod 0755 "$WORK/bin/broken"
	ln -s ../bin/broken "$WORK/links/cc"
	unset CC CXX CMAKE_C_COMPILER_LAUNCHER
	PATH=$WORK/links:$PATH wrun -- sh -c 'echo "$PATH"'
	out_lacks "$WORK/links"
}

# W1, W2: somebody outside compiles for whoever connects, in the tree and with the power that it has.
a_server_outside_that_compiles_for_anyone_is_not_used_by_a_command_that_is_confined() {
	keeps network,sockets || skip "this arm does not keep what the test is about"
	make_cargo
	cat >"$WORK/server" <<-'END'
		import os, socket, subprocess, sys
		server = socket.socket(socket.AF_INET, socket.SOCK_STREAM) if sys.argv[1] == "tcp" else socket.socket(socket.AF_UNIX)
		server.bind(("127.0.0.1", 0) if sys.argv[1] == "tcp" else sys.argv[2])
		server.listen()
		if sys.argv[1] == "tcp": open(sys.argv[2], "w").write(str(server.getsockname()[1]))
		while True:
		    peer, _ = server.accept()
		    words = peer.makefile().readline().rstrip("\n").split("\t")
		    open(sys.argv[3], "a").write("served\n")
		    peer.sendall(bytes([subprocess.call(words[1:], cwd=words[0])]))
		    peer.close()
	END
	cat >"$WORK/bin/client" <<-'END'
		#!/usr/bin/python3
		import os, socket, sys
		where = os.environ["SERVER"]
		peer = socket.create_connection(("127.0.0.1", int(where))) if where.isdigit() else socket.socket(socket.AF_UNIX)
		if not where.isdigit(): peer.connect(where)
		peer.sendall(("\t".join([os.getcwd()] + sys.argv[1:]) + "\n").encode())
		sys.exit(peer.recv(1)[0])
	END
	chmod 0755 "$WORK/bin/client"
	/usr/bin/python3 "$WORK/server" tcp "$WORK/port" "$WORK/served" &
	at_end "kill $!"
	/usr/bin/python3 "$WORK/server" unix "$WORK/sock" "$WORK/served" &
	at_end "kill $!"
	eventually 5 test -s "$WORK/port" -a -S "$WORK/sock"
	keep_tree
	export CC='client cc'
	local server
	for server in "$(<"$WORK/port")" "$WORK/sock"; do
		SERVER=$server wrun -- sh -c 'echo "$CC"; echo "int x;" >x.c; $CC -c x.c -o x.o; ls x.o'
		out_is $'cc\nx.o'
		err_has 'the compiler wrapper client is switched off for this command: it cannot run'
	done
	[[ ! -e $WORK/served ]]
	# With the network open it can be reached, but does not see what the command sees, unless that is the copy at
	# its own place.
	[[ $ARM != landlock ]] || return 0
	SERVER=$(<"$WORK/port") wrun --set network.mode=host -- sh -c 'echo "$CC"'
	out_is cc
}

# The host's cache gives hits below a private layer, for the copy's sources, and nothing reaches it.
ccaches_hits_come_from_the_host_and_what_a_command_compiles_stays_inside() {
	[[ $ARM == namespaces* ]] || skip "only this arm has private layers"
	command -v ccache >/dev/null && command -v cc >/dev/null || skip "no ccache, or no compiler"
	export CC='ccache cc'
	echo 'int f(void) { return 41; }' >a.c
	$CC -c a.c -o "$WORK/a.o"
	ccache -z >/dev/null
	find "$HOME/.cache/ccache" -type f | sort >"$WORK/before"
	run -q -- sh -c '$CC -c a.c -o a.o && ccache -s | grep -E "^ *Hits: *1 " &&
		sed -i s/41/42/ a.c && $CC -c a.c -o b.o && ! cmp -s a.o b.o &&
		printf "int f(void);int main(void){return f();}" >m.c && cc m.c b.o -o m; ./m; echo $?'
	out_has 42
	find "$HOME/.cache/ccache" -type f | sort | cmp - "$WORK/before"
	pf wrappers
	out_has 'decision   kept'
	rm -rf "$HOME/.cache/ccache"
	run -- sh -c '$CC -c a.c -o a.o && echo compiled'
	out_has compiled
	[[ ! -e $HOME/.cache/ccache ]]
}

explain_says_what_is_known_of_a_wrapper_and_tries_nothing() {
	make_cargo
	export RUSTC_WRAPPER=good
	pf explain ${ARM:+--arm "${ARM%/*}"} --set "filesystem.writable=$WORK/log" -- sh -c true
	out_has 'it was not tried yet'
	equal "$(builds)" 0
	wrun -- sh -c true
	pf explain ${ARM:+--arm "${ARM%/*}"} --set "filesystem.writable=$WORK/log" -- sh -c true
	out_has kept
	equal "$(builds)" 1
}

# Commands of a session write into a layer over the home's toolchains, which later ones see.
a_file_that_an_earlier_command_of_the_session_wrote_names_one() {
	confined || skip "only an arm with private layers keeps what is written beside the tree"
	make_cargo
	mkdir "$HOME/.cargo"
	wrun --session s -- sh -c 'printf "[build]\nrustc-wrapper = \"/missing\"\n" >~/.cargo/config.toml'
	[[ ! -e $HOME/.cargo/config.toml ]]
	equal "$(builds)" 0
	wrun --session s -- sh -c "$settings"
	out_is "$all_off"
	err_has 'the compiler wrapper /missing is switched off'
	wrun -- sh -c "$settings"
	out_is ''
	wrun --session s -- rm "$HOME/.cargo/config.toml"
	wrun --session s -- sh -c "$settings"
	out_is ''
	equal "$(builds)" 2
	pf discard --session s
}
