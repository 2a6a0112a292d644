# tests/suite/wrappers_hostile.sh - trees and wrappers that mean harm: nothing runs outside, no run hangs past its deadline, and no other tree is decided about.
# every arm
. "$here/wrapping"

a_script_that_the_trees_configuration_names_runs_only_where_the_command_runs() {
	make_cargo
	mkdir .cargo
	printf '[build]\nrustc-wrapper = "./evil"\n' >.cargo/config.toml
	cat >evil <<-END
		#!/bin/sh
		echo "\$PINFOLD_RUN" >>"$WORK/log/ran"
		echo x >"$WORK/outside"
		exec "\$@"
	END
	chmod 0755 evil
	keep_tree
	wrun -- sh -c 'echo "$PINFOLD_RUN"; ./evil true'
	! confined || [[ ! -e $WORK/outside ]]
	equal "$(sort -u "$WORK/log/ran")" "$out"
}

# The hint of a tree may choose among configured helpers, and never says which program that is outside. Inside it may
# be any: it is confined as the command is, and knows the run by the same variable.
no_helper_outside_is_found_by_the_commands_path_or_in_the_tree() {
	make_cargo
	local name
	for name in sccache ccache helper; do
		printf '#!/bin/sh\necho "${PINFOLD_RUN:+inside }$*" >>"%s/log/called"\n[ "$1" != rustc ] || shift\nexit 0\n' "$WORK" >"$name"
		chmod 0755 "$name"
	done
	export RUSTC_WRAPPER=sccache PATH=.:$TREE:$PATH
	keep_tree
	wrun -- sh -c true
	never grep -q -e ^--start-server "$WORK/log/called"
	for name in helper ./helper "$TREE/helper"; do
		RUSTC_WRAPPER=good FURTHER=$name wrun --set wrapper:site.match=good --set wrapper:site.where=outside \
			--set "wrapper:site.prepare=$name, start" -- sh -c "$settings"
		never grep -q ^start "$WORK/log/called"
		keeps writes || { out_is "$all_off"; err_has "$name"; }
	done
}

# Copies are never made where others could lay a configuration beside them.
what_others_lay_into_tmp_says_nothing_about_a_wrapper() {
	as_root_only
	make_cargo
	make_wrapper evil <<<'echo x >>"$(dirname "$0")/../log/evil"; exec "$@"'
	cat >"$WORK/inside" <<-'END'
		mount -t tmpfs -o mode=1777 tmpfs /tmp && mkdir -p /tmp/.cargo /tmp/tree || exit 9
		printf '[build]\nrustc-wrapper = "evil"\n' >/tmp/.cargo/config.toml
		cd /tmp/tree
		"$PINFOLD" run "$@" -- sh -c "$SETTINGS"
		"$PINFOLD" run "$@" --set filesystem.scratch=/tmp/scratch -- sh -c 'echo ran' || echo refused
	END
	SETTINGS=$settings unshare -m --propagation private bash "$WORK/inside" --arm "${ARM%/*}" \
		--set "filesystem.writable=$WORK/log" >"$WORK/out" 2>"$WORK/err"
	status=$? show
	[[ ! -e $WORK/log/evil ]]
	out_has refused
	out_lacks ran
}

a_configuration_without_end_is_not_read_and_holds_no_run_up() {
	make_cargo
	mkdir .cargo "$HOME/.cargo"
	truncate -s 1G .cargo/config.toml
	mkfifo "$HOME/.cargo/config.toml"
	quick 20 wrun --set wrappers.deadline=1s -- sh -c 'echo ran'
	out_has ran
	for ((i = 0; i < 40; i++)); do printf 'include = "config%d.toml"\n' $(((i + 1) % 40)) >".cargo/config$i.toml"; done
	printf 'include = ["config0.toml", "config.toml"]\n[build]\nrustc-wrapper = "good"\n' >.cargo/config.toml
	quick 10 wrun -- sh -c "$settings"
	equal "$(builds)" 2
	ln -sf config.toml .cargo/config
	ln -sf loop "$HOME/.cargo/loop"
	quick 10 wrun -- sh -c true
	equal "$(builds)" 3
}

a_wrapper_that_hangs_forks_without_end_or_shouts_holds_a_run_to_the_deadline() {
	make_cargo
	make_wrapper hangs <<<'while :; do sleep 60; done'
	make_wrapper ignores <<<"trap '' TERM INT HUP; while :; do sleep 60; done"
	make_wrapper forks <<<'while :; do (sleep 60 &); sleep 0.05; done'
	make_wrapper leaves <<<'setsid sh -c "while :; do sleep 60; done" & while :; do sleep 60; done'
	make_wrapper shouts <<<'yes "error: shouting" >&2'
	make_wrapper stops <<<'kill -STOP $$ $PPID'
	local name began=$SECONDS
	for name in hangs ignores forks leaves shouts stops; do
		RUSTC_WRAPPER=$name wrun --set wrappers.deadline=500ms -- sh -c "$settings"
		status_is 0
		out_is "$all_off"
		err_has "the compiler wrapper $name is switched off for this command: the throwaway build did not end within"
	done
	((SECONDS - began < 30))
}

