/* sys/syscall.h for macOS: those that callers use by number are in macos/system.h. */
