/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/cxl_mailbox.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/system/linux_platform.h"

#define ANSWER_MOST 64 /* the answer to Get Health Info has 18 bytes */

int cxl_mailbox_open(const char *root, const char *device)
{
	return rootfs_open(O_RDWR, root, "dev/cxl/%s", device);
}

int cxl_mailbox_health(int fd, struct device_health *out)
{
	uint8_t answer[ANSWER_MOST] = {0};
	struct cxl_command command = {
		.id = CXL_GET_HEALTH_INFO,
		.out = {.size = sizeof(answer), .payload = (uintptr_t)answer},
	};

	if (ioctl(fd, CXL_SEND_COMMAND, &command))
		return -errno;
	if (command.retval)
		return -EREMOTEIO;
	if (command.out.size > sizeof(answer))
		return -EBADMSG;
	return device_health_parse(answer, command.out.size, out);
}

int linux_device_health(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
			struct device_health *out)
{
	const int fd = cxl_mailbox_open(linux_of(p)->root, device->name);

	(void)wall_ns;
	if (fd < 0)
		return fd;
	const int rc = cxl_mailbox_health(fd, out);
	close(fd);
	return rc;
}

const char *cxl_mailbox_reason(int code)
{
	switch (code) {
	case -ENOTTY:
		return "the device does not report it";
	case -EBUSY:
		return "only the kernel may use the device's mailbox";
	case -EREMOTEIO:
		return "the device refused to report it";
	case -EBADMSG:
		return "the device's answer has the wrong size";
	case -ENXIO:
	case -ENODEV:
		return "the device is gone; once it has returned, start cxlmon again";
	case -ENOENT:
		return "the device has no mailbox in /dev/cxl";
	case -ETIMEDOUT:
		return "the device does not answer";
	case -EACCES:
	case -EPERM:
		return "only root may use /dev/cxl; " ERROR_RUN_AS_ROOT;
	default:
		return strerror(-code);
	}
}
