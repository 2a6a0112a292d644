# core/cli/completions/bash.awk - bash's completions, from the lines of `pinfold --list`.

BEGIN { FS = "\t" }
$1 == "verb" {
	verbs = verbs " " $2
	operands[$2] = $3
	order[++count] = $2
}
$1 == "option" {
	options[$2] = options[$2] " " $3
	if ($4 != "")
		arguments = arguments sprintf("\t\"%s %s\") echo '%s' ;;\n", $2, $3, $4)
}
END {
	print "# bash completion for pinfold. Made from its tables of verbs and options.\n"
	print "_pinfold_verbs='" substr(verbs, 2) "'\n"
	print "_pinfold_options()\n{\n\tcase $1 in"
	for (i = 1; i <= count; i++)
		printf "\t%s) echo '%s' ;;\n", order[i], substr(options[order[i]], 2)
	print "\tesac\n}\n\n# What the option of a verb takes, if anything."
	printf "_pinfold_argument()\n{\n\tcase \"$1 $2\" in\n%s\tesac\n}\n\n", arguments
	print "_pinfold_operands()\n{\n\tcase $1 in"
	for (i = 1; i <= count; i++)
		if (operands[order[i]] != "")
			printf "\t%s) echo '%s' ;;\n", order[i], operands[order[i]]
	print "\tesac\n}\n"
}
