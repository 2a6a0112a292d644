# tests/suite/hardened.sh - what is installed keeps code and data apart, in its files and while it runs.

# Ours: the command, what it hands over to, the supervisor's program, and every module.
our_files() {
	command -v readelf >/dev/null || skip "needs readelf"
	local program
	readlink -f -- "$PINFOLD"
	for program in pinfold-whole pinfold-init; do
		program=$(dirname "$PINFOLD")/../libexec/pinfold/$program
		[[ ! -e $program ]] || readlink -f -- "$program"
	done
	"$PINFOLD" plugins --json | sed -n 's/^ *"path": "\(.*\.so\)",\{0,1\}$/\1/p'
}

nothing_of_a_file_can_be_written_and_executed() {
	our_files >"$WORK/files"
	(($(wc -l <"$WORK/files") >= 4))
	local file
	while read -r file; do
		readelf -lW "$file" >"$WORK/parts"
		never grep -E '^ *LOAD .* RWE ' "$WORK/parts"
		grep -E '^ *GNU_STACK ' "$WORK/parts" >"$WORK/stack"
		never grep -E ' RWE ' "$WORK/stack"
	done <"$WORK/files"
}

addresses_are_made_by_chance_and_tables_are_read_only_once_they_are_filled() {
	our_files >"$WORK/files"
	not_sanitized "being looked at"
	local file
	while read -r file; do
		# It has neither tables nor anything else that could be written.
		[[ $file == */pinfold-init ]] && { never grep -E '^ *LOAD .* RW ' <(readelf -lW "$file"); continue; }
		readelf -hW "$file" | grep -qE 'Type: +DYN'
		readelf -lW "$file" | grep -q GNU_RELRO
		readelf -dW "$file" >"$WORK/dynamic"
		grep -qE 'NOW' "$WORK/dynamic"
	done <"$WORK/files"
}

nothing_in_memory_can_be_written_and_executed_while_a_command_runs() {
	not_sanitized "being looked at"
	local pid looked=0
	mkfifo "$WORK/hold"
	"$PINFOLD" run -q -- sh -c 'echo there; read line' <"$WORK/hold" >"$WORK/out" &
	local run=$!
	exec 9>"$WORK/hold"
	eventually 20 grep -q there "$WORK/out"
	for pid in "$run" $(pgrep -P "$run" || :); do
		[[ -r /proc/$pid/maps ]] || continue
		cat "/proc/$pid/maps" >"$WORK/maps" 2>/dev/null || continue
		[[ ! -s $WORK/maps ]] || looked=$((looked + 1))
		never grep -E '^[0-9a-f-]+ .wx' "$WORK/maps"
	done
	echo >&9
	exec 9>&-
	wait "$run"
	((looked >= 1))
}

what_runs_on_beside_the_command_has_opened_no_library() {
	whole_program
	not_sanitized "being traced"
	run -q -- true
	strace -f -o "$WORK/calls" -e trace=openat,open,execve "$PINFOLD" run -q -- true
	# Before the command itself is executed, which opens its own.
	sed -n '/execve("[^"]*\/true"/q;p' "$WORK/calls" | grep -oE '"[^"]*\.so[^"]*", O_RDONLY[^)]*\) = [0-9]+' >"$WORK/opened" || :
	never grep -vE '/(namespaces|copytree)\.so"|/ld\.so\.cache"|/libc\.so\.6"' "$WORK/opened"
}
