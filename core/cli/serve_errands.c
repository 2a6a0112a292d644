/* cli/serve_errands.c - requests other than runs that take their time. */
#include "config.h"

#include "serve_server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct errand {
	struct task task;	/* first: a task of the pool is its errand */
	struct server *server;
	struct order order;
	char *document;
	struct pinfold_error err;
	int result;
};

static struct pinfold_review review_of(const struct order *order)
{
	return (struct pinfold_review){
		.size = sizeof(struct pinfold_review), .directory = order->directory,
		.session = order->session, .paths = order->paths,
	};
}

static int read_back(int fd, char **ret_text)
{
	struct stat about;
	if (fstat(fd, &about) < 0)
		return -1;
	char *text = calloc(1, (size_t)about.st_size + 1);
	if (!text || pread(fd, text, (size_t)about.st_size, 0) != about.st_size) {
		free(text);
		return -1;
	}
	*ret_text = text;
	return 0;
}

static int diff(struct errand *errand)
{
	const struct pinfold_review review = review_of(&errand->order);
	const struct pinfold_changes_style style = {
		.size = sizeof(style), .form = PINFOLD_CHANGES_JSON, .around = 3,
	};
	int fd = memfd_create("changes", MFD_CLOEXEC);
	int result = fd < 0 ? -1 : pinfold_write_changes(errand->server->pinfold, &review, &style, fd, NULL,
							 &errand->err);
	if (result == 0 && read_back(fd, &errand->document) < 0)
		result = -1;
	if (result < 0 && errand->err.code == PINFOLD_E_NONE)
		pinfold_fail(&errand->err, PINFOLD_E_SYSTEM, errno, "hold the changes", "in memory",
			     "free memory on this machine");
	if (fd >= 0)
		close(fd);
	return result;
}

static int apply(struct errand *errand)
{
	const struct order *order = &errand->order;
	const struct pinfold_review review = review_of(order);
	const struct pinfold_apply_order wanted = {
		.size = sizeof(wanted),
		.flags = (order->partial ? PINFOLD_APPLY_PARTIAL : 0u) |
			 (order->risky ? PINFOLD_APPLY_RISKY : 0u) |
			 (order->dry_run ? PINFOLD_APPLY_DRY_RUN : 0u),
	};
	struct pinfold_applied applied = { .size = sizeof(applied) };
	return pinfold_apply(errand->server->pinfold, &review, &wanted, PINFOLD_FORM_JSON, &applied,
			     &errand->document, &errand->err);
}

static int explain(struct errand *errand)
{
	const struct order *order = &errand->order;
	const struct pinfold_cage_order wanted = {
		.size = sizeof(wanted), .where = order->where, .settings = order->settings,
	};
	const struct pinfold_command command = {
		.size = sizeof(command), .where = order->where, .argv = order->argv,
		.environment = order->environment, .set = order->set, .directory = order->directory,
		.session = order->session, .grants = order->grants, .streams = { -1, -1, -1 },
	};
	struct pinfold_cage *cage;
	if (pinfold_cage_open(errand->server->pinfold, &wanted, &cage, &errand->err) < 0)
		return -1;
	int result = pinfold_cage_describe(cage, &command, PINFOLD_FORM_JSON, &errand->document, &errand->err);
	pinfold_cage_close(cage);
	return result;
}

static void work(struct task *task)
{
	struct errand *errand = (struct errand *)task;
	const struct pinfold_review review = review_of(&errand->order);
	struct pinfold *pinfold = errand->server->pinfold;
	switch (errand->order.kind) {
	case ORDER_PROBE:
		errand->result = pinfold_describe_arms(pinfold, PINFOLD_FORM_JSON, errand->order.require,
						       &errand->document, NULL, &errand->err);
		break;
	case ORDER_DIFF:
		errand->result = diff(errand);
		break;
	case ORDER_APPLY:
		errand->result = apply(errand);
		break;
	case ORDER_EXPLAIN:
		errand->result = explain(errand);
		break;
	default:
		errand->result = pinfold_discard(pinfold, &review, &errand->err);
	}
}

static void finish(struct task *task)
{
	struct errand *errand = (struct errand *)task;
	struct server *server = errand->server;
	if (errand->result < 0) {
		server_refuse(server, errand->order.id, &errand->err);
	} else {
		json_t *answer = answer_new(errand->order.id, "done");
		if (errand->document)
			answer_put(answer, "document", answer_document(errand->document));
		answers_add(&server->answers, answer);
	}
	server->errands--;
	order_release(&errand->order);
	free(errand->document);
	free(errand);
}

void server_add_errand(struct server *server, struct order *order)
{
	struct errand *errand = calloc(1, sizeof(*errand));
	if (!errand) {
		server->answers.broken = true;
		order_release(order);
		return;
	}
	*errand = (struct errand){ .task = { .work = work, .finish = finish }, .server = server, .order = *order };
	server->errands++;
	pool_add(&server->pool, &errand->task);
}
