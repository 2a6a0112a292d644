#!/bin/bash
# first-run.sh [PINFOLD]: what only a Mac can tell of the arm seatbelt. Run once, as yourself and not as root, from
# Terminal; it writes below a directory of its own, and prints a verdict per line: `holds`, `FAILS`, or `unknown` where
# this Mac cannot tell, as what is tried does not work outside either.
# It is written for the bash that macOS ships, 3.2.
set -u
pinfold=${1:-pinfold}
[ "$(uname)" = Darwin ] || { echo "this is no Mac"; exit 1; }
[ "$(id -u)" != 0 ] || { echo "run it as yourself, not as root"; exit 1; }
command -v "$pinfold" >/dev/null || { echo "no $pinfold: install it, or name it: first-run.sh /path/to/pinfold"; exit 1; }
case $pinfold in */*) pinfold=$(cd "$(dirname "$pinfold")" && pwd -P)/$(basename "$pinfold") ;; esac
place=$(mktemp -d "$HOME/pinfold-first-run.XXXXXX") || exit 1	# a directory of pinfold's own must be below one of yours
place=$(cd "$place" && pwd -P)
# Nothing of yours is read or kept, and what is left asleep is known by its time.
export XDG_CONFIG_HOME=$place/config XDG_CACHE_HOME=$place/cache XDG_STATE_HOME=$place/state
nap=$((100000 + $$))
good=0 bad=0 unknown=0 outside='' probe=''
clean() {
	for process in $outside $probe; do kill "$process" 2>/dev/null; done
	pgrep -f "^sleep $nap\$" | while read -r process; do kill "$process"; done
	rm -rf "$place"
}
trap clean EXIT
trap 'exit 1' INT TERM HUP

verdict() {	# RESULT WHAT
	case $1 in
	holds) good=$((good + 1)) ;;
	FAILS) bad=$((bad + 1)) ;;
	*) unknown=$((unknown + 1)) ;;
	esac
	printf '%-8s %s\n' "$1" "$2"
}
last() { tail -n 1 "$place/out"; }
holds() { local what=$1; shift; if "$@" >"$place/out" 2>&1; then verdict holds "$what"; else verdict FAILS "$what: $(last)"; fi; }
fails() { local what=$1; shift; if "$@" >"$place/out" 2>&1; then verdict FAILS "not: $what"; else verdict holds "not: $what"; fi; }
caged() { (cd "$place/tree" && "$pinfold" run -q --arm seatbelt "${options[@]}" -- "$@"); }
caged_many() {
	local i many=''
	for ((i = 0; i < 300; i++)); do
		mkdir -p "$place/many/$i"
		many="$many, $place/many/$i"
	done
	(cd "$place/tree" && "$pinfold" run -q --arm seatbelt --set filesystem.hidden="${many#, }" -- /usr/bin/true)
}
# Works here outside, so that it says something that it does not inside.
refused() {
	local what=$1
	shift
	if ! (cd "$place/tree" && "$@") >"$place/out" 2>&1; then verdict unknown "not: $what (nor outside: $(last))"; return; fi
	fails "$what" caged "$@"
}
# Works outside, so that it is pinfold's fault where it does not inside.
runs() {
	local what=$1
	shift
	if ! (cd "$place/tree" && "$@") >"$place/out" 2>&1; then verdict unknown "$what (nor outside: $(last))"; return; fi
	holds "$what" caged "$@"
}

printf 'macOS %s (%s), %s, %s\n' "$(sw_vers -productVersion)" "$(sw_vers -buildVersion)" "$(uname -m)" "$("$pinfold" --version 2>&1)"
mkdir -p "$place/tree/.git/hooks" "$place/tree/.git/objects" "$place/tree/.git/refs" "$place/open" "$place/secret" "$place/granted"
echo "ref: refs/heads/main" >"$place/tree/.git/HEAD"; echo tree >"$place/tree/file"; echo secret >"$place/secret/key"; echo env >"$place/tree/.env"; echo plain >"$place/plain"
printf '[grant:out]\nkind = write\n' >"$place/grants.conf"
options=(--set filesystem.hidden="$place/secret" --set filesystem.writable="$place/open")

echo '-- The library: symbols, the block of arguments of each call, whether a child is confined at all.'
holds 'the arm is available: every function is there, a child that may do nothing runs nothing' "$pinfold" probe --set pinfold.arms=seatbelt --require filesystem
"$pinfold" probe 2>&1 | sed 's/^/         /'
holds 'the kernel tells a run by its mark (process_tree is kept)' /bin/sh -c "cd '$place/tree' && '$pinfold' run -q --arm seatbelt --require process_tree -- /usr/bin/true"
holds 'the arm is taken where nobody names any' /bin/sh -c "cd '$place/tree' && '$pinfold' run -q --receipt '$place/receipt' -- /usr/bin/true && grep -q '\"seatbelt\"' '$place/receipt'"
runs 'a command runs' /usr/bin/true
runs 'a shell runs a pipeline' /bin/sh -c 'echo a | cat | grep -q a'
runs 'the compiler runs (command line tools)' /bin/sh -c 'd=$(mktemp -d) && echo "int main(void){return 0;}" >"$d/a.c" && cc "$d/a.c" -o "$d/a" && "$d/a"'
runs 'git runs' /usr/bin/git --version
runs 'python3 runs' /usr/bin/python3 -c 'print(1)'
holds 'names of every byte are parameters: quotes, brackets, a newline' /bin/sh -c "d='$place/open/a\"b)(c
d'; mkdir -p \"\$d\" && cd '$place/tree' && '$pinfold' run -q --arm seatbelt --grant \"out=\$d\" --config '$place/grants.conf' -- /bin/sh -c 'echo x >\"\$PINFOLD_GRANT_OUT/made\"'"
holds 'a profile of 300 hidden paths compiles' caged_many

echo '-- Files.'
holds 'the copy can be written' caged /bin/sh -c 'echo x >new'
fails 'the tree itself was written' test -e "$place/tree/new"
fails 'the tree can be written by its own path' caged /bin/sh -c "echo x >'$place/tree/file'"
refused 'a hidden file can be read' /bin/cat "$place/secret/key"
refused 'a hidden file can be read by /System/Volumes/Data' /bin/cat "/System/Volumes/Data$place/secret/key"
refused 'a hidden file can be read in other letters' /bin/cat "$(dirname "$place")/$(basename "$place" | tr '[:lower:]' '[:upper:]')/SECRET/KEY"
fails 'a hidden directory can be moved into sight' caged /bin/mv "$place/secret" "$place/open/s"
fails 'a file elsewhere can be made' caged /bin/sh -c "echo x >'$place/elsewhere'"
holds 'a named path can be written' caged /bin/sh -c "echo x >'$place/open/file'"
fails 'a hard link to a hidden file can be made' caged /bin/ln "$place/secret/key" "$place/open/link"
fails 'a hidden file can be cloned' caged /bin/cp -c "$place/secret/key" "$place/open/clone"
holds 'the private temporary directory can be written' caged /bin/sh -c 'echo x >"$TMPDIR/x"'
options+=(--set filesystem.protected="$place/open/hooks")
holds 'another name beside a protected one can be made' caged /bin/mkdir "$place/open/other"
fails 'a protected name can be made in other letters' caged /bin/mkdir "$place/open/HOOKS"
options=(--config "$place/grants.conf" --grant "out=$place/granted")
holds 'a token opens what a grant is bound to' caged /bin/sh -c 'echo x >"$PINFOLD_GRANT_OUT/made"'
holds 'what the grant let through is there' test -e "$place/granted/made"
fails 'a token opens what lies beside it' caged /bin/sh -c "echo x >'$place/open/beside'"
options=(--set filesystem.hidden="$place/secret" --set filesystem.writable="$place/open")

echo '-- Services, sockets, network, processes.'
refused 'the keychain answers' /usr/bin/security list-keychains
refused 'the pasteboard can be read' /bin/sh -c 'echo x | pbcopy && pbpaste | grep -q .'
fails 'launch services open a program' caged /usr/bin/open -g -a TextEdit
refused 'the service manager answers' /bin/launchctl print "gui/$(id -u)"
refused 'a script of other programs is run' /usr/bin/osascript -e 'tell application "Finder" to get name'
refused 'the network is reached' /usr/bin/curl -s -m 10 -o /dev/null https://example.org
options=(--set network.mode=host)
runs 'the host network is reached when it is asked for' /usr/bin/curl -s -m 10 -o /dev/null https://example.org
options=(--set network.mode=ports --set network.connect=443)
refused 'another port than the named one is reached' /usr/bin/curl -s -m 10 -o /dev/null http://example.org
options=(--set filesystem.hidden="$place/secret" --set filesystem.writable="$place/open")
sleep 600 & outside=$!
refused 'a process outside can be signalled' /bin/kill -0 $outside
fails 'set-user-ID programs run' caged /usr/bin/sudo -n true
if [ -t 0 ]; then
	fails 'the terminal can be typed into' caged /usr/bin/perl -e 'my $c = "x"; ioctl(STDIN, 0x80017472, $c) or exit 1'
	holds 'the terminal can be read and written' caged /bin/sh -c 'echo >/dev/tty'
else verdict unknown 'not: the terminal can be typed into (start it from Terminal)'; fi

echo '-- What left the group: the marks.'
caged /bin/sh -c "/usr/bin/perl -MPOSIX -e 'fork and exit; POSIX::setsid(); fork and exit; exec qw(sleep $nap)'; true" >"$place/out" 2>&1
fails 'a daemon of the command outlives it' pgrep -f "^sleep $nap\$"
holds 'a run that is ended at its time limit leaves nothing' /bin/sh -c "cd '$place/tree' && '$pinfold' run -q --arm seatbelt --timeout 1s -- /bin/sleep $nap; test \$? = 124 && ! pgrep -f '^sleep $nap\$'"

echo '-- Becoming the command.'
become() { (cd "$place/tree" && "$pinfold" exec -q --arm seatbelt --view direct "${options[@]}" -- "$@"); }
is_the_same() {
	local both
	both=$(cd "$place/tree" && /bin/sh -c 'echo $$; exec "$@"' sh "$pinfold" exec -q --arm seatbelt --view direct -- /bin/sh -c 'echo $$')
	[ "$(echo "$both" | sed -n 1p)" = "$(echo "$both" | sed -n 2p)" ]
}
holds 'the process that pinfold was is the command' is_the_same
holds 'what becomes the command writes the tree' become /bin/sh -c 'echo x >become'
holds 'it was the tree itself' test -e "$place/tree/become"
fails 'what becomes the command can make a file elsewhere' become /bin/sh -c "echo x >'$place/elsewhere'"
fails 'what becomes the command can read a hidden file' become /bin/cat "$place/secret/key"
fails 'what becomes the command can make a hook' become /bin/sh -c 'echo x >.git/hooks/post-commit'
options=(--config "$place/grants.conf" --grant "out=$place/granted")
holds 'a token opens what a grant is bound to there as well' become /bin/sh -c 'echo x >"$PINFOLD_GRANT_OUT/become"'
options=(--set filesystem.hidden="$place/secret" --set filesystem.writable="$place/open")

echo '-- Known not to be held.'
SECRET_OF_PINFOLD_TEST=1 sleep 600 & probe=$!
if caged /bin/ps -Eww -p $probe 2>/dev/null | grep -q SECRET_OF_PINFOLD_TEST; then
	verdict known 'arguments and environment of your processes can be read (the pages say so)'
else
	verdict holds 'ps does not show the environment of your processes'
fi

echo "-- Refusals from the system's log: an administrator's."
(cd "$place/tree" && "$pinfold" run --arm seatbelt --denials --receipt "$place/receipt" "${options[@]}" -- /bin/cat "$place/secret/key") >"$place/out" 2>&1
if grep -q 'refused to read .*secret/key' "$place/out"; then verdict holds 'what is refused is told from the log'
elif grep -q 'not all that was refused is told' "$place/out"; then
	verdict unknown "what is refused is not told: $(grep 'not all that was' "$place/out")"
else verdict FAILS "what is refused is told from the log: $(last)"; fi
holds 'what is refused is in the receipt, or why it is not' grep -q '"denials_missing": "\|"call": "file-read' "$place/receipt"
fails 'the helper of the log outlives pinfold' pgrep -f 'log stream --style ndjson --predicate .*pinfold'

echo '-- The rest of pinfold here.'
holds 'eight runs, one after the other' /bin/sh -c "cd '$place/tree' && for i in 1 2 3 4 5 6 7 8; do '$pinfold' run -q --arm seatbelt -- /usr/bin/true || exit 1; done"
holds 'eight runs at once' /bin/sh -c "cd '$place/tree' && n=0; for i in 1 2 3 4 5 6 7 8; do '$pinfold' run -q --arm seatbelt -- /usr/bin/true & n=\"\$n \$!\"; done; for i in \${n#0}; do wait \$i || exit 1; done"
holds 'changes are told' /bin/sh -c "cd '$place/tree' && '$pinfold' run -q --arm seatbelt -- /bin/sh -c 'echo y >changed' && '$pinfold' diff --names | grep -q changed"
holds 'changes are applied' /bin/sh -c "cd '$place/tree' && '$pinfold' apply && test -e changed"
holds 'a nested run is refused and says why' /bin/sh -c "cd '$place/tree' && '$pinfold' run -q --arm seatbelt -- '$pinfold' run --arm seatbelt -- /usr/bin/true 2>&1 | grep -q 'confined by Seatbelt already'"
printf '%d hold, %d fail, %d unknown or known\n' $good $bad $unknown
[ $bad -eq 0 ]
