presetdir = $(vendordir)/presets
preset_DATA = \
	conf/presets/agent-readonly@1.conf \
	conf/presets/agent-strict.conf \
	conf/presets/agent-workspace@1.conf \
	conf/presets/build@1.conf \
	conf/presets/default.conf \
	conf/presets/minimal@1.conf \
	conf/presets/small.conf
# Examples: nothing reads them where they are installed.
wrapperdir = $(vendordir)/wrappers.d
wrapper_DATA = \
	conf/wrappers.d/ccache.conf \
	conf/wrappers.d/distcc.conf \
	conf/wrappers.d/generic.conf \
	conf/wrappers.d/sccache.conf
vendor_DATA += conf/hard.conf conf/pinfold.conf
dist_man_MANS += conf/pinfold.conf.5 conf/pinfold-policy.5 conf/pinfold-presets.5
EXTRA_DIST += conf/hard.conf conf/pinfold.conf $(preset_DATA) $(wrapper_DATA)
