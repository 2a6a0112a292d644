# core/cli/help/text.awk - a manual page (mdoc) as plain text, for `pinfold help TOPIC`: what the pages of this
# project use of the language, and a fault for a macro that is not here, so that nothing is lost in silence.

BEGIN {
	width = 78
	split("Aq Ar Bq Brq Cm Dq Dv Em Er Ev Fa Fl Ft Ic Li Nm No Ns Op Pa Pq Ql Qq Sq Sx Sy Tn Va Vt Xr", list, " ")
	for (i in list)
		inline[list[i]] = 1
	opening["Op"] = opening["Bq"] = "["; closing["Op"] = closing["Bq"] = "]"
	opening["Pq"] = "("; closing["Pq"] = ")"
	opening["Ql"] = "'"; closing["Ql"] = "'"
	opening["Sq"] = "'"; closing["Sq"] = "'"
	opening["Dq"] = opening["Qq"] = "\""; closing["Dq"] = closing["Qq"] = "\""
	opening["Aq"] = "<"; closing["Aq"] = ">"
	opening["Brq"] = "{"; closing["Brq"] = "}"
}

# --- words ------------------------------------------------------------------------------------------

function plain(word) {
	gsub(/\\\(dq/, "\"", word)
	gsub(/\\&/, "", word)
	gsub(/\\-/, "-", word)
	gsub(/\\e/, "\\", word)
	return word
}

# The line's words into word[1..count]; quoted[i] where one stood in quotation marks.
function cut(line,    at, end) {
	count = 0
	while (sub(/^ +/, "", line) || line != "") {
		if (line == "")
			break
		if (substr(line, 1, 1) == "\"") {
			line = substr(line, 2)
			end = index(line, "\"")
			if (end == 0)
				end = length(line) + 1
			quoted[++count] = 1
		} else {
			end = match(line, / /) ? RSTART : length(line) + 1
			quoted[++count] = 0
		}
		word[count] = substr(line, 1, end - 1)
		line = substr(line, end + (quoted[count] ? 1 : 0))
	}
}

function is_closing(i) { return !quoted[i] && word[i] ~ /^[.,;:)?!\]]$/ }
function is_macro(i) { return !quoted[i] && (word[i] in inline) }

function join(text, more) {
	if (text == "" || more == "" || glued) {
		glued = 0
		return text more
	}
	return text " " more
}

# What the macro at `from` makes of its words, up to the last; `taken` is the last that it took.
function run(from, last,    name, text, i, end) {
	name = word[from]
	if (name in opening) {
		for (end = last; end > from && is_closing(end); end--)
			continue
		text = opening[name] words(from + 1, end) closing[name]
		taken = end
		return text
	}
	if (name == "Xr") {
		taken = from + 2 > last ? last : from + 2
		return word[from + 1] "(" word[from + 2] ")"
	}
	if (name == "Ns") {
		glued = 1
		taken = from
		return ""
	}
	text = ""
	for (i = from + 1; i <= last && !is_macro(i) && !is_closing(i); i++)
		text = join(text, (name == "Fl" && word[i] != "|" ? "-" : "") plain(word[i]))
	taken = i - 1
	if (text != "")
		return text
	return name == "Fl" ? "-" : name == "Nm" ? title : name == "Ar" ? "file ..." : ""
}

function words(from, last,    text, macro, i, piece, tight) {
	text = ""
	for (i = from; i <= last; i++) {
		if (is_closing(i)) {
			text = text word[i]
			# A list of one kind goes on after a comma.
			if (macro ~ /^(Ar|Cm|Er|Ev|Fl|Pa)$/ && i < last && !is_macro(i + 1) && !is_closing(i + 1)) {
				tight = word[i]
				word[i] = macro
				text = join(text, run(i, last))
				word[i] = tight
				i = taken
			}
		} else if (is_macro(i)) {
			macro = word[i]
			tight = glued
			glued = 0
			piece = run(i, last)
			if (macro == "Ns") {
				glued = 1
				continue
			}
			glued = tight
			text = join(text, piece)
			i = taken
		} else if (!quoted[i] && word[i] == "(") {
			text = join(text, "(")
			glued = 1
		} else {
			text = join(text, plain(word[i]))
		}
	}
	return text
}

# --- lines ------------------------------------------------------------------------------------------

