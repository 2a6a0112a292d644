# The report floor: documents, receipts, tables.
REPORT_TEST_LIBS = core/report/libreport.la core/wrappers/libwrappers.la core/base/libbase.la $(JANSSON_LIBS) $(SODIUM_LIBS) $(CMOCKA_LIBS)
REPORT_TESTS = tests/report_documents tests/report_receipt tests/report_coarse tests/report_files tests/report_patch \
	tests/report_stream tests/report_tables tests/report_application
check_PROGRAMS += $(REPORT_TESTS)
TESTS += $(REPORT_TESTS)
tests_report_application_SOURCES = tests/report_application.c
tests_report_application_CPPFLAGS = $(TEST_CPPFLAGS) $(JANSSON_CFLAGS)
tests_report_application_LDADD = $(REPORT_TEST_LIBS)
tests_report_documents_SOURCES = tests/report_documents.c
tests_report_documents_CPPFLAGS = $(TEST_CPPFLAGS) $(JANSSON_CFLAGS)
tests_report_documents_LDADD = $(REPORT_TEST_LIBS)
tests_report_receipt_SOURCES = tests/report_receipt.c
tests_report_receipt_CPPFLAGS = $(TEST_CPPFLAGS) $(JANSSON_CFLAGS)
tests_report_receipt_LDADD = $(REPORT_TEST_LIBS)
tests_report_files_SOURCES = tests/report_files.c
tests_report_files_CPPFLAGS = $(TEST_CPPFLAGS)
tests_report_files_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=openat
tests_report_files_LDADD = $(REPORT_TEST_LIBS)
tests_report_tables_SOURCES = tests/report_tables.c
tests_report_tables_CPPFLAGS = $(TEST_CPPFLAGS)
tests_report_tables_LDADD = $(REPORT_TEST_LIBS)
tests_report_patch_SOURCES = tests/report_patch.c
tests_report_patch_CPPFLAGS = $(TEST_CPPFLAGS)
tests_report_patch_LDADD = $(REPORT_TEST_LIBS)
tests_report_coarse_SOURCES = tests/report_coarse.c
tests_report_coarse_CPPFLAGS = $(TEST_CPPFLAGS)
tests_report_coarse_LDADD = $(REPORT_TEST_LIBS)
tests_report_stream_SOURCES = tests/report_stream.c
tests_report_stream_CPPFLAGS = $(TEST_CPPFLAGS)
tests_report_stream_LDADD = $(REPORT_TEST_LIBS)
