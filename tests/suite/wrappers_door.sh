# tests/suite/wrappers_door.sh - what listens inside in place of a wrapper's server, starts it when the first client comes,
# and carries what they say; with a server and clients that try it (door.py).
# every arm
. "$here/wrapping"

# A wrapper called sccache that meets nobody when it compiles: so nothing is started by the trial.
make_door() {
	keeps writes,process_tree,processes || skip "no server is started inside in this arm"
	[[ -x /usr/bin/python3 ]] || skip "no /usr/bin/python3"
	make_cargo
	cp "$here/door.py" "$WORK/bin/sccache"
	chmod 0755 "$WORK/bin/sccache"
	export RUSTC_WRAPPER=sccache
	wrun -- sh -c "$settings"
	out_is RUSTC_WRAPPER=sccache
}
# by port|socket [OPTION…] -- COMMAND: where clients meet the server.
by() { FAKE_BY=$1 wrun "${@:2}"; }
servers() { wc -l <"$WORK/log/servers" 2>/dev/null || echo 0; }
each_way() { local by; for by in port socket; do rm -rf "$WORK/log/"*; "$@" "$by"; done; }

a_server_inside_is_started_by_its_first_client_and_once() {
	make_door
	equal "$(servers)" 0
	each_way started_once
}
started_once() {
	by "$1" --receipt "$WORK/receipt" -- sh -c ':; echo ran'
	out_is ran
	equal "$(servers) $(json "$WORK/receipt" 'd["process"]["survivors"]')" '0 0'
	by "$1" --receipt "$WORK/receipt" -- sccache --client at_once 20
	out_is '20 1'
	equal "$(servers) $(json "$WORK/receipt" 'd["process"]["survivors"]')" '1 1'
	# It has its streams, what it looks into, and nothing that it was left.
	[[ $(<"$WORK/log/servers") =~ ^([0-9]+)\ ([0-9]+)\ \[\'0\',\ \'1\',\ \'2\',\ \'3\'\]$ ]]
	equal "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
	never pgrep -u "$EUID" -f "$WORK/bin/sccache"
}

what_clients_and_a_server_inside_say_to_each_other_arrives_whole_with_its_half_closes() {
	make_door
	each_way said_whole
}
said_whole() {
	by "$1" -- sh -ec 'sccache --client there 1000; sccache --client back 1000'
	out_is $'there True\nback True'
	equal "$(servers)" 1
}

a_server_inside_that_does_not_read_stops_its_client_and_nothing_piles_up_or_turns() {
	make_door
	each_way held_back
}
held_back() {
	by "$1" -- sh -ec 'sccache --client pressure 1000; sccache --client idle'
	out_is $'stopped True small True\nstill True\nwhole True\npid True\nstill True'
}

more_clients_than_are_served_at_once_are_served_in_turn() {
	make_door
	each_way served_in_turn
}
served_in_turn() {
	by "$1" -- sccache --client many 600
	out_is 1
	by "$1" -- sh -c 'ulimit -Sn 64; sccache --client many 200'
	out_is 1
	equal "$(servers)" 2
}

a_server_inside_that_ended_is_started_again_by_the_next_client() {
	make_door
	each_way started_again
}
started_again() {
	by "$1" -- sh -c 'first=$(sccache --client ask pid); sccache --client ask end >/dev/null
		second=$(sccache --client ask pid); [ "$first" ] && [ "$second" ] && [ "$first" != "$second" ] && echo another'
	out_is another
	equal "$(servers)" 2
}

a_server_inside_that_takes_its_time_is_waited_for() {
	make_door
	FAKE_SERVER=late by port -- sccache --client at_once 5
	out_is '5 1'
	equal "$(servers)" 1
}

# Whoever waits is sent away, and the next one finds nobody, so that it can do what it does then.
a_server_inside_that_never_listens_keeps_nobody_waiting_for_long() {
	make_door
	each_way never_there
}
never_there() {
	local nobody=ConnectionRefusedError
	[[ $1 != socket ]] || nobody=FileNotFoundError
	FAKE_SERVER=fail by "$1" -- sccache --client closed
	out_is "said ''"$'\n'"$nobody"
	equal "$(servers)" 3
	FAKE_SERVER=hang quick 40 by "$1" -- sccache --client closed
	out_is "said ''"$'\n'"$nobody"
	equal "$(servers)" 4
}

what_listens_in_place_of_a_server_is_confined_has_nothing_of_the_hosts_and_is_no_child_of_the_command() {
	make_door
	by port -- sccache --client looks <"$WORK/bin/rustc"
	out_is $'has /dev/null socket\nparent 1\nconfined True\napart True\nno child\ncannot be changed'
	# A command that waits for all its children, whoever they are, ends.
	quick 30 by port -- sh -c 'echo a | xargs -P 4 echo; wait'
	out_is a
	never pgrep -u "$EUID" -fx "pinfold-init door.*$WORK.*"
}
