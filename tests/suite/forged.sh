# tests/suite/forged.sh - a command that is not confined can write the scratch directory: what it leaves there
# never has pinfold change anything outside of that and the tree.
# arm copytree

every_verb() {	# SESSION
	local verb
	for verb in "diff" "diff --json --all" "apply --dry-run" "apply" "apply --partial" "sessions" "sessions --all" "gc" \
		"run -q --arm copytree -- true" "diff" "apply" "discard one" "gc" "discard"; do
		timeout 30 "$PINFOLD" ${verb%% *} ${1:+$([[ $verb == sessions* || $verb == gc ]] || echo --session "$1")} \
			$([[ $verb != *" "* ]] || echo "${verb#* }") >"$WORK/verb" 2>&1 || (($? != 124 && $? < 128)) || return 1
	done
}

# What belongs to somebody else: untouched with all its times at the end.
make_victim() {
	mkdir -p "$WORK/victim/d"
	echo mine >"$WORK/victim/file"
	echo mine >"$WORK/victim/d/deep"
	chmod 0640 "$WORK/victim/file"
	victim=$WORK/victim
	victim_before=$(TREE=$victim manifest)
}
victim_is_whole() { diff <(echo "$victim_before") <(TREE=$victim manifest) || { echo "the victim was changed"; return 1; }; }

# As seen from the copy: its slot is .., the scratch directory ../../../..
forgeries=(
	'mkdir -p ../layers/0/upper; ln -s "$V" ../layers/0/of; echo evil >../layers/0/upper/file; mkdir ../layers/0/upper/d'
	'mkdir -p ../layers/0/upper ../layers/0/work; ln -s "$V" ../layers/0/of; mknod ../layers/0/upper/file c 0 0 || :; cp ../index ../layers/0/index'
	'mkdir -p ../beside/0/tree; ln -s "$V" ../beside/0/of; echo evil >../beside/0/tree/file; cp ../held ../beside/0/index'
	'rm -rf ../../../../gone; ln -s "$V" ../../../../gone; rm -r src'
	'rm -f ../../of; ln -s "$V" ../../of'
	'rm -f ../lock; ln -s "$V/file" ../lock'
	'rm -f ../lock; ln -s "$V/none" ../lock'
	'for n in next index apply begun; do rm -rf ../$n; ln -s "$V/file" ../$n; done'
	'for n in tmp apply layers beside upper work; do rm -rf ../$n; ln -s "$V" ../$n; done'
	'mkdir -p ../apply; for n in begun staged valid next; do ln -s "$V/file" ../apply/$n; done'
	'mkdir -p ../../=evil/tree ../../=evil/tmp; ln -s "$V/d" ../../=evil/tree/d; : >../../=evil/lock; ln -s "$V/file" ../../=evil/index'
	'ln -s "$V" ../../=evil; ln -s "$V" ../../7; ln -s "$V" ../../../0123456789abcdef'
	'touch ../../applying; rm -rf ../apply; mkdir ../apply; echo pfapply2 >../apply/valid'
	'mv ../../../../t ../../../../moved; ln -s "$V" ../../../../t'
	'rm -rf "$OLDPWD" ../tree; ln -s "$V" ../tree'
	'dd if=/dev/urandom of=../held bs=1 count=40 seek=100 conv=notrunc 2>/dev/null'
)

whatever_a_command_forges_nothing_outside_is_changed() {
	local forgery session
	make_victim
	for forgery in "${forgeries[@]}"; do
		for session in "" s; do
			rm -rf "$WORK/home/.cache"
			echo one >one
			V=$victim run -q ${session:+--session "$session"} --env V -- sh -c "echo changed >one; $forgery" 
			every_verb "$session" || { echo "after: $forgery"; show_verb; return 1; }
			victim_is_whole || { echo "after: $forgery"; return 1; }
			run -q ${session:+--session "$session"} -- cat src/say
			victim_is_whole || { echo "after: $forgery"; return 1; }
		done
	done
}
show_verb() { sed 's/^/  verb: /' "$WORK/verb"; }

another_repository_is_not_applied_to_though_a_record_names_it() {
	command -v git >/dev/null || skip "git is missing"
	git init -q "$WORK/other"
	git -C "$WORK/other" -c user.name=a -c user.email=a@b commit -q --allow-empty -m first
	before=$(TREE=$WORK/other manifest)
	V=$WORK/other/.git run -q --session s --env V -- sh -c 'echo changed >one; mkdir -p ../beside/0; ln -s "$V" ../beside/0/of
		cp -a "$V" ../beside/0/tree; git -C ../beside/0/tree rev-parse HEAD >../beside/0/tree/refs/heads/evil; cp ../held ../beside/0/index'
	pf apply --session s
	status_is 1
	out_has "outside of the working tree"
	diff <(echo "$before") <(TREE=$WORK/other manifest)
	pf apply --session s --partial
	diff <(echo "$before") <(TREE=$WORK/other manifest)
	equal "$(cat one)" changed
}

a_lock_that_a_command_took_away_or_replaced_keeps_nobody_out() {
	local way
	make_victim
	for way in 'rm ../lock' 'rm ../lock; mkdir ../lock' 'ln -f "$V/file" ../lock' 'chmod 0 ../lock' 'rm ../lock; mkfifo ../lock'; do
		V=$victim run -q --session s --env V -- sh -c "$way; echo \$\$ >made"
		status_is 0
		run -q --session s -- cat made
		status_is 0
		pf diff --session s --name-only
		status_is 0
		out_is made
		pf discard --session s
		status_is 0
		V=$victim run -q --env V -- sh -c "$way"
		run -q -- cat one
		out_is one
		equal "$(cat "$victim/file")" mine
		equal "$(stat -c %a "$victim/file")" 640
	done
}

# Where the clock was set back, the locks of other runs are made older than that of the one that begins.
what_a_command_put_in_the_place_of_another_lock_keeps_its_time() {
	local before
	make_victim
	touch -d '2 days' "$victim/file"
	before=$(stat -c %y "$victim/file")
	V=$victim run -q --env V -- sh -c 'mkdir ../../7 ../../8 && ln "$V/file" ../../7/lock && ln -s "$V/file" ../../8/lock &&
		touch -hd "3 days" ../../8/lock'
	status_is 0
	run -q -- sh -c 'echo last >one'
	status_is 0
	equal "$(stat -c %y "$victim/file")" "$before"
	pf gc
	equal "$(stat -c %y "$victim/file")" "$before"
	equal "$(cat "$victim/file")" mine
}
