#!/bin/bash
# first-run.sh [PINFOLD]: what only a Mac can tell of the arm seatbelt. Run once, as yourself and not as root, from
# Terminal; it writes below a directory of its own, and prints a verdict per line.
set -u
pinfold=${1:-pinfold}
place=$(mktemp -d "${TMPDIR:-/tmp}/pinfold-first-run.XXXXXX") || exit 1
place=$(cd "$place" && pwd -P)
trap 'rm -rf "$place"' EXIT
good=0 bad=0 unknown=0

verdict() {	# RESULT WHAT
	case $1 in
	holds) good=$((good + 1)) ;;
	FAILS) bad=$((bad + 1)) ;;
	*) unknown=$((unknown + 1)) ;;
	esac
	printf '%-8s %s\n' "$1" "$2"
}
holds() { local what=$1; shift; if "$@" >"$place/out" 2>&1; then verdict holds "$what"; else verdict FAILS "$what: $(tail -n 1 "$place/out")"; fi; }
fails() { local what=$1; shift; if "$@" >"$place/out" 2>&1; then verdict FAILS "not: $what"; else verdict holds "not: $what"; fi; }
caged() { (cd "$place/tree" && "$pinfold" run -q --arm seatbelt "${options[@]}" -- "$@"); }

[ "$(uname)" = Darwin ] || { echo "this is no Mac"; exit 1; }
printf 'macOS %s (%s), %s\n' "$(sw_vers -productVersion)" "$(sw_vers -buildVersion)" "$(uname -m)"
mkdir -p "$place/tree/.git/hooks" "$place/open" "$place/secret"
echo tree >"$place/tree/file"; echo secret >"$place/secret/key"; echo env >"$place/tree/.env"
options=(--set filesystem.hidden="$place/secret" --set filesystem.writable="$place/open")

# The library: symbols, the block of arguments of each call, whether a child is confined at all.
holds 'the functions of libsandbox are there and a child is confined' "$pinfold" probe --json
if "$pinfold" probe --json | grep -q '"seatbelt"'; then "$pinfold" probe | sed -n '/seatbelt/,/^$/p' | sed 's/^/         /'; fi
holds 'a command runs' caged /usr/bin/true
holds 'a shell runs a pipeline' caged /bin/sh -c 'echo a | cat | grep -q a'
holds 'the compiler runs (command line tools)' caged /bin/sh -c 'echo "int main(void){return 0;}" >a.c && cc a.c -o a && ./a'
holds 'git runs' caged /usr/bin/git --version
holds 'python3 runs' caged /usr/bin/python3 -c 'print(1)'

# Files.
holds 'the copy can be written' caged /bin/sh -c 'echo x >new'
fails 'the tree itself was written' test -e "$place/tree/new"
fails 'the tree can be written by its own path' caged /bin/sh -c "echo x >'$place/tree/file'"
fails 'a hidden file can be read' caged /bin/cat "$place/secret/key"
fails 'a hidden file can be read by /System/Volumes/Data' caged /bin/cat "/System/Volumes/Data$place/secret/key"
fails 'a hidden file can be read in other letters' caged /bin/cat "$(dirname "$place")/$(basename "$place" | tr '[:lower:]' '[:upper:]')/SECRET/KEY"
fails 'a hidden directory can be moved into sight' caged /bin/mv "$place/secret" "$place/open/s"
fails 'a file elsewhere can be made' caged /bin/sh -c "echo x >'$place/elsewhere'"
holds 'a named path can be written' caged /bin/sh -c "echo x >'$place/open/file'"
fails 'a hard link to a hidden file can be made' caged /bin/ln "$place/secret/key" "$place/open/link"
if "$pinfold" config | grep -q filesystem.protected; then
	options+=(--set filesystem.protected="$place/open/hooks")
	holds 'another name beside a protected one can be made' caged /bin/mkdir "$place/open/other"
	fails 'a protected name can be made in other letters' caged /bin/mkdir "$place/open/HOOKS"
fi

# Services, sockets, network, processes.
fails 'the keychain answers' caged /usr/bin/security find-generic-password -a "$USER"
fails 'the pasteboard can be read' caged /bin/sh -c 'pbpaste | grep -q .'
fails 'launch services open a program' caged /usr/bin/open -g -a TextEdit
fails 'the service manager answers' caged /bin/launchctl print "gui/$(id -u)"
fails 'a script of other programs is run' caged /usr/bin/osascript -e 'tell application "Finder" to get name'
fails 'the network is reached' caged /usr/bin/curl -s -m 5 https://example.org
options+=(--set network.mode=host)
holds 'the host network is reached when it is asked for (needs one)' caged /usr/bin/curl -s -m 10 -o /dev/null https://example.org
unset 'options[${#options[@]}-1]' 'options[${#options[@]}-1]'
sleep 60 & outside=$!
fails 'a process outside can be signalled' caged /bin/kill -0 $outside
kill $outside
fails 'set-user-ID programs run' caged /usr/bin/sudo -n true
fails 'the terminal can be typed into' caged /usr/bin/perl -e 'ioctl(STDIN, 0x80017472, my $c = "x") or exit 1'

# What left the group: the marks.
caged /bin/sh -c "/usr/bin/perl -MPOSIX -e 'fork and exit; POSIX::setsid(); fork and exit; sleep 300' ; true"
sleep 1
fails 'a daemon of the command outlives it' pgrep -f 'POSIX::setsid.*sleep 300'

# Known not to be held.
if SECRET_OF_PINFOLD_TEST=1 sleep 30 & probe=$!; then
	if caged /bin/ps -Eww -p $probe 2>/dev/null | grep -q SECRET_OF_PINFOLD_TEST; then
		verdict known 'arguments and environment of your processes can be read (the pages say so)'
	else
		verdict holds 'ps does not show the environment of your processes'
	fi
	kill $probe
fi

# Refusals from the log: an administrator's.
options+=(--denials --receipt "$place/receipt")
(cd "$place/tree" && "$pinfold" run --arm seatbelt "${options[@]}" -- /bin/cat "$place/secret/key") >"$place/out" 2>&1
if grep -q 'refused to read .*secret/key' "$place/out"; then verdict holds 'what is refused is told from the log'
elif grep -q 'not all that was refused is told' "$place/out"; then
	verdict unknown "what is refused is not told: $(grep 'not all that was' "$place/out")"
else verdict FAILS 'what is refused is told from the log'; fi
holds 'what is refused is in the receipt, or why it is not' grep -q '"denials_missing": "\|"file-read-data"' "$place/receipt"
options=(--set filesystem.hidden="$place/secret" --set filesystem.writable="$place/open")

# The rest of pinfold here.
holds 'many runs leave no descriptor and no copy too many' /bin/sh -c "cd '$place/tree' && for i in 1 2 3 4 5 6 7 8; do '$pinfold' run -q --arm seatbelt -- /usr/bin/true || exit 1; done"
holds 'changes are told' /bin/sh -c "cd '$place/tree' && '$pinfold' run -q --arm seatbelt -- /bin/sh -c 'echo y >changed' && '$pinfold' diff --names | grep -q changed"
holds 'changes are applied' /bin/sh -c "cd '$place/tree' && '$pinfold' apply && test -e changed"
holds 'a nested run is refused and says why' /bin/sh -c "cd '$place/tree' && ! '$pinfold' run --arm seatbelt -- '$pinfold' run --arm seatbelt -- /usr/bin/true"
printf '%d hold, %d fail, %d unknown\n' $good $bad $unknown
[ $bad -eq 0 ]
