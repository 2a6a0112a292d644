# tests/suite/learning.sh - how people find out: help, topics, completions in three shells.

shared() {	# PATH…: of the first that is there
	local path
	for path; do
		path=${PINFOLD%/bin/pinfold}/share/$path
		[[ ! -e $path ]] || { echo "$path"; return; }
	done
	echo "none of $*" >&2
	return 1
}

# In its own page, or in one that it leads to.
every_verb_and_every_option_is_in_the_help() {
	local what verb name rest page options=0
	"$PINFOLD" --list >"$WORK/list"
	while IFS=$'\t' read -r what verb name rest; do
		if [[ $what == verb ]]; then
			"$PINFOLD" help "$verb" >"$WORK/page"
			grep -qF "pinfold-$verb - " "$WORK/page"
			for page in $(grep -oE 'pinfold(-[a-z]+)?\(1\)' "$WORK/page" | sort -u); do
				"$PINFOLD" help "${page%(*}" >>"$WORK/page"
			done
			continue
		fi
		grep -qE -- "(^|[^a-z-])$name([^a-z-]|$)" "$WORK/page" || { echo "$verb: no $name"; return 1; }
		options=$((options + 1))
	done <"$WORK/list"
	((options > 60))
}

help_lists_its_topics_and_shows_each() {
	local topic topics
	pf help
	status_is 0
	topics=$(sed -n 's/^  \([a-z-]*\) .*/\1/p' <<<"$out")
	for topic in run policies presets caches arms sessions configuration namespaces; do
		[[ $'\n'$topics$'\n' == *$'\n'$topic$'\n'* ]] || { echo "no topic $topic"; return 1; }
	done
	for topic in $topics; do
		env -i "$PINFOLD" help "$topic" >"$WORK/out"
		grep -qx NAME "$WORK/out"
		[[ $(wc -l <"$WORK/out") -gt 15 ]]
		! grep -q $'\033' "$WORK/out"
	done
	pf help pinfold-run
	status_is 0
	pf help polices
	refused E_USAGE
	err_has policies
	for topic in ../pinfold.conf /etc/passwd . '' 'run x'; do
		pf help "$topic"
		status_is 125
	done
}

# pages FILTER: the words of all pages, one a line, but for what two programs make differently
words() { tr -s ' \n\t' '\n\n\n' | sed 's/^[-•]$//' | tr -d "\"'“”‘’" | sed '/^$/d'; }
help_says_word_for_word_what_the_manual_pages_say() {
	command -v mandoc >/dev/null || skip "needs mandoc"
	local page topic pages=0
	for page in "${PINFOLD%/bin/pinfold}"/share/man/man?/pinfold*; do
		[[ $page != *.gz ]] || skip "the manual pages are compressed"
		topic=${page##*/pinfold-} topic=${topic%.*}
		case ${page##*/} in
		pinfold.1) topic=pinfold ;;
		pinfold.conf.5) topic=configuration ;;
		pinfold-policy.5) topic=policies ;;
		pinfold-wrappers.7) topic=caches ;;
		esac
		mandoc -T utf8 -O width=1000 "$page" | sed '1d;$d' | sed 's/.\x08//g; s/–/-/g' | words >"$WORK/one"
		"$PINFOLD" help "$topic" | words >"$WORK/other"
		diff "$WORK/one" "$WORK/other" || { echo "$topic"; return 1; }
		pages=$((pages + 1))
	done
	((pages > 18))
}

# in_bash WORD…: what is offered for the last word
in_bash() {
	bash --norc -c '
		[[ ! -r /usr/share/bash-completion/bash_completion ]] || . /usr/share/bash-completion/bash_completion
		compopt() { :; }	# not within readline
		. "$1"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
		_pinfold
		printf "%s\n" "${COMPREPLY[@]}"' bash "$(shared bash-completion/completions/pinfold)" "$@"
}
offers() { grep -qxF -- "$1" <<<"$offered" || { echo "not offered: $1"; echo "$offered"; return 1; }; }
bash_completes_verbs_options_values_and_the_command() {
	local offered
	"$PINFOLD" run -q --session first -- true
	offered=$(in_bash "$PINFOLD" expl); equal "$offered" explain
	offered=$(in_bash "$PINFOLD" run --re); offers --require; offers --relax; offers --receipt
	offered=$(in_bash "$PINFOLD" run --arm ''); offers namespaces; offers copytree
	offered=$(in_bash "$PINFOLD" run --view = ''); equal "$offered" $'copy\noverlay\ndirect'
	offered=$(in_bash "$PINFOLD" run --view =); offers overlay
	offered=$(in_bash "$PINFOLD" run --view copy,ov); equal "$offered" copy,overlay
	offered=$(in_bash "$PINFOLD" diff --session f); equal "$offered" first
	offered=$(in_bash "$PINFOLD" run --preset default,agent-s); equal "$offered" default,agent-strict
	offered=$(in_bash "$PINFOLD" run --require network,wri); equal "$offered" network,writes
	offered=$(in_bash "$PINFOLD" run --set network.mo); equal "$offered" network.mode=
	offered=$(in_bash "$PINFOLD" run --set network.mode = host -q --wh); equal "$offered" --where
	offered=$(in_bash "$PINFOLD" apply o); equal "$offered" one
	offered=$(in_bash "$PINFOLD" help pol); equal "$offered" policies
	offered=$(in_bash "$PINFOLD" run -C sr); equal "$offered" src
	offered=$(in_bash "$PINFOLD" run -q -- setpri); offers setpriv
	offered=$(in_bash "$PINFOLD" run -q setpri); offers setpriv
	offered=$(in_bash "$PINFOLD" run -- cat on); offers one
}

