/* report/receipt.c - the machine-readable record of one run. */
#include "config.h"

#include "report/receipt.h"

#include "report/document.h"

#include <stdio.h>
#include <string.h>

static const char *const axis_names[] = {
#define AXIS_NAME(NAME, name, kept, noun) name,
	PINFOLD_AXES(AXIS_NAME)
#undef AXIS_NAME
};

static void put_header(struct document *document, const char *kind)
{
	document_put(document, "schema", document_number(RECEIPT_SCHEMA));
	document_put(document, "kind", document_text(kind));
	document_put(document, "pinfold", document_text(PACKAGE_VERSION));
}

static json_t *instant(const struct timespec *when)
{
	char text[64];
	struct tm parts;
	if (!gmtime_r(&when->tv_sec, &parts))
		return json_null();
	size_t length = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
	snprintf(text + length, sizeof(text) - length, ".%03ldZ", when->tv_nsec / 1000000);
	return document_text(text);
}

static void put_promises(struct document *arm, const struct pinfold_offer *offer)
{
	struct document promises = document_object();
	for (unsigned axis = 0; offer && axis < PINFOLD_AXIS_COUNT; axis++) {
		struct document promise = document_object();
		document_put(&promise, "kept", document_flag(offer->kept >> axis & 1));
		document_put(&promise, "note", document_text(offer->note[axis]));
		document_put_document(&promises, axis_names[axis], &promise);
	}
	document_put_document(arm, "promises", &promises);
}

static void put_arm(struct document *document, const struct receipt *receipt)
{
	if (!receipt->arm) {
		document_put(document, "arm", json_null());
		return;
	}
	struct document arm = document_object();
	document_put(&arm, "name", document_text(receipt->arm));
	document_put(&arm, "version", document_text(receipt->arm_version));
	if (receipt->statement)	/* an event may come before it is known */
		document_put(&arm, "statement", document_text(receipt->statement));
	put_promises(&arm, receipt->offer);
	document_put_document(document, "arm", &arm);
}

/* Each with what would lift it. */
static void put_relaxations(struct document *document, const struct receipt *receipt)
{
	struct document list = document_list();
	for (size_t i = 0; i < receipt->relaxation_count; i++) {
		const struct receipt_relaxation *relaxation = &receipt->relaxations[i];
		struct document one = document_object();
		document_put(&one, "name", document_text(relaxation->name));
		document_put(&one, "construct", document_text(relaxation->construct));
		document_put(&one, "why", document_text(relaxation->why));
		document_put(&one, "lift", document_text(relaxation->lift));
		document_add_document(&list, &one);
	}
	document_put_document(document, "relaxations", &list);
}

/* Whoever counts on a file system that shares bytes wants to know whether it did. */
static void put_methods(struct document *work, const struct pinfold_work *done)
{
	struct document object = document_object();
	document_put(&object, "reflink", document_number(done->cloned));
	document_put(&object, "copy_file_range", document_number(done->ranged));
	document_put(&object, "read_write", document_number(done->plain));
	document_put_document(work, "bytes_by", &object);
}

static void put_work(struct document *view, const struct pinfold_work *work)
{
	if (!work) {
		document_put(view, "work", json_null());
		return;
	}
	struct document object = document_object();
	document_put(&object, "fresh", document_flag(work->fresh));
	document_put(&object, "walked", document_number(work->walked));
	document_put(&object, "created", document_number(work->created));
	document_put(&object, "rewritten", document_number(work->rewritten));
	document_put(&object, "removed", document_number(work->removed));
	document_put(&object, "bytes", document_number(work->bytes));
	put_methods(&object, work);
	document_put(&object, "skipped", document_number(work->skipped));
	document_put(&object, "skipped_names", document_texts(work->skipped_names));
	document_put_document(view, "work", &object);
}

static void put_view(struct document *document, const struct receipt *receipt)
{
	struct document view = document_object();
	document_put(&view, "name", document_text(receipt->view));
	document_put(&view, "source", document_text(receipt->source));
	document_put(&view, "kept", document_flag(receipt->kept));
	put_work(&view, receipt->work);
	document_put_document(document, "view", &view);
}

