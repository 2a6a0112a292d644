# tests/machine/inside/suite.sh - a part of the suite, with every arm, where pinfold is installed for all.
# as person

the_suite_passes_where_pinfold_is_installed_for_all_on_a_kernel_as_debian_has_it() {
	suite_passes "apply conformance endings exec landlock overlay sessions streams tree" 'nothing|survive|same_as|status_is|restored|refused'
}
