check_PROGRAMS += tests/base_text
TESTS += tests/base_text
tests_base_text_SOURCES = tests/base_text.c
tests_base_text_CPPFLAGS = $(TEST_CPPFLAGS)
tests_base_text_LDADD = core/base/libbase.la $(CMOCKA_LIBS)
