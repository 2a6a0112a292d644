# The command sees the public headers and its own, as any program does that embeds the library.
noinst_LTLIBRARIES += core/cli/libcli.la
core_cli_libcli_la_SOURCES = core/cli/apply.c core/cli/command.c core/cli/config.c core/cli/diff.c core/cli/explain.c \
	core/cli/kept.c core/cli/follow.c core/cli/follow.h core/cli/options.c core/cli/options.h \
	core/cli/plugins.c core/cli/probe.c core/cli/records.c core/cli/records.h \
	core/cli/progress.c core/cli/progress.h core/cli/run.c core/cli/show.c core/cli/signals.c \
	core/cli/signals.h core/cli/terminal.c core/cli/terminal.h core/cli/verb.h core/cli/wrappers.c

core_cli_libcli_la_SOURCES += core/cli/serve.c core/cli/serve_server.h core/cli/serve_answers.c core/cli/serve_answers.h \
	core/cli/serve_pool.c core/cli/serve_pool.h core/cli/serve_errands.c core/cli/serve_lines.c core/cli/serve_lines.h \
	core/cli/serve_order.c core/cli/serve_order.h core/cli/serve_requests.c core/cli/serve_run.c core/cli/serve_run.h \
	core/cli/serve_runs.c core/cli/serve_values.c core/cli/serve_values.h

core_cli_libcli_la_CPPFLAGS = $(AM_CPPFLAGS) $(MACOS_CPPFLAGS)

bin_PROGRAMS += pinfold
pinfold_CPPFLAGS = $(AM_CPPFLAGS) $(MACOS_CPPFLAGS)
pinfold_SOURCES = core/cli/main.c
pinfold_LDADD = core/cli/libcli.la plugins/built_in/libbuilt_in.la core/libcore.la $(COMMAND_LIBS) -lpthread
pinfold_LDFLAGS = $(AM_LDFLAGS) $(COMMAND_LDFLAGS)

dist_man_MANS += core/cli/pinfold.1 core/cli/pinfold-apply.1 core/cli/pinfold-config.1 core/cli/pinfold-diff.1 \
	core/cli/pinfold-discard.1 core/cli/pinfold-gc.1 core/cli/pinfold-sessions.1 \
	core/cli/pinfold-explain.1 core/cli/pinfold-plugins.1 core/cli/pinfold-probe.1 core/cli/pinfold-run.1 core/cli/pinfold-wrappers.1
dist_man_MANS += core/cli/pinfold-jobs.1 core/cli/pinfold-serve.1
