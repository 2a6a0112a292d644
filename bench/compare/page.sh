# bench/compare/page.sh - the page of what was measured and tried, and the heads of its rows. Sourced by compare.sh.

page() {
	declare -A first=() second=()
	local peer i one two
	while IFS='|' read -r peer i one two; do
		first["$peer $i"]=${one% }
		second["$peer $i"]=${two% }
	done <<<"$answers"
	page_opening
	page_numbers
	page_properties
	page_documented
	page_losses
	page_peers
}

number_head="| | start | to bubblewrap | 8 at a time | to bubblewrap | in 10,000 files | to bubblewrap | memory | … in 10,000 files |"
documented_head="| | |"
peers_head="| | version | plain way | strictest way | documented in |"
number_names() {
	local row
	for row in "${peers[@]}"; do [[ $row == *'|never '* ]] || echo "${row%%|*}"; done
	for row in "${others[@]}"; do echo "${row%%|*}"; done
}
peer_names() { local row; for row in "${peers[@]}"; do echo "${row%%|*}"; done; }
sections() { local row; for row in "${probes[@]}"; do echo "${row%%|*}"; done | uniq; }
property_head() {	# SECTION
	local row head="| $1 |"
	for row in "${peers[@]}"; do [[ $row == *'|never '* ]] || head+=" ${row%%|*} |"; done
	echo "$head"
}
rule_of() { tr -dc '|' <<<"$1" | sed 's/|/|---/g; s/---$//'; echo; }

