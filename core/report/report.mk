noinst_LTLIBRARIES += core/report/libreport.la
core_report_libreport_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_report_libreport_la_SOURCES = 
