# tests/suite/landlock_told.sh - where refusals are told another filter asks about changes of files, and the same are
# answered by the same.
# arm landlock

. "${BASH_SOURCE%/*}/landlock.sh"

tell_refusals() {
	mkdir -p "$HOME/.config/pinfold"
	printf '[pinfold]\ndenials = yes\n' >"$HOME/.config/pinfold/pinfold.conf"
}

changes_of_the_copy_are_made_where_refusals_are_told() {
	tell_refusals
	everything_in_the_copy_can_be_changed_in_every_way
}

changes_outside_are_refused_where_refusals_are_told() {
	tell_refusals
	nothing_outside_can_be_changed_in_any_way
}

a_race_of_links_is_lost_where_refusals_are_told() {
	tell_refusals
	a_race_of_links_changes_nothing_outside
}
