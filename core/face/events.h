/* face/events.h - what happens in a run, told to whoever asked for it, and its record. */
#ifndef FACE_EVENTS_H
#define FACE_EVENTS_H

#include "report/receipt.h"

struct pinfold_run;

/* Nothing is made of it where nobody asked. */
void events_tell(const struct pinfold_run *run, enum receipt_event event);
/* What was done about each toolchain's wrapper. */
void events_tell_applications(const struct pinfold_run *run);

/* face/receipt.c: what is known of a run by now, without its wrappers; lives as long as the run. */
struct receipt receipt_of(const struct pinfold_run *run);
/* What was done about the wrapper of one toolchain of a run that could compile. */
struct application receipt_application(const struct pinfold_run *run, size_t index);

#endif