static void put_process(struct document *document, const struct receipt *receipt)
{
	struct document process = document_object();
	document_put(&process, "survivors", document_number(receipt->survivors));
	document_put(&process, "left", document_number(receipt->left));
	document_put(&process, "user_us", document_number(receipt->user_nanoseconds / 1000));
	document_put(&process, "system_us", document_number(receipt->system_nanoseconds / 1000));
	document_put(&process, "peak_bytes", document_number(receipt->peak_bytes));
	document_put_document(document, "process", &process);
}

static json_t *signal_name(int number)
{
	char name[32];
	const char *known = sigabbrev_np(number);
	if (known)
		snprintf(name, sizeof(name), "SIG%s", known);
	else
		snprintf(name, sizeof(name), "SIG%d", number);
	return document_text(name);
}

static void put_ending(struct document *document, const struct receipt *receipt)
{
	static const char *const kinds[] = {
		[PINFOLD_ENDED] = "ended",
		[PINFOLD_SIGNALLED] = "signalled",
		[PINFOLD_TIMED_OUT] = "timed_out",
		[PINFOLD_UNKNOWN] = "unknown",
	};
	struct document ending = document_object();
	uint32_t kind = receipt->ending <= PINFOLD_UNKNOWN ? receipt->ending : PINFOLD_UNKNOWN;
	document_put(&ending, "kind", document_text(kinds[kind]));
	if (kind == PINFOLD_ENDED)
		document_put(&ending, "code", json_integer(receipt->value));
	if (kind == PINFOLD_SIGNALLED) {
		document_put(&ending, "signal", json_integer(receipt->value));
		document_put(&ending, "signal_name", signal_name(receipt->value));
	}
	if (receipt->limit)
		document_put(&ending, "limit", document_text(receipt->limit));
	document_put_document(document, "ending", &ending);
}

static void put_durations(struct document *document, const struct receipt *receipt)
{
	const struct receipt_durations *durations = &receipt->durations;
	struct document object = document_object();
	document_put(&object, "setup", document_number(durations->setup / 1000));
	document_put(&object, "wait", document_number(durations->wait / 1000));
	document_put(&object, "sync", document_number(durations->sync / 1000));
	document_put(&object, "start", document_number(durations->start / 1000));
	document_put(&object, "run", document_number(durations->run / 1000));
	document_put(&object, "settle", document_number(durations->settle / 1000));
	document_put(&object, "total", document_number(durations->total / 1000));
	document_put_document(document, "durations_us", &object);
}

static void put_environment(struct document *document, const struct receipt *receipt)
{
	struct document environment = document_object();
	document_put(&environment, "dropped", document_texts(receipt->dropped));
	document_put_document(document, "environment", &environment);
}

static void put_wrappers(struct document *document, const struct receipt *receipt)
{
	struct document list = document_list();
	for (size_t i = 0; i < receipt->wrapper_count; i++) {
		struct document record = application_write(&receipt->wrappers[i]);
		document_add_document(&list, &record);
	}
	document_put_document(document, "wrappers", &list);
}

static void put_unheard(struct document *document, const char *const *pairs)
{
	struct document list = document_list();
	for (; pairs && pairs[0] && pairs[1]; pairs += 2) {
		struct document one = document_object();
		document_put(&one, "kind", document_text(pairs[0]));
		document_put(&one, "why", document_text(pairs[1]));
		document_add_document(&list, &one);
	}
	document_put_document(document, "denials_unheard", &list);
}

static void put_denials(struct document *document, const struct receipt *receipt)
{
	if (!receipt->denials)
		return;
	struct document list = document_list();
	for (size_t i = 0; i < receipt->denial_count; i++) {
		const struct receipt_denial *denial = &receipt->denials[i];
		struct document one = document_object();
		document_put(&one, "operation", document_text(denial->operation));
		document_put(&one, "target", document_text(denial->target));
		document_put(&one, "call", document_text(denial->call));
		document_put(&one, "count", document_number(denial->count));
		document_put(&one, "why", document_text(denial->why));
		document_put(&one, "lift", document_text(denial->lift));
		document_add_document(&list, &one);
	}
	document_put_document(document, "denials", &list);
	document_put(document, "denials_more", document_number(receipt->denials_more));
	document_put(document, "denials_missing", document_text(receipt->denials_trouble));
	put_unheard(document, receipt->unheard);
}

