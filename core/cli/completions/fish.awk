# core/cli/completions/fish.awk - fish's completions, from the lines of `pinfold --list`.

BEGIN { FS = "\t" }

function quoted(text) { gsub(/[\\']/, "\\\\&", text); return "'" text "'" }

function taking(option, argument) {
	if (argument == "") return ""
	if (argument == "DIR") return " -x -a '(__fish_complete_directories (commandline -ct))'"
	if (argument == "FILE") return " -r -F"
	if (index(argument, "|")) { gsub(/\|/, " ", argument); return " -x -a " quoted(argument) }
	return " -x -a '(__pinfold_found " option ")'"
}

NR == 1 {
	print "# fish completion for pinfold. Made from its tables of verbs and options.\n"
	while ((getline line < tail) > 0)
		print line
	print ""
}
$1 == "verb" {
	operands[$2] = $3
	printf "complete -c pinfold -n __pinfold_begins -a %s -d %s\n", $2, quoted($4)
	if ($3 ~ /^COMMAND/)
		printf "complete -c pinfold -n '__pinfold_command %s' -a '(__pinfold_complete_command)'\n", $2
	else if ($3 == "[path ...]")
		printf "complete -c pinfold -n '__pinfold_is %s' -F\n", $2
	else if ($3 != "")
		printf "complete -c pinfold -n '__pinfold_is %s' -a '(__pinfold_found \"%s\")'\n", $2, $3
}
$1 == "option" {
	name = $3 ~ /^--/ ? "-l " substr($3, 3) : "-s " substr($3, 2)
	printf "complete -c pinfold -n '__pinfold_options %s' %s%s -d %s\n", $2, name, taking($3, $4), quoted($5)
}
