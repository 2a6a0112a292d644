# tests/machine/inside/reboot.sh - what is kept is there when the machine comes up again, however it went down.

# A tree whose files are all of one generation.
generation() { grep -h generation one many/* | sort -u; }
write_generation() {	# NUMBER
	mkdir -p many
	local i
	for i in one many/{1..300}; do printf 'generation %s\n%5000s\n' "$1" >"$i"; done
}
# What the command of a run does to be the next one; some files go, some come.
next_generation() { echo "for i in one many/*; do printf 'generation $1\n%5000s\n' >\$i; done; rm -rf gone made; mkdir made; cp one made"; }

# Of all there is: contents, modes, links and times, but not the changes of inodes.
picture() { find . -printf '%P %y %m %l %s ' \( -type f -printf '%T@' -exec sh -c 'printf " "; cksum <"$1"' sh {} \; -o -printf '\n' \); }
keep_picture() { picture >"$STATE/picture"; sync; }
same_picture() { diff "$STATE/picture" <(picture) || { echo "the tree was changed"; return 1; }; }

a_session_is_there_after_a_reboot_with_all_its_changes() {
	case $BOOT in
	1)
		mkdir -p d
		cp /bin/true d/program
		run -q --session s -- sh -c 'echo two >>one; echo new >new; rm link; chmod 0700 d; ln -s one to; cat one'
		status_is 0
		keep_picture
		cat /proc/sys/kernel/random/boot_id >"$STATE/boot_id"
		boot_again
		;;
	esac
	never cmp -s "$STATE/boot_id" /proc/sys/kernel/random/boot_id
	same_picture
	pf sessions
	out_has s
	pf diff --session s --name-only
	out_is $'d\nlink\nnew\none\nto'
	run -q --session s -- sh -c 'cat one; ls; cmp d/program /bin/true && echo more >>one'
	status_is 0
	out_is $'one\ntwo\nd\nnew\none\nsrc\nto'
	pf jobs
	out_is 'nothing runs'
	same_picture
	pf apply --session s
	status_is 0
	equal "$(cat one; readlink to; stat -c %a d)" $'one\ntwo\nmore\none\n700'
}

a_machine_that_is_reset_while_a_first_command_writes_has_the_tree_and_a_session_without_what_nobody_wrote() {
	if ((BOOT == 1)); then
		write_generation 0
		keep_picture
		reset_within 4000 "$PINFOLD" run -q --session s -- sh -c "echo mine >mine; sync mine; sleep 60"
	fi
	same_picture
	pf jobs
	out_is 'nothing runs'
	pf diff --session s --name-only
	[[ $status != 0 || $out == "" || $out == mine ]]
	run -q --session s -- sh -c 'cat one many/* | tr -d " " | sort -u'
	status_is 0
	out_is $'\ngeneration0'
	pf apply --session s --all
	rm -f mine
	same_picture
}

# What lay in memory is lost then: of the copy nothing may be missing that the index says is there.
after_a_reset_a_session_has_no_changes_but_what_its_commands_made() {
	if ((BOOT == 1)); then
		write_generation 0
		keep_picture
		reset_after "$PINFOLD" run -q --session s -- sh -c 'echo mine >mine; sync mine'
	fi
	same_picture
	pf diff --session s --name-only
	status_is 0
	out_is mine
	run -q --session s -- sh -c 'grep -h generation one many/* | sort | uniq -c; cat mine'
	equal "$(tr -s ' ' <<<"$out")" $' 301 generation 0\nmine'
}

a_session_of_layers_is_there_after_a_reset_with_all_that_was_on_the_disk() {
	if ((BOOT == 1)); then
		write_generation 0
		run -q --view overlay --session o -- sh -c "$(next_generation 1); echo on disk >new; sync"
		status_is 0
		keep_picture
		reset_within 3000 "$PINFOLD" run -q --view overlay --session o -- sh -c 'rm -rf made; mkdir made; sync; while :; do date >>made/log; done'
	fi
	same_picture
	run -q --view overlay --session o -- sh -c 'cat new; grep -h generation one many/* | sort -u; echo more >more'
	status_is 0
	out_is $'on disk\ngeneration 1'
	pf diff --session o --name-only
	out_has more
	out_has many/300
	pf discard --session o made
	pf apply --session o
	status_is 0
	equal "$(generation) $(cat more new)" $'generation 1 more\non disk'
}

a_machine_that_is_reset_while_a_session_applies_has_the_tree_before_or_after() {
	local was wanted now
	was="generation $((BOOT - 2))" wanted="generation $((BOOT - 1))"
	if ((BOOT == 1)); then
		write_generation 0
	else
		now=$(generation)
		echo "found: $now"
		pf diff --session s --name-only
		now=$(generation)
		[[ $now == "$was" || $now == "$wanted" ]] || { echo "neither before nor after: $now"; return 1; }
		[[ ! $(find . -name '.pinfold-*') ]]
		pf apply --session s
		status_is 0
		equal "$(generation)" "$wanted"
		[[ -e made/one ]]
	fi
	run -q --session s -- sh -c "$(next_generation "$BOOT")"
	status_is 0
	((BOOT <= 4)) || return 0
	reset_within 2500 "$PINFOLD" apply --session s
}

a_machine_that_is_reset_while_changes_are_dropped_has_all_of_them_or_none_and_can_go_on() {
	local changed
	case $BOOT in
	1)
		write_generation 0
		run -q --session s -- sh -c "$(next_generation 1)"
		status_is 0
		keep_picture
		reset_within 2500 "$PINFOLD" discard --session s many one
		;;
	2)
		same_picture
		changed=$("$PINFOLD" diff --session s --name-only many one | wc -l)
		((changed == 0 || changed == 301)) || { echo "$changed of 301 changes are left"; return 1; }
		pf discard --session s many one
		status_is 0
		pf diff --session s --name-only
		out_is $'made\nmade/one'
		run -q --session s -- sh -c 'grep -h generation one many/* | sort -u; cat made/one | head -n 1'
		out_is $'generation 0\ngeneration 1'
		run -q -- sh -c "$(next_generation 2)"
		run -q --session t -- sh -c "$(next_generation 3)"
		sync
		reset_within 2500 sh -c '"$PINFOLD" discard --session t; "$PINFOLD" discard; "$PINFOLD" gc --set copy.keep-count=1'
		;;
	esac
	same_picture
	pf gc
	status_is 0
	pf gc --json
	equal "$(json "$WORK/out" 'd["remains"]')" "[]"
	pf diff --session s --name-only
	out_is $'made\nmade/one'
	run -q --session t -- sh -c 'grep -h generation one many/* | sort -u'
	status_is 0
	[[ $out == "generation 0" || $out == "generation 3" ]]
	run -q -- sh -c 'grep -h generation one many/* | sort -u'
	status_is 0
	out_is "generation 0"
}

what_an_apply_said_is_in_the_tree_is_there_after_a_reset() {
	if ((BOOT == 1)); then
		write_generation 0
		run -q --session s -- sh -c "$(next_generation 1)"
		status_is 0
		reset_after "$PINFOLD" apply --session s
	fi
	equal "$(generation)" "generation 1"
	cmp one made/one
	pf diff --session s --name-only
	out_is ""
}

what_was_decided_of_a_wrapper_is_shown_after_a_reboot_and_holds() {
	if ((BOOT == 1)); then
		echo 'int main(void) { return 0; }' >main.c
		CC="ccache gcc" run -q -- sh -c '$CC -o main main.c && ./main && echo ran: $CC'
		status_is 0
		out_has 'ran: '
		pf wrappers
		sed 's/ago.*//' "$WORK/out" >"$STATE/wrappers"
		grep -q ccache "$STATE/wrappers"
		boot_again
	fi
	pf wrappers
	diff "$STATE/wrappers" <(sed 's/ago.*//' "$WORK/out")
	CC="ccache gcc" run -q -- sh -c '$CC -o main main.c && ./main && echo ran: $CC'
	status_is 0
	out_has 'ran: '
}
