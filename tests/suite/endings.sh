# tests/suite/endings.sh - exit statuses, signals, time limits.

every_exit_status_is_the_commands_own() {
	keep_tree
	local code
	for code in 0 1 2 42 63 64 123 124 125 126 127 128 129 137 200 254 255; do
		"$PINFOLD" run -q -- sh -c "exit $code" && status=0 || status=$?
		status_is "$code"
	done
}
