check_PROGRAMS += tests/registry_vet tests/arms_statement
TESTS += tests/registry_vet tests/arms_statement

tests_registry_vet_SOURCES = tests/registry_vet.c
tests_registry_vet_CPPFLAGS = $(TEST_CPPFLAGS)
tests_registry_vet_LDADD = core/registry/libregistry.la core/config/libconfig.la \
	core/base/libbase.la $(TEST_PLACES) $(LTDL_LIBS) $(INIH_LIBS) $(CMOCKA_LIBS) -lpthread

tests_arms_statement_SOURCES = tests/arms_statement.c
tests_arms_statement_CPPFLAGS = $(TEST_CPPFLAGS)
tests_arms_statement_LDADD = core/arms/libarms.la core/registry/libregistry.la \
	core/config/libconfig.la core/base/libbase.la $(TEST_PLACES) $(LTDL_LIBS) $(INIH_LIBS) \
	$(CMOCKA_LIBS) -lpthread
