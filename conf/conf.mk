presetdir = $(vendordir)/presets
preset_DATA = \
	conf/presets/agent-strict.conf \
	conf/presets/default.conf \
	conf/presets/small.conf
vendor_DATA += conf/pinfold.conf
dist_man_MANS += conf/pinfold.conf.5 conf/pinfold-presets.5
EXTRA_DIST += conf/pinfold.conf $(preset_DATA)
