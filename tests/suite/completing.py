"""tests/suite/completing.py DIRECTORY LINE WORDS … - does zsh, with the completions of the directory, offer the words for the line?"""
import re, sys
from terminal import Terminal

place, lines = sys.argv[1], sys.argv[2:]
shell = Terminal(argv=("zsh", "-f", "-i"), prompt="")
shell.line(f"fpath=({place} $fpath); autoload -Uz compinit; compinit -u -D; PS1='REA''DY>'; setopt nobeep; LISTMAX=1000; bindkey -e")
shell.line("zstyle ':completion:*' verbose no; bindkey '^I' list-choices; bindkey '^U' kill-whole-line; stty columns 200; print FIN''ISHED")
shell.expect("FINISHED")
shell.expect("READY>")
for line, words in zip(lines[::2], lines[1::2]):
    shell.send(line)
    shell.expect(re.escape(line.strip()))
    shell.send("\t")
    offered = set(words.split())
    while offered:
        word = shell.expect("|".join(rf"(?<![\w-]){re.escape(word)}(?![\w-])" for word in sorted(offered))).group(0)
        offered.remove(word)
    shell.send("\x15\n")
    shell.text = ""
    shell.line("print NE''XT")
    shell.expect("NEXT")
    shell.expect("READY>")
shell.close()
