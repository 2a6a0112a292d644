/* linux/fs.h for macOS: there is no such call, and what asks for it takes its slower way. */
#ifndef MACOS_FS_H
#define MACOS_FS_H

#define FICLONE 0x20005001ul

#endif