static void put_command(struct document *document, const struct receipt *receipt)
{
	document_put(document, "started", instant(&receipt->started));
	document_put(document, "argv", document_texts(receipt->argv));
}

static void put_choice(struct document *document, const struct receipt *receipt)
{
	document_put(document, "placement", document_text(receipt->placement));
	put_arm(document, receipt);
	document_put(document, "passed_over", document_texts(receipt->passed_over));
}

static void put_places(struct document *document, const struct receipt *receipt)
{
	document_put(document, "tree", document_text(receipt->tree));
	document_put(document, "session", document_text(receipt->session));
	put_view(document, receipt);
}

static void put_statement(struct document *document, const struct receipt *receipt)
{
	document_put(document, "statement", document_text(receipt->statement));
}

static void put_start(struct document *document, const struct receipt *receipt)
{
	document_put(document, "directory", document_text(receipt->directory));
	document_put(document, "relaxed", document_texts(receipt->relaxed));
	put_relaxations(document, receipt);
	document_put(document, "rewritten", document_texts(receipt->rewritten));
	put_environment(document, receipt);
}

static void put_end(struct document *document, const struct receipt *receipt)
{
	put_process(document, receipt);
	put_ending(document, receipt);
	document_put(document, "exit_code", document_number(receipt->exit_code));
}

int receipt_write(const struct receipt *receipt, char **ret_json, struct pinfold_error *err)
{
	struct document document = document_object();
	put_header(&document, "run");
	put_command(&document, receipt);
	put_choice(&document, receipt);
	put_places(&document, receipt);
	put_start(&document, receipt);
	put_wrappers(&document, receipt);
	put_denials(&document, receipt);
	put_end(&document, receipt);
	put_durations(&document, receipt);
	return document_write(&document, ret_json, err);
}

char *receipt_refusal(const struct pinfold_error *reason)
{
	struct document document = document_object();
	char *json = NULL;
	put_header(&document, "refusal");
	document_put(&document, "error", document_error(reason));
	document_write(&document, &json, NULL);
	return json;
}

/* --- events --------------------------------------------------------------------------------------- */
static const struct {
	const char *name;
	void (*put[3])(struct document *document, const struct receipt *receipt);
} events[RECEIPT_EVENTS] = {
	[RECEIPT_CHOSEN] = { "chosen", { put_choice } },
	[RECEIPT_VIEW] = { "view", { put_places } },
	[RECEIPT_STARTED] = { "started", { put_command, put_statement, put_start } },
	[RECEIPT_ENDED] = { "ended", { put_end } },
	[RECEIPT_SETTLED] = { "settled", { put_places, put_durations } },
};

static void put_event(struct document *document, const char *name, const char *run, uint64_t nanoseconds)
{
	document_put(document, "schema", document_number(RECEIPT_SCHEMA));
	document_put(document, "event", document_text(name));
	document_put(document, "run", document_text(run));
	document_put(document, "at_us", document_number(nanoseconds / 1000));
}

static char *end_event(struct document *document)
{
	char *line = NULL;
	document_write_line(document, &line, NULL);
	return line;
}

char *receipt_event(enum receipt_event event, const struct receipt *receipt, const char *run,
		    uint64_t nanoseconds)
{
	struct document document = document_object();
	put_event(&document, events[event].name, run, nanoseconds);
	for (size_t i = 0; i < 3 && events[event].put[i]; i++)
		events[event].put[i](&document, receipt);
	return end_event(&document);
}

char *receipt_application_event(const struct application *application, const char *run,
				uint64_t nanoseconds)
{
	struct document document = document_object(), record = application_write(application);
	put_event(&document, "application", run, nanoseconds);
	document.failed |= record.failed || json_object_update(document.root, record.root) < 0;
	document_release(&record);
	return end_event(&document);
}

char *receipt_refusal_event(const struct pinfold_error *reason, int exit_code)
{
	struct document document = document_object();
	document_put(&document, "schema", document_number(RECEIPT_SCHEMA));
	document_put(&document, "event", document_text("refused"));
	document_put(&document, "error", document_error(reason));
	document_put(&document, "exit_code", document_number((uint64_t)exit_code));
	return end_event(&document);
}