fish_completes_verbs_options_values_and_the_command() {
	command -v fish >/dev/null || skip "needs fish"
	local offered
	"$PINFOLD" run -q --session first -- true
	mkdir "$WORK/bin"
	ln -s "$PINFOLD" "$WORK/bin/pinfold"
	in_fish() {
		PATH=$WORK/bin:$PATH fish --no-config -c "source $(shared fish/vendor_completions.d/pinfold.fish); complete -C '$1'" | cut -f 1
	}
	offered=$(in_fish 'pinfold expl'); equal "$offered" explain
	offered=$(in_fish 'pinfold run --re'); offers --require; offers --receipt
	offered=$(in_fish 'pinfold run --arm '); offers namespaces; offers copytree
	offered=$(in_fish 'pinfold run --view='); offers --view=overlay
	offered=$(in_fish 'pinfold diff --session '); equal "$offered" first
	offered=$(in_fish 'pinfold run --preset agent-s'); equal "$offered" agent-strict
	offered=$(in_fish 'pinfold probe --require net'); equal "$offered" network
	offered=$(in_fish 'pinfold apply o'); equal "$offered" one
	offered=$(in_fish 'pinfold help pol'); equal "$offered" policies
	offered=$(in_fish 'pinfold run -q -- setpri'); offers setpriv
	offered=$(in_fish 'pinfold run -- cat on'); offers one
}

zsh_completes_verbs_options_values_and_the_command() {
	command -v zsh >/dev/null || skip "needs zsh"
	local place
	place=$(shared zsh/site-functions/_pinfold zsh/vendor-completions/_pinfold)
	"$PINFOLD" run -q --session first -- true
	mkdir "$WORK/bin"
	ln -s "$PINFOLD" "$WORK/bin/pinfold"
	PATH=$WORK/bin:$PATH python3 "${BASH_SOURCE%/*}/completing.py" "${place%/*}" \
		'pinfold expl' explain \
		'pinfold run --re' '--require --relax --receipt' \
		'pinfold run --arm ' 'namespaces copytree' \
		'pinfold run --view ' 'copy overlay direct' \
		'pinfold diff --session ' first \
		'pinfold run --require network,' writes \
		'pinfold run --preset agent-' agent-strict \
		'pinfold run --set netw' network.mode \
		'pinfold apply o' one \
		'pinfold help p' 'policies presets' \
		'pinfold run -q -- setpr' setpriv \
		'pinfold run -- cat o' one \
		'pinfold run -C s' src
}

a_plugin_tells_its_manual_page_and_the_keys_of_its_sections() {
	local name
	pf plugins --help namespaces
	status_is 0
	out_has 'pinfold-namespaces(7)'
	out_has '[arm:namespaces]'
	out_has 'yes or no; no'
	out_has '[view:overlay]'
	"$PINFOLD" plugins overlay >"$WORK/same"
	equal "$out" "$(<"$WORK/same")"
	pf plugins --json ccache --set wrapper:ccache.directory=/somewhere
	equal "$(json "$WORK/out" 'd["sections"][0]["section"], d["sections"][0]["keys"][0]["key"], d["sections"][0]["keys"][0]["value"]')" 'wrapper:ccache directory /somewhere'
	pf plugins --json
	for name in $(json "$WORK/out" '*[p["manual"] for p in d["plugins"] if p.get("manual")]'); do
		name=${name%(*}
		pf help "${name#pinfold-}"
		[[ $name == pinfold-wrappers || $out == *"$name"* ]]
	done
	pf plugins no-such-module
	refused E_USAGE
	pf plugins namespaces copytree
	refused E_USAGE
}
