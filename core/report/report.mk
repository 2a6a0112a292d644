noinst_LTLIBRARIES += core/report/libreport.la
core_report_libreport_la_CPPFLAGS = $(CORE_CPPFLAGS) $(JANSSON_CFLAGS)
core_report_libreport_la_SOURCES = \
	core/report/document.c core/report/document.h \
	core/report/receipt.c core/report/receipt.h \
	core/report/receipt_file.c core/report/receipt_file.h \
	core/report/table.c core/report/table.h
