# The command sees the public headers and its own, as any program does that embeds the library.
noinst_LTLIBRARIES += core/cli/libcli.la
core_cli_libcli_la_SOURCES = core/cli/apply.c core/cli/command.c core/cli/config.c core/cli/diff.c core/cli/entry.h core/cli/exec.c core/cli/explain.c \
	core/cli/kept.c core/cli/follow.c core/cli/follow.h core/cli/options.c core/cli/options.h \
	core/cli/help.c core/cli/usage.c core/cli/usage.h core/cli/plugins.c core/cli/probe.c core/cli/records.c core/cli/records.h \
	core/cli/progress.c core/cli/progress.h core/cli/relay.c core/cli/relay.h core/cli/run.c core/cli/show.c core/cli/signals.c \
	core/cli/signals.h core/cli/terminal.c core/cli/terminal.h core/cli/verb.h core/cli/whole.c core/cli/wrappers.c

core_cli_libcli_la_SOURCES += core/cli/serve.c core/cli/serve_server.h core/cli/serve_answers.c core/cli/serve_answers.h \
	core/cli/serve_pool.c core/cli/serve_pool.h core/cli/serve_errands.c core/cli/serve_lines.c core/cli/serve_lines.h \
	core/cli/serve_order.c core/cli/serve_order.h core/cli/serve_requests.c core/cli/serve_run.c core/cli/serve_run.h \
	core/cli/serve_runs.c core/cli/serve_values.c core/cli/serve_values.h

core_cli_libcli_la_SOURCES += core/cli/report.c

core_cli_libcli_la_CPPFLAGS = $(AM_CPPFLAGS) $(MACOS_CPPFLAGS) -DHELP_PLACE='"$(helpdir)"'

COMMAND_LDADD = core/cli/libcli.la plugins/built_in/libbuilt_in.la core/libcore.la $(COMMAND_LIBS) -lpthread
bin_PROGRAMS += pinfold
pinfold_CPPFLAGS = $(AM_CPPFLAGS) $(MACOS_CPPFLAGS)
pinfold_SOURCES = core/cli/main.c
pinfold_LDADD = $(COMMAND_LDADD)
pinfold_LDFLAGS = $(AM_LDFLAGS) $(COMMAND_LDFLAGS)
# Where it can be linked with the C library too, that is the one which people start.
if QUICK
pinfold_CPPFLAGS += -DENTRY_WHOLE='"$(pkglibexecdir)/pinfold-whole"'
pinfold_SOURCES += core/cli/quick.c
pinfold_LDFLAGS += -static-pie
pkglibexec_PROGRAMS += pinfold-whole
pinfold_whole_CPPFLAGS = $(AM_CPPFLAGS)
pinfold_whole_SOURCES = core/cli/main.c
pinfold_whole_LDADD = $(COMMAND_LDADD)
pinfold_whole_LDFLAGS = $(AM_LDFLAGS) $(COMMAND_LDFLAGS)
else
EXTRA_DIST += core/cli/quick.c
endif

dist_man_MANS += core/cli/pinfold.1 core/cli/pinfold-apply.1 core/cli/pinfold-config.1 core/cli/pinfold-diff.1 core/cli/pinfold-exec.1 \
	core/cli/pinfold-discard.1 core/cli/pinfold-gc.1 core/cli/pinfold-sessions.1 \
	core/cli/pinfold-explain.1 core/cli/pinfold-plugins.1 core/cli/pinfold-probe.1 core/cli/pinfold-run.1 core/cli/pinfold-wrappers.1
dist_man_MANS += core/cli/pinfold-jobs.1 core/cli/pinfold-serve.1 core/cli/pinfold-help.1 core/cli/pinfold-report.1 core/cli/pinfold-arms.7

