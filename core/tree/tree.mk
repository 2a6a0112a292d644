noinst_LTLIBRARIES += core/tree/libtree.la
core_tree_libtree_la_CPPFLAGS = $(CORE_CPPFLAGS) $(XXHASH_CFLAGS)
core_tree_libtree_la_SOURCES = \
	core/tree/apply.c core/tree/apply.h \
	core/tree/above.c core/tree/above.h core/tree/access.h core/tree/apply_act.c core/tree/apply_areas.c core/tree/apply_check.c core/tree/apply_finish.c \
	core/tree/apply_hold.c core/tree/apply_journal.c core/tree/apply_list.c core/tree/apply_names.c \
	core/tree/apply_order.c core/tree/apply_plan.c core/tree/apply_plan.h \
	core/tree/apply_risky.c core/tree/apply_risky.h core/tree/apply_scripts.c \
	core/tree/apply_stage.c core/tree/apply_steps.h core/tree/apply_undo.c \
	core/tree/beside.c core/tree/beside.h core/tree/bond.c core/tree/bond.h \
	core/tree/carry.c core/tree/carry.h \
	core/tree/chain.c core/tree/chain.h \
	core/tree/changes.c core/tree/changes.h \
	core/tree/collect.c core/tree/collect.h \
	core/tree/compare.c \
	core/tree/contents.c core/tree/contents.h \
	core/tree/copies.c core/tree/copies.h \
	core/tree/crew.c core/tree/crew.h \
	core/tree/digest.c core/tree/digest.h \
	core/tree/discard.c core/tree/discard.h \
	core/tree/elsewhere.c core/tree/elsewhere.h \
	core/tree/entry.c \
	core/tree/file.c core/tree/file.h \
	core/tree/folder.c core/tree/folder.h \
	core/tree/follow.c core/tree/follow.h \
	core/tree/git_changes.c core/tree/git_changes.h \
	core/tree/git_refs.c core/tree/git_refs.h \
	core/tree/apply_times.c core/tree/glimpse.c core/tree/glimpse.h \
	core/tree/hidden.c core/tree/hidden.h core/tree/holder.c core/tree/holder.h core/tree/home.c core/tree/home.h \
	core/tree/immutable.h \
	core/tree/index.c core/tree/index.h \
	core/tree/inside.c core/tree/inside.h \
	core/tree/inventory.c core/tree/inventory.h \
	core/tree/kept.c core/tree/kept.h \
	core/tree/layer.c core/tree/layer.h \
	core/tree/uncover.c core/tree/uncover.h \
	core/tree/links.c core/tree/links.h \
	core/tree/listing.c core/tree/listing.h \
	core/tree/measure.c core/tree/measure.h core/tree/memo.c core/tree/memo.h \
	core/tree/merge.c core/tree/merge_content.c core/tree/merge_folder.c core/tree/merge.h \
	core/tree/mirror.c core/tree/mirror.h \
	core/tree/names.c core/tree/names.h \
	core/tree/mounts.c core/tree/moves.c \
	core/tree/pairs.c core/tree/pairs.h \
	core/tree/pace.c core/tree/pace.h \
	core/tree/pointer.c core/tree/pointer.h \
	core/tree/pending.c core/tree/pending.h \
	core/tree/pry.c core/tree/pry.h \
	core/tree/put_back.c core/tree/put_back_forget.c core/tree/put_back_memo.c core/tree/put_back.h \
	core/tree/amend.c core/tree/amend.h core/tree/record.c core/tree/record.h \
	core/tree/refresh.c core/tree/refresh.h core/tree/remedy.c core/tree/remedy.h \
	core/tree/scratch.c core/tree/scratch.h \
	core/tree/settle.c \
	core/tree/slot.c core/tree/slot.h \
	core/tree/stage.c core/tree/stage.h \
	core/tree/stamp.c core/tree/stamp.h \
	core/tree/survey.c core/tree/survey.h \
	core/tree/sync_crew.c \
	core/tree/tally.c core/tree/trouble.c \
	core/tree/twins.c \
	core/tree/untouched.c core/tree/untouched.h \
	core/tree/youngest.c core/tree/youngest.h
if !MACOS
core_tree_libtree_la_SOURCES += core/tree/access.c core/tree/immutable.c
endif
