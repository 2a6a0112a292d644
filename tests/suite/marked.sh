# tests/suite/marked.sh - where a mark or a limit keeps files from being changed, that is said with what lifts it,
# and nothing is lost.

as_who_can_mark() {
	chattr +i src 2>/dev/null && chattr -i src || skip "nobody can mark a file here: it needs root, and a file system with marks"
	command -v setpriv >/dev/null || skip "setpriv is missing"
	at_end 'find "$TREE" "$HOME/.cache" \( -type f -o -type d \) -exec chattr -ia {} + 2>/dev/null'
}

# As pf, by root that cannot lift marks.
pf_unmarking() {
	status=0
	setpriv --inh-caps=-linux_immutable --bounding-set=-linux_immutable "$PINFOLD" "$@" >"$WORK/out" 2>"$WORK/err" || status=$?
	show
}
told_of_marks() {	# COMMAND…
	pf_unmarking "$@"
	status_is 125
	err_has "lsattr -d"
	err_has "chattr -i or -a"
}
held() { echo "$HOME"/.cache/pinfold/t/*/=s/tree; }
begin_session() {
	pf discard --session s
	rm -rf d
	chmod 0755 src
	ln -sfn src/say link
	echo one >one
	run -q --session s -- sh -c 'mkdir d; echo new >d/f; echo more >>one; chmod 0700 src; rm link'
	status_is 0
}
changed=$'d\nd/f\nlink\none\nsrc'

a_discard_of_what_is_marked_says_so_and_is_finished_by_whoever_may() {
	as_who_can_mark
	local mark place
	for mark in i a; do
		for place in d/f d one src .; do
			begin_session
			chattr "+$mark" "$(held)/$place"
			if [[ $place == d/f ]]; then pf_unmarking discard --session s d/f; else told_of_marks discard --session s d one link src; fi
			pf discard --session s d one link src
			status_is 0
			pf diff --session s --name-only
			out_is ""
			run -q --session s -- sh -c 'cat one; stat -c %a src; readlink link; ls'
			out_is $'one\n755\nsrc/say\nlink\none\nsrc'
		done
	done
}

a_run_in_a_copy_with_marks_says_so_and_is_right_for_whoever_may() {
	as_who_can_mark
	local mark place
	for mark in i a; do
		for place in d/f d one src .; do
			begin_session
			echo "$mark$place" >src/fresh
			echo "$mark$place" >fresh
			chattr "+$mark" "$(held)/$place"
			if [[ $place == src || $place == . ]]; then
				told_of_marks run -q --session s -- true
				err_has "in the copy, below $HOME/.cache/pinfold: "
			fi
			run -q --session s -- sh -c 'cat fresh src/fresh d/f one'
			status_is 0
			out_is "$mark$place"$'\n'"$mark$place"$'\nnew\none\nmore'
			pf diff --session s --name-only
			out_is "$changed"
		done
	done
}

what_a_collection_cannot_remove_for_a_mark_is_named_with_what_lifts_it() {
	as_who_can_mark
	local mark
	for mark in i a; do
		begin_session
		chattr "+$mark" "$(held)/d/f" "$(held)/src"
		pf_unmarking discard --session s
		status_is 0
		pf_unmarking gc
		status_is 0
		out_has "cannot be removed: $HOME/.cache/pinfold/gone/"
		out_has "lsattr -d"
		out_has "chattr -i or -a"
		pf_unmarking gc --json
		equal "$(json "$WORK/out" '{ "lsattr" in r["try"] for r in d["remains"] }')" "{True}"
		pf gc --json
		equal "$(json "$WORK/out" 'd["remains"]')" "[]"
		[[ ! $(ls "$HOME/.cache/pinfold/gone") ]]
	done
}

# killed_at CALL NUMBER: an apply of the session.
killed_at() {
	strace -o "$WORK/trace" -e trace="$1" -e inject="$1:signal=KILL:when=$2" \
		"$PINFOLD" apply --session s 2>/dev/null >&2 || :
	[[ $(find . -name '.pinfold-*') ]]
}

an_apply_that_meets_a_mark_anywhere_on_its_way_says_so_and_is_done_later() {
	command -v strace >/dev/null || skip "strace is missing"
	not_sanitized "ptrace"
	as_who_can_mark
	local mark when area
	for mark in i a; do
		begin_session
		chattr "+$mark" .	# where it would write aside
		told_of_marks apply --session s
		chattr "-$mark" .
		pf apply --session s
		status_is 0
		for when in 1 3 5; do	# to be taken back
			begin_session
			run -q --session s -- sh -c "echo $mark$when >>src/say; echo $mark$when >new$mark$when"
			killed_at renameat2 "$when"
			chattr "+$mark" src .
			told_of_marks diff --session s
			chattr "-$mark" src .
			pf apply --session s
			status_is 0
			[[ -e new$mark$when && ! $(find . -name '.pinfold-*') ]]
		done
		begin_session	# and one that is valid, to be tidied up after
		run -q --session s -- sh -c "echo $mark >>src/say; echo again >>one"
		strace -o "$WORK/trace" -e trace=unlinkat "$PINFOLD" apply --dry-run --session s >/dev/null
		killed_at unlinkat "$(($(grep -c ^unlinkat "$WORK/trace") + 5))" || continue
		area=$(find . -maxdepth 1 -name '.pinfold-*')
		chattr "+$mark" "$area"
		told_of_marks diff --session s
		chattr "-$mark" "$area"
		pf diff --session s --name-only
		status_is 0
		[[ ! $(find . -name '.pinfold-*') ]]
	done
}

# limited BLOCKS ARGUMENT…: with a limit on the sizes of files; what is said goes into a pipe.
limited() {
	local blocks=$1
	shift
	status=0
	err=$( (ulimit -f "$blocks" && "$PINFOLD" "$@") 2>&1 >/dev/null | cat; exit "${PIPESTATUS[0]}") || status=$?
	echo "+ limit $blocks: $*: status $status: $err"
}

past_the_limit_on_file_sizes_every_verb_says_so_and_nothing_is_lost() {
	local blocks view verb many='mkdir d; for i in $(seq 80); do echo x >d/a-name-of-forty-bytes-so-that-a-note-is-long-$i; done; echo y >e'
	local verbs=("diff --session s" "diff" "sessions" "gc" "jobs" "run -q --session s -- true" "run -q --session n -- true"
		"discard --session s d" "discard d" "discard" "run -q -- true" "apply --session s" "discard --session s")
	local views=("--view copy")
	! keeps secrets || views+=("--view overlay")
	for view in "${views[@]}"; do
		for blocks in 0 1; do
			run -q $view --session s -- sh -c "$many"
			run -q $view -- sh -c "$many"
			for verb in "${verbs[@]}"; do
				limited "$blocks" ${verb/run -q/run -q $view}
				((status < 128))
				((status == 0)) || err_has "ulimit -f"
				[[ $status == 0 && $verb == apply* ]] || [[ ! -e d && ! -e e && ! $(find . -name '.pinfold-*') ]]
				case $verb in
				discard*d)
					pf $verb
					status_is 0
					verb=${verb/discard/diff --name-only}
					pf ${verb% d}
					out_is e ;;
				run*"s --"*) pf diff --session s --stat; out_has "81 files changed" ;;
				apply*) pf apply --session s; equal "$(cat e)" y; rm e ;;
				esac
			done
			pf discard --session s
			pf discard --session n
		done
	done
}

begun_again() {	# VIEW SESSION
	pf discard $2
	echo one >one
	rm -f new
	run -q --view "$1" $2 -- sh -c 'echo more >>one; echo new >new'
	status_is 0
}

# Whoever is to lift a mark has to find it, and what could not be done is done then.
what_is_marked_of_the_place_of_changes_is_named_by_every_verb_and_costs_none() {
	as_who_can_mark
	local view session mark=i place verb slot refusals=0
	for view in copy overlay; do for session in "--session s" ""; do for place in . .. lock index tree tmp upper; do
		for verb in "run -q --view $view $session -- true" "diff $session" "discard $session one" "apply $session" "discard $session"; do
			begun_again "$view" "$session"
			slot=$(ls -td "$HOME"/.cache/pinfold/t/*/$([[ $session ]] && echo =s || echo 0) | head -n 1)
			[[ -e $slot/$place ]] || break
			mark=$([[ $mark == i ]] && echo a || echo i)
			chattr "+$mark" "$slot/$place"
			pf_unmarking $verb
			find "$HOME/.cache" \( -type f -o -type d \) -exec chattr -ia {} +
			((status)) || continue
			refusals=$((refusals + 1))
			status_is 125
			err_has "lsattr -d"
			err_has "chattr -i or -a"
			err_has "$HOME/.cache/pinfold"
			if [[ $verb == discard* ]]; then
				pf $verb
				status_is 0
				equal "$(cat one)" one
			elif [[ $session || $verb != run* ]]; then
				pf apply $session
				equal "$(cat one new)" $'one\nmore\nnew'
			fi
		done
	done; done; done
	((refusals > 20)) || { echo "only $refusals refusals"; return 1; }
}