a_helper_inside_that_hangs_holds_a_trial_to_the_deadline_and_a_command_for_seconds_at_most() {
	make_cargo
	make_wrapper hangs <<<'while :; do sleep 60; done'
	make_wrapper sccache <<-'END'
		[ "$SCCACHE_START_SERVER" != 1 ] || while :; do sleep 60; done
		bash -c "exec 3<>/dev/tcp/127.0.0.1/$SCCACHE_SERVER_PORT && cat <&3" 2>/dev/null
		exec "$@"
	END
	held_for_seconds good --set wrapper:site.match=good --set wrapper:site.prepare=hangs
	held_for_seconds sccache
}
held_for_seconds() {	# WRAPPER [OPTION…]
	export RUSTC_WRAPPER=$1
	quick 10 wrun "${@:2}" --set wrappers.deadline=500ms -- sh -c "$settings"
	status_is 0
	keeps writes,process_tree,processes || return 0	# nothing is started inside
	out_is "$all_off"
	err_has 'the throwaway build did not end within [wrappers] deadline'
	pf wrappers --forget
	quick 40 wrun "${@:2}" -- sh -c "$settings"
	out_is "RUSTC_WRAPPER=$1"
}

# The build is over, and somebody still holds its streams.
what_a_wrapper_leaves_behind_holds_no_run_up_and_is_ended() {
	make_cargo
	make_wrapper daemon <<<'setsid sleep 61 & setsid sh -c "exec env -i sleep 61" & sleep 61 & exec "$@"'
	setsid sleep 62 &
	at_end "kill $!"
	RUSTC_WRAPPER=daemon quick 10 wrun -- sh -c "$settings"
	status_is 0
	if confined; then out_is RUSTC_WRAPPER=daemon; else out_is "$all_off"; err_has 'it left 3 processes running'; fi
	never pgrep -u "$EUID" -fx 'sleep 61'
	pgrep -u "$EUID" -fx 'sleep 62' >/dev/null
}

a_wrapper_that_shows_odd_letters_or_kills_its_parent_is_no_trouble() {
	make_cargo
	make_wrapper odd <<<'printf "error: \033[2Jx\n" >&2; exit 1'
	make_wrapper kills <<<'kill -9 $PPID'
	make_wrapper kills_group <<<'kill -9 0'
	make_wrapper $'bell\a' <<<'exit 1'
	local name
	for name in odd kills kills_group $'bell\a'; do
		RUSTC_WRAPPER=$name wrun --receipt "$WORK/receipt" -- sh -c "$settings"
		status_is 0
		out_is "$all_off"
		never grep -q "[$(printf '\033\a')]" "$WORK/err" "$WORK/receipt"
	done
	pf wrappers
	never grep -q "[$(printf '\033\a')]" "$WORK/out"
}

# What it makes goes with the throwaway project, whatever it is.
a_wrapper_that_litters_the_temporary_directory_leaves_nothing() {
	make_cargo
	make_wrapper litters <<-'END'
		cd "$TMPDIR" && mkdir -p deep/a/b && ln -s / deep/link && mkfifo deep/fifo && chmod 0 deep/a
		ln -s "$HOME" project/link; ln -s / link
		[ "$1" != rustc ] || exit 0
	END
	RUSTC_WRAPPER=litters wrun -- sh -c 'ls "$TMPDIR"; echo "$RUSTC_WRAPPER"'
	out_is litters
	echo "left: $(find "$HOME/.cache/pinfold" -name deep -o -name throwaway -o -name fifo | xargs -r ls -ld)"
	[[ ! $(find "$HOME/.cache/pinfold" -name deep -o -name throwaway -o -name fifo) ]]
	[[ -d $HOME ]]
}

a_command_cannot_write_what_was_decided() {
	confined || skip "this arm does not keep what the test is about"
	make_cargo
	export RUSTC_WRAPPER=good
	wrun -- sh -c true
	find "$HOME/.cache/pinfold/wrappers" -type f -exec cksum {} + >"$WORK/before"
	wrun -- sh -c 'for f in ~/.cache/pinfold/wrappers/*; do echo x >>"$f"; rm -f "$f"; done; mkdir -p ~/.cache/pinfold/wrappers; echo x >~/.cache/pinfold/wrappers/x'
	find "$HOME/.cache/pinfold/wrappers" -type f -exec cksum {} + | diff "$WORK/before" -
	equal "$(builds)" 1
}

the_tree_says_nothing_about_the_decision_of_another_tree() {
	make_cargo
	mkdir -p .cargo "$WORK/other/.cargo"
	printf '[build]\nrustc-wrapper = "./evil"\n' | tee .cargo/config.toml >"$WORK/other/.cargo/config.toml"
	printf '#!/bin/sh\nexit 1\n' >evil
	printf '#!/bin/sh\nexec "$@"\n' >"$WORK/other/evil"
	chmod 0755 evil "$WORK/other/evil"
	keep_tree
	wrun -- sh -c "$settings"
	out_is "$all_off"
	cd "$WORK/other"
	wrun -- sh -c "$settings"
	out_is ''
	pf wrappers
	out_has kept
	out_lacks disabled
	rm -rf .cargo
	wrun -- sh -c "$settings"
	out_is ''
	equal "$(builds)" 3
}
