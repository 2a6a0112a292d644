/* arms/frames.c - what the processes of a probe say over their pipe. */
#include "arms/frames.h"

#include "base/fd.h"
#include "base/text.h"

int frame_send(int fd, enum frame_kind kind, const void *first, size_t first_bytes,
	       const void *second, size_t second_bytes)
{
	struct frame_head head = { kind, (uint32_t)(first_bytes + second_bytes) };
	struct text frame = { 0 };
	text_add_bytes(&frame, &head, sizeof(head));
	text_add_bytes(&frame, first, first_bytes);
	text_add_bytes(&frame, second, second_bytes);
	int sent = frame.failed ? -1 : fd_write_all(fd, frame.data, frame.length);
	text_release(&frame);
	return sent;
}
