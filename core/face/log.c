/* face/log.c - lines for whoever embeds the library, about one run. */
#include "config.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "face/face.h"

void run_log(const struct pinfold_run *run, uint32_t level, const char *format, ...)
{
	struct text text = { 0 };
	va_list list;
	if (!run->pinfold->log)
		return;
	va_start(list, format);
	text_addv(&text, format, list);
	va_end(list);
	auto_free char *line = text_take(&text);
	if (line)
		run->pinfold->log(run->pinfold->log_context, level, line);
}