function blanks(n) { return sprintf("%" n "s", "") }

function put(line) {
	sub(/ +$/, "", line)
	if (line == "" && (last_empty || !begun))
		return
	print line
	begun = 1
	last_empty = line == ""
}

function flush(    part, n, i, line) {
	n = split(paragraph, part, " ")
	line = ""
	for (i = 1; i <= n; i++) {
		if (line != "" && columns(line) + columns(part[i]) + 1 > width - indent) {
			put(blanks(indent - hanging) lead line)
			lead = ""; hanging = 0
			line = ""
		}
		line = line == "" ? part[i] : line " " part[i]
	}
	if (line != "" || lead != "") {
		put(blanks(indent - hanging) lead line)
		lead = ""; hanging = 0
	}
	paragraph = ""
}

# Bytes that begin a character.
function columns(text,    copy) {
	copy = text
	gsub(/[\200-\277]/, "", copy)
	return length(copy)
}

function add(text) { paragraph = paragraph == "" ? text : paragraph " " text }
function gap() { flush(); put("") }

function begin_list(line,    i) {
	flush()
	depth++
	kind[depth] = line ~ /-bullet/ ? "bullet" : line ~ /-enum/ ? "enum" : line ~ /-column/ ? "column" : "tag"
	compact[depth] = line ~ /-compact/
	number[depth] = 0
	base[depth] = indent
	columns_wide = 0
	cut(line)
	for (i = 1; kind[depth] == "column" && i <= count; i++)
		if (quoted[i] || word[i] !~ /^-/)
			wide[++columns_wide] = length(plain(word[i]))
	if (!compact[depth])
		put("")
}

function item(text) {
	flush()
	if (!compact[depth])
		put("")
	indent = base[depth]
	if (kind[depth] == "tag") {
		add(text)
		flush()
		indent = base[depth] + 4
	} else {
		lead = kind[depth] == "enum" ? sprintf("%-4s", ++number[depth] ".") : "-   "
		hanging = 4
		indent = base[depth] + 4
	}
}

# A line of a table: its cells stand between the words Ta.
function row(    i, from, cell, line, text) {
	flush()
	from = 1
	line = ""
	for (i = 1; i <= count + 1; i++) {
		if (i <= count && (quoted[i] || word[i] != "Ta"))
			continue
		text = words(from, i - 1)
		cell++
		line = line (i > count ? text : sprintf("%-" (wide[cell] + 2) "s", text))
		from = i + 1
	}
	put(blanks(base[depth]) line)
}

function macro_line(name, rest,    i) {
	cut(rest)
	if (name == "Dd" || name == "Os") return
	if (name == "Dt") { heading = tolower(word[1]) "(" word[2] ")"; return }
	if (name == "Sh" || name == "Ss") {
		flush()
		put("")
		section = words(1, count)
		put((name == "Ss" ? "  " : "") section)
		last_empty = 1
		indent = 4
	} else if (name == "Nd") {
		add("- " words(1, count))
	} else if (name == "Pp") {
		gap()
	} else if (name == "Bl") {
		begin_list(rest)
	} else if (name == "It") {
		if (kind[depth] == "column")
			row()
		else
			item(words(1, count))
	} else if (name == "El") {
		flush()
		indent = base[depth]
		depth--
		if (!compact[depth + 1])
			put("")
	} else if (name == "Dl") {
		flush()
		put(blanks(indent + 4) words(1, count))
	} else if (name == "Bd") {
		gap()
		literal = 1
		inset = rest ~ /-offset/ ? 4 : 0
	} else if (name == "Ed") {
		literal = 0
		put("")
	} else if (name in inline) {
		if (name == "Nm") {
			if (title == "" && count > 0)
				title = word[1]
			if (section == "SYNOPSIS")
				flush()
		}
		cut(name " " rest)
		add(words(1, count))
	} else {
		print "text.awk: " FILENAME ":" FNR ": the macro ." name " is not known here" >"/dev/stderr"
		failed = 1
	}
}

/^\.\\"/ { next }
literal && !/^\.Ed/ { put(blanks(indent + inset) plain($0)); next }
/^\./ { macro_line(substr($1, 2), substr($0, length($1) + 1)); next }
{ add(plain($0)) }
END {
	flush()
	exit failed
}