# What the page's tables must begin with, so that a page that others made is told.
page_rows() {
	local section row
	echo "$number_head"
	number_names | sed 's/.*/| & |/'
	while read -r section; do
		property_head "$section"
		for row in "${probes[@]}"; do
			[[ $row != "$section|"* ]] || { row=${row#*|}; echo "| ${row%%|*} |"; }
		done
	done < <(sections)
	echo "$documented_head"
	for row in "${documented[@]}"; do echo "| ${row%%|*} |"; done
	echo "$peers_head"
	peer_names | sed 's/.*/| & |/'
}

page_opening() {
	cat <<-'END'
	# pinfold beside other tools

	This page is made by `./dev bench compare --page` (as root, on Debian): it installs the peers below `build/`, tries each property with a small probe in each of them, and measures all of them in turn, round after round, on one machine. Run it on yours; numbers of other machines do not compare. What could not be had or does not run there is a row that says why.

	END
	printf 'This run: %s; pinfold %s.\n\n' "$facts" "${versions[pinfold]}"
	cat <<-'END'
	## Numbers

	Medians of `/bin/true`, run by a person without privileges in each one's plain way (the list of ways is at the end), and the median of the ratios to bubblewrap in the same rounds. *Start*: one command in a small tree, in milliseconds. *8 at a time*: commands in a second. *In 10,000 files*: one command in a tree of that size, in milliseconds; most peers show the tree itself, so nothing grows with it, and the command changes what it likes there. *Memory*: the most that one process had until the command's end, in MB; the row *no sandbox* is what the command has by itself. *fails* is a peer that ended with an error while it was measured: more than one at once in a tree, for instance.

	END
}

# cell BLOCK NAME FIELD SCALE FORMAT
cell() {
	local values
	read -ra values <<<"${numbers["$1 $2"]:-}"
	if ((${#values[@]} < 2)); then printf ' %s |' "${values[0]:-}"; else awk -v v="${values[$3]}" "BEGIN { printf \" $5 |\", $4 }"; fi
}

page_numbers() {
	local name
	echo "$number_head"
	rule_of "$number_head"
	while read -r name; do
		printf '| %s |' "$name"
		if [[ ${reasons[$name]:-} ]]; then printf ' not measured here: %s | | | | | | | |\n' "${reasons[$name]}"; continue; fi
		cell start "$name" 0 'v / 1000' '%.1f'
		cell start "$name" 1 v '%.2f'
		cell throughput "$name" 0 '16e6 / v' '%.0f'
		cell throughput "$name" 1 '1 / v' '%.2f'
		cell tree "$name" 0 'v / 1000' '%.1f'
		cell tree "$name" 1 v '%.2f'
		cell start "$name" 2 'v / 1024' '%.0f'
		cell tree "$name" 2 'v / 1024' '%.0f'
		echo
	done < <(number_names)
}

answer_cell() {	# NAME NUMBER
	local one=${first["$1 $2"]:-} two=${second["$1 $2"]:-}
	if [[ $one == "$two" ]]; then printf ' %s |' "${one:-—}"; else printf ' %s / %s |' "$one" "$two"; fi
}

page_properties() {
	local section head i row name
	cat <<-'END'

	## Properties

	Each cell is the answer of a probe (`bench/compare/rows.sh` has them, a line each): in the plain way, and behind a stroke in the strictest one where that differs. A dash is a peer that could not be tried; *no sandbox* is the command by itself, for what each probe is worth. *yes* means that what the row says was so; whether one wants it is another matter: a tool that shows the tree itself is meant to change it.

	END
	while read -r section; do
		head=$(property_head "$section")
		echo "$head"
		rule_of "$head"
		for i in "${!probes[@]}"; do
			row=${probes[i]}
			[[ $row == "$section|"* ]] || continue
			row=${row#*|}
			printf '| %s |' "${row%%|*}"
			while read -r name; do answer_cell "$name" "$i"; done < <(for row in "${peers[@]}"; do [[ $row == *'|never '* ]] || echo "${row%%|*}"; done)
			echo
		done
		echo
	done < <(sections)
}

page_documented() {
	local row
	printf '## What no probe tells\n\nFrom documentation, which is named. Of who is not in a row it was not found.\n\n%s\n%s\n' "$documented_head" "$(rule_of "$documented_head")"
	for row in "${documented[@]}"; do printf '| %s | %s |\n' "${row%%|*}" "${row#*|}"; done
}

# better_than NAME BLOCK FIELD: who has less of it, the least first.
better_than() {
	local key values mine
	read -ra values <<<"${numbers["$2 $1"]}"
	mine=${values[$3]}
	for key in "${!numbers[@]}"; do
		[[ $key == "$2 "* && $key != "$2 pinfold" && $key != "$2 no sandbox" ]] || continue
		read -ra values <<<"${numbers[$key]}"
		((${#values[@]} > 1)) || continue
		awk -v a="${values[$3]}" -v b="$mine" 'BEGIN { exit !(a < b) }' && echo "${values[$3]} ${key#* }"
	done | sort -n | cut -d ' ' -f 2- | paste -s -d ';' | sed 's/;/; /g; s/^$/nobody/'
}

page_losses() {
	local i row title name who
	cat <<-END

	## Where others are ahead

	Made of the tables above. Faster to start than \`pinfold run\`: $(better_than pinfold start 0). More commands in a second: $(better_than pinfold throughput 0). Faster in 10,000 files: $(better_than pinfold tree 0). Less memory: $(better_than pinfold start 2).

	A launcher with a single purpose does less: what only uses Landlock makes no namespaces, what shows the tree itself compares nothing, and neither has anything to review afterwards. Properties that pinfold's plain way does not have and another's plain way has:

	END
	for i in "${!probes[@]}"; do
		row=${probes[i]#*|} title=${row%%|*} who=
		[[ ${first["pinfold $i"]:-yes} != yes* && ${first["pinfold $i"]:-yes} != nothing ]] || continue
		while read -r name; do
			[[ ${first["$name $i"]:-} != yes* && ${first["$name $i"]:-} != nothing ]] || who+="${who:+, }$name"
		done < <(peer_names | grep -v '^no sandbox$')
		[[ ! $who ]] || echo "- $title (pinfold: ${first["pinfold $i"]}): $who"
	done
	for row in "${documented[@]}"; do
		[[ $row != *'pinfold: no'* ]] || echo "- ${row%%|*}: see above"
	done
}

page_peers() {
	local row name plain strict source
	printf '\n## Who they are, and how they were run\n\nTREE is the working tree, HOME the home, PEERS where the peers were installed. Ways are as documented in the source named; tools without a default way are given what a build needs.\n\n%s\n%s\n' \
		"$peers_head" "$(rule_of "$peers_head")"
	for row in "${peers[@]}"; do
		IFS='|' read -r name _ plain strict source <<<"$row"
		printf '| %s | %s | %s | %s | %s |\n' "$name" "${versions[$name]:-${reasons[$name]}}" \
			"${plain:+\`${plain% AS-ONE}\`}" "${strict:+\`${strict% AS-ONE}\`}" "$source"
	done
	printf '\n`srt` is given `denyRead` nothing or the home, `allowRead` and `allowWrite` the tree, and no domain. `try` is given the command as one word.\n'
}
