/* report/packed.h - binary content spelled out in a patch, as `git diff --binary` does. */
#ifndef REPORT_PACKED_H
#define REPORT_PACKED_H

#include "report/hunks.h"
#include "report/stream.h"

int packed_write(struct stream *stream, struct hunks *hunks, const struct content *before,
		 const struct content *after, struct pinfold_error *err);

#endif
