# tests/suite/copying.sh - a first copy that takes its time: what a person sees of it, and how it is ended.

# Enough files that a copy of them can be stopped on its way.
fill_large() {
	python3 -c '
import os
for i in range(60):
    os.makedirs(f"many/{i}")
    for j in range(100):
        open(f"many/{i}/{j}", "w").write("content " * 50)'
}

# A Python program on stdin with `t`, pinfold at a terminal, stopped when it has copied something.
stopped_on_its_way() {	# OPTION…
	{ printf 'import sys\nsys.path.insert(0, "%s")\nfrom terminal import *\nimport glob\nscratch = "%s/s"\n' "$here" "$WORK/home"
		printf 'options = "%s".split()\n' "$*"
		cat <<-'END'
			def copied():
			    return sum(len(os.listdir(place)) for place in glob.glob(scratch + "/t/*/0/tree/many/*"))
			def left():
			    return glob.glob(scratch + "/t/*/*/tree") + glob.glob(scratch + "/gone/*")
			t = Terminal([PINFOLD, "run", "--set", "filesystem.scratch=" + scratch, "--set", "copy.threads=1",
			              *options, "--", "echo", "the command ran"], prompt="")
			end = time.monotonic() + 10
			while copied() < 20 and time.monotonic() < end:
			    pass
			os.kill(t.pid, signal.SIGSTOP)
			if not 20 <= copied() < 5900:
			    sys.exit(f"not stopped on its way: {copied()} files")
		END
		cat
	} >"$WORK/program.py"
	PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$WORK/program.py"
}

a_person_sees_how_far_a_first_copy_is_and_then_no_more_of_it() {
	fill_large
	keep_tree
	stopped_on_its_way <<'END'
time.sleep(0.8)
os.kill(t.pid, signal.SIGCONT)
line = t.expect(r"\rcopying the tree: [\d,]+ files, [\d,]+ MB, [\d,]+ MB/s")
t.expect(r"\r {%d,}\r" % (len(line.group(0)) - 1))
if "copying" in t.expect(r"(?s).*the command ran").group(0):
    sys.exit("the line is still there")
os.waitpid(t.pid, 0)
END
}

the_receipt_says_which_way_bytes_came_into_the_copy() {
	local small large=$((3 << 20)) shares= wanted
	small=$(find . -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum + 1000 }')
	head -c $large /dev/zero | tr '\0' x >large
	head -c 1000 /dev/zero | tr '\0' x >small
	mkdir -p "$HOME/.cache"
	cp --reflink=always large "$HOME/.cache/probe" 2>/dev/null && shares=yes
	wanted="0 $large $small"
	[[ ! $shares ]] || wanted="$((large + small)) 0 0"
	run -q --arm copytree --receipt "$WORK/receipt" -- true
	status_is 0
	equal "$(json "$WORK/receipt" '*(d["view"]["work"]["bytes_by"][k] for k in ("reflink", "copy_file_range", "read_write"))')" "$wanted"
	run -q --arm copytree --receipt "$WORK/receipt" -- true
	equal "$(json "$WORK/receipt" '*d["view"]["work"]["bytes_by"].values()')" "0 0 0"
}

a_quiet_run_and_one_without_a_terminal_say_nothing_of_it() {
	fill_large
	stopped_on_its_way -q <<'END'
time.sleep(0.8)
os.kill(t.pid, signal.SIGCONT)
if "copying" in t.expect(r"(?s).*the command ran").group(0):
    sys.exit("a quiet run speaks")
os.waitpid(t.pid, 0)
END
	rm -rf -- "$WORK/home/s"
	"$PINFOLD" run --set "filesystem.scratch=$WORK/home/s" --set copy.threads=1 -- true 2>"$WORK/err" &
	eventually 10 on_its_way
	kill -STOP $!
	sleep 0.8
	kill -CONT $!
	wait $!
	never grep copying "$WORK/err"
}
on_its_way() { compgen -G "$WORK/home/s/t/*/0/tree/many/*/*" >/dev/null; }

what_is_hidden_and_is_replaced_during_a_first_copy_stays_hidden() {
	fill_large
	mkdir -p "$HOME/.aws"
	echo hunter2 | tee "$HOME/.netrc" "$HOME/.aws/credentials" >/dev/null
	"$PINFOLD" run -q --set "filesystem.scratch=$WORK/home/s" --set copy.threads=1 -- cat "$HOME/.netrc" "$HOME/.aws/credentials" >"$WORK/out" 2>&1 &
	eventually 10 on_its_way
	kill -STOP $!
	sleep 0.1
	echo hunter3 >"$HOME/new"
	mv "$HOME/new" "$HOME/.netrc"
	mv "$HOME/.aws" "$HOME/old"
	mkdir "$HOME/.aws"
	echo hunter4 >"$HOME/.aws/credentials"
	kill -CONT $!
	wait $! || true
	never grep hunter "$WORK/out"
	grep -q "$HOME/.aws/credentials" "$WORK/out"
}

an_interrupt_ends_a_first_copy_and_leaves_nothing_of_it() {
	fill_large
	keep_tree
	stopped_on_its_way <<'END'
time.sleep(0.8)
t.send("\x03")
os.kill(t.pid, signal.SIGCONT)
end = time.monotonic() + 10
while (found := os.waitpid(t.pid, os.WNOHANG)) == (0, 0) and time.monotonic() < end:
    time.sleep(0.01)
same(os.WIFSIGNALED(found[1]) and os.WTERMSIG(found[1]), signal.SIGINT, "the end")
same(left(), [], "what is left")
END
	run -q -- true
	status_is 0
}

a_signal_to_end_ends_a_first_copy_and_leaves_nothing_of_it() {
	local signal
	fill_large
	for signal in TERM HUP; do
		"$PINFOLD" run --set "filesystem.scratch=$WORK/home/s" --set copy.threads=1 -- echo ran >"$WORK/out" 2>"$WORK/err" &
		eventually 10 on_its_way
		kill -"$signal" $!
		status=0
		wait $! || status=$?
		show
		status_is $((128 + $(kill -l "$signal")))
		never compgen -G "$WORK/home/s/t/*/*/tree"
		out_is ""
		never compgen -G "$WORK/home/s/gone/*"
		rm -rf -- "$WORK/home/s"
	done
}
