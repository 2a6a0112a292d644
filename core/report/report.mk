noinst_LTLIBRARIES += core/report/libreport.la
core_report_libreport_la_CPPFLAGS = $(CORE_CPPFLAGS) $(JANSSON_CFLAGS) $(LIBGIT2_CFLAGS)
core_report_libreport_la_SOURCES = \
	core/report/application.c core/report/application.h \
	core/report/coarse.c core/report/coarse.h \
	core/report/content.c core/report/content.h \
	core/report/document.c core/report/document.h \
	core/report/gitname.c core/report/gitname.h \
	core/report/hunks.c core/report/hunks.h \
	core/report/packed.c core/report/packed.h \
	core/report/page.c core/report/page.h core/report/page_style.h \
	core/report/patch.c core/report/patch.h \
	core/report/receipt.c core/report/receipt.h \
	core/report/receipt_file.c core/report/receipt_file.h \
	core/report/review.h core/report/review_parts.h \
	core/report/review_json.c core/report/review_list.c core/report/review_moved.c \
	core/report/review_parts.c core/report/review_patch.c core/report/review_read.c \
	core/report/review_stat.c \
	core/report/stream.c core/report/stream.h \
	core/report/table.c core/report/table.h
