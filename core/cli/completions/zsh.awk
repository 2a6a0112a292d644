# core/cli/completions/zsh.awk - zsh's completions, from the lines of `pinfold --list`.

BEGIN { FS = "\t" }

function quoted(text) { gsub(/'/, "'\\''", text); return text }

function described(text) {
	gsub(/\[/, "\\\\[", text)
	gsub(/\]/, "\\\\]", text)
	gsub(/:/, "\\\\:", text)
	return quoted(text)
}

function action(option, takes) {
	if (takes == "DIR") return "_directories"
	if (takes == "FILE" || takes == "[path ...]") return "_files"
	if (index(takes, "|")) { gsub(/\|/, " ", takes); return "_values -s , value " takes }
	return "{_pinfold_found " quoted(option) "}"
}

$1 == "verb" {
	order[++count] = $2
	summary[$2] = $4
	specs[$2] = ""
	if ($3 ~ /^COMMAND/)
		last[$2] = " \\\n\t\t\t'(-)1:command: _command_names -e' '*::argument:_normal'"
	else if ($3 == "[path ...]")
		last[$2] = " \\\n\t\t\t'*:path:_files'"
	else if ($3 != "")
		last[$2] = " \\\n\t\t\t'1:" substr($3, 2, length($3) - 2) ":{_pinfold_found \"" $3 "\"}'"
	flags[$2] = $3 ~ /^COMMAND/ ? "-S -A '-*' " : "-S "
}
$1 == "option" {
	specs[$2] = specs[$2] sprintf(" \\\n\t\t\t'%s%s%s[%s]%s'", $3 ~ /^--(set|env|grant)$/ ? "*" : "", $3,
				      $4 != "" && $3 ~ /^--/ ? "=" : "", described($5),
				      $4 != "" ? ":" described($4) ":" action($3, $4) : "")
}
END {
	print "#compdef pinfold\n# Made from its tables of verbs and options.\n"
	while ((getline line < tail) > 0)
		print line
	print "\n_pinfold() {\n\tlocal program=$words[1] curcontext=$curcontext state line\n\ttypeset -A opt_args"
	print "\t_arguments -C '(-)--help[show the verbs]' '(-)--version[say the version]' \\"
	print "\t\t'(-)--list[list verbs and options for programs]' '1:verb:->verb' '*::argument:->rest'"
	print "\tcase $state in\n\tverb)\n\t\tlocal -a verbs=("
	for (i = 1; i <= count; i++)
		printf "\t\t\t'%s:%s'\n", order[i], described(summary[order[i]])
	print "\t\t)\n\t\t_describe verb verbs ;;\n\trest)\n\t\tcase $words[1] in"
	for (i = 1; i <= count; i++)
		printf "\t\t%s)\n\t\t\t_arguments %s%s%s ;;\n", order[i], flags[order[i]], specs[order[i]], last[order[i]]
	print "\t\tesac ;;\n\tesac\n}\n\n_pinfold \"$@\""
}