# The manual as plain text: for each page a file with the topic's name.
helpdir = $(vendordir)/help
EXTRA_DIST += core/cli/help/text.awk
all-local: core/cli/help/made
core/cli/help/made: $(dist_man_MANS) $(srcdir)/core/cli/help/text.awk
	$(AM_V_GEN)rm -rf core/cli/help/pages && $(MKDIR_P) core/cli/help/pages && for page in $(dist_man_MANS); do \
		case $$page in \
		*/pinfold.1) topic=pinfold ;; \
		*/pinfold.conf.5) topic=configuration ;; \
		*/pinfold-policy.5) topic=policies ;; \
		*/pinfold-wrappers.7) topic=caches ;; \
		*) topic=$${page##*/pinfold-} topic=$${topic%.*} ;; \
		esac; \
		test -e $$page || page=$(srcdir)/$$page; \
		$(AWK) -f $(srcdir)/core/cli/help/text.awk $$page >core/cli/help/pages/$$topic || exit 1; \
	done && touch $@

# Completions, of what the command itself says: it must run here.
EXTRA_DIST += core/cli/completions/bash.awk core/cli/completions/bash.tail core/cli/completions/fish.awk \
	core/cli/completions/fish.tail core/cli/completions/zsh.awk core/cli/completions/zsh.tail
if RUNS_HERE
completions = core/cli/completions/bash.made core/cli/completions/fish.made core/cli/completions/zsh.made
else
completions =
endif
all-local: $(completions)
CLEANFILES += core/cli/completions/list core/cli/completions/bash.made core/cli/completions/fish.made core/cli/completions/zsh.made
core/cli/completions/list: pinfold$(EXEEXT)
	$(AM_V_at)$(MKDIR_P) core/cli/completions && ./pinfold$(EXEEXT) --list >$@.tmp && mv -f $@.tmp $@
core/cli/completions/bash.made: core/cli/completions/list $(srcdir)/core/cli/completions/bash.awk $(srcdir)/core/cli/completions/bash.tail
	$(AM_V_GEN)$(AWK) -f $(srcdir)/core/cli/completions/bash.awk core/cli/completions/list >$@.tmp && \
		cat $(srcdir)/core/cli/completions/bash.tail >>$@.tmp && mv -f $@.tmp $@
core/cli/completions/fish.made: core/cli/completions/list $(srcdir)/core/cli/completions/fish.awk $(srcdir)/core/cli/completions/fish.tail
	$(AM_V_GEN)$(AWK) -v tail=$(srcdir)/core/cli/completions/fish.tail -f $(srcdir)/core/cli/completions/fish.awk \
		core/cli/completions/list >$@.tmp && mv -f $@.tmp $@
core/cli/completions/zsh.made: core/cli/completions/list $(srcdir)/core/cli/completions/zsh.awk $(srcdir)/core/cli/completions/zsh.tail
	$(AM_V_GEN)$(AWK) -v tail=$(srcdir)/core/cli/completions/zsh.tail -f $(srcdir)/core/cli/completions/zsh.awk \
		core/cli/completions/list >$@.tmp && mv -f $@.tmp $@

# Where each shell looks; zsh differs between distributions.
bashcompletiondir = $(datadir)/bash-completion/completions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
zshcompletiondir = $(datadir)/zsh/site-functions
install-data-local: core/cli/help/made $(completions)
	$(MKDIR_P) "$(DESTDIR)$(helpdir)"
	$(INSTALL_DATA) core/cli/help/pages/* "$(DESTDIR)$(helpdir)"
if RUNS_HERE
	$(MKDIR_P) "$(DESTDIR)$(bashcompletiondir)" "$(DESTDIR)$(fishcompletiondir)" "$(DESTDIR)$(zshcompletiondir)"
	$(INSTALL_DATA) core/cli/completions/bash.made "$(DESTDIR)$(bashcompletiondir)/pinfold"
	$(INSTALL_DATA) core/cli/completions/fish.made "$(DESTDIR)$(fishcompletiondir)/pinfold.fish"
	$(INSTALL_DATA) core/cli/completions/zsh.made "$(DESTDIR)$(zshcompletiondir)/_pinfold"
endif
uninstall-local:
	rm -rf "$(DESTDIR)$(helpdir)"
	rm -f "$(DESTDIR)$(bashcompletiondir)/pinfold" "$(DESTDIR)$(fishcompletiondir)/pinfold.fish" \
		"$(DESTDIR)$(zshcompletiondir)/_pinfold"
mostlyclean-local:
	rm -rf core/cli/help/pages core/cli/help/made
