plugin_LTLIBRARIES += plugins/jobobject/jobobject.la
plugins_jobobject_jobobject_la_SOURCES = plugins/jobobject/jobobject.c
plugins_jobobject_jobobject_la_LDFLAGS = $(MODULE_LINK)
