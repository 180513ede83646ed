// SPDX-License-Identifier: BSD-3-Clause
/*
 * mock_device: lets the kernel's mem0 report its health, and have records in its event log, which
 * qemu's device cannot do. Everything between these and a program is the kernel's: its ioctl, and
 * its trace events. The parameters determine the device's answers:
 *
 *   answer  the bytes of its answer to Get Health Info, in hexadecimal
 *   error   a negative errno that the mailbox fails with
 *   refusal the return code of the command
 *   emit    the number of records of each kind to emit at once
 */
#include <linux/device.h>
#include <linux/hex.h>
#include <linux/module.h>

#include "../cxl/cxl.h"
#include "../cxl/cxlmem.h"

static char answer[2 * 64 + 2];
module_param_string(answer, answer, sizeof(answer), 0600);
static int error;
module_param(error, int, 0600);
static int refusal;
module_param(refusal, int, 0600);

static struct device *device; /* the device of mem0 */
static int (*real_send)(struct cxl_mailbox *mailbox, struct cxl_mbox_cmd *command);
static bool was_enabled;

static int send(struct cxl_mailbox *mailbox, struct cxl_mbox_cmd *command)
{
	size_t size = strspn(answer, "0123456789abcdef") / 2;

	if (command->opcode != CXL_MBOX_OP_GET_HEALTH_INFO)
		return real_send(mailbox, command);
	if (error)
		return error;
	size = min(size, command->size_out);
	if (hex2bin(command->payload_out, answer, size))
		return -EINVAL;
	command->size_out = size;
	command->return_code = refusal;
	return 0;
}

/* header of a record: a permanent condition, hardware replacement needed */
static const struct cxl_event_media_hdr media = {
	.hdr.flags = {0x24},
	.phys_addr = cpu_to_le64(0x1f3c0 | 3),
	.descriptor = 1,
	.transaction_type = 1,
	.validity_flags = {3},
	.channel = 5,
	.rank = 2,
};

static const union cxl_event general = {.gen_media = {.media_hdr = media, .device = {1, 2, 3}}};
static const union cxl_event dram = {
	.dram = {.media_hdr = media, .bank_group = 7, .bank = 6, .row = {1, 2, 3}}};
static const union cxl_event module = {.mem_module = {.event_type = 3,
						      .info = {.health_status = 2,
							       .media_status = 3,
							       .add_status = 8,
							       .life_used = 15,
							       .device_temp = {0xF6, 0xFF}}}};
static const union cxl_event generic = {.generic = {.data = {1, 2, 3}}};

static const struct {
	enum cxl_event_log_type log;
	enum cxl_event_type type;
	const union cxl_event *event;
} records[] = {
	{CXL_EVENT_TYPE_FATAL, CXL_CPER_EVENT_GEN_MEDIA, &general},
	{CXL_EVENT_TYPE_INFO, CXL_CPER_EVENT_DRAM, &dram},
	{CXL_EVENT_TYPE_WARN, CXL_CPER_EVENT_MEM_MODULE, &module},
	{CXL_EVENT_TYPE_FAIL, CXL_CPER_EVENT_GENERIC, &generic},
};

static int emit(const char *text, const struct kernel_param *parameter)
{
	unsigned int count;
	int rc = kstrtouint(text, 0, &count);

	for (; !rc && device && count; count--)
		for (size_t i = 0; i < ARRAY_SIZE(records); i++) {
			union cxl_event event = *records[i].event;

			cxl_event_trace_record(to_cxl_memdev(device), records[i].log,
					       records[i].type, &uuid_null, &event);
		}
	return rc;
}

static const struct kernel_param_ops emit_ops = {.set = emit};
module_param_cb(emit, &emit_ops, NULL, 0200);

static struct cxl_mailbox *mailbox_of(struct device *dev)
{
	return &to_cxl_memdev(dev)->cxlds->cxl_mbox;
}

static int __init mock_init(void)
{
	device = bus_find_device_by_name(&cxl_bus_type, NULL, "mem0");
	if (!device)
		return -ENODEV;
	struct cxl_mailbox *mailbox = mailbox_of(device);

	real_send = mailbox->mbox_send;
	was_enabled = test_and_set_bit(CXL_MEM_COMMAND_ID_GET_HEALTH_INFO, mailbox->enabled_cmds);
	mailbox->mbox_send = send;
	return 0;
}

static void __exit mock_exit(void)
{
	struct cxl_mailbox *mailbox = mailbox_of(device);

	mailbox->mbox_send = real_send;
	if (!was_enabled)
		clear_bit(CXL_MEM_COMMAND_ID_GET_HEALTH_INFO, mailbox->enabled_cmds);
	put_device(device);
}

module_init(mock_init);
module_exit(mock_exit);
MODULE_DESCRIPTION("Lets the emulated CXL device mem0 tell its health and events");
MODULE_IMPORT_NS(CXL);
MODULE_LICENSE("Dual BSD/GPL");
