/* wrappers/cargo_output.h - the wrapper in what Cargo says of a build. */
#ifndef WRAPPERS_CARGO_OUTPUT_H
#define WRAPPERS_CARGO_OUTPUT_H

#define CARGO_PROBE "pinfold_probe"	/* the throwaway crate */

/* The wrapper before the compiler in the line that says what is run for the throwaway crate; NULL where
 * the compiler comes first, or there is no such line. */
char *cargo_used(const char *output);
/* The same in the line that says what could not be executed, or did not end well. */
char *cargo_tried(const char *output);
/* The first line that begins with "error", with the first of what a program that failed said, else the last
 * that says anything; some 400 bytes at most, quoted for a person. NULL when memory is gone. */
char *output_error(const char *output);

#endif
