/* face/probe_render.h - what probing found, for a person. */
#ifndef FACE_PROBE_RENDER_H
#define FACE_PROBE_RENDER_H

#include "base/text.h"

#include <jansson.h>

/* The facts of pinfold_describe_arms. */
void probe_render(struct text *text, const json_t *facts, bool colour);

#endif
