/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated processor's MSRs. Modules that are loaded later call the functions in pv_ops for
 * RDMSR and WRMSR. The kernel had its own calls patched when it booted, so kprobes divert those
 * that the msr driver makes.
 */
#include <asm/paravirt.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#include "device.h"
#include "remote_uncore.h"

static void __iomem *registers, *failed;
static DEFINE_RAW_SPINLOCK(lock); /* held from an access until its failure is read */
static struct pv_cpu_ops native;

static bool is_served(u32 msr)
{
	return msr >= DEVICE_MSR_FIRST && msr - DEVICE_MSR_FIRST < DEVICE_MSR_COUNT;
}

static void __iomem *address(unsigned int cpu, u32 msr)
{
	return registers + cpu * DEVICE_CPU_BYTES + 8 * (msr - DEVICE_MSR_FIRST);
}

static int read_remote(unsigned int cpu, u32 msr, u64 *value)
{
	unsigned long flags;
	int rc;

	raw_spin_lock_irqsave(&lock, flags);
	*value = readq(address(cpu, msr));
	rc = readq(failed) ? -EIO : 0;
	raw_spin_unlock_irqrestore(&lock, flags);
	return rc;
}

static int write_remote(unsigned int cpu, u32 msr, u64 value)
{
	unsigned long flags;
	int rc;

	raw_spin_lock_irqsave(&lock, flags);
	writeq(value, address(cpu, msr));
	rc = readq(failed) ? -EIO : 0;
	raw_spin_unlock_irqrestore(&lock, flags);
	return rc;
}

static u64 read_msr(unsigned int msr)
{
	u64 value;

	if (!is_served(msr))
		return native.read_msr(msr);
	read_remote(raw_smp_processor_id(), msr, &value);
	return value;
}

static void write_msr(unsigned int msr, unsigned int low, unsigned int high)
{
	if (!is_served(msr))
		native.write_msr(msr, low, high);
	else
		write_remote(raw_smp_processor_id(), msr, (u64)high << 32 | low);
}

static u64 read_msr_safe(unsigned int msr, int *rc)
{
	u64 value;

	if (!is_served(msr))
		return native.read_msr_safe(msr, rc);
	*rc = read_remote(raw_smp_processor_id(), msr, &value);
	return value;
}

static int write_msr_safe(unsigned int msr, unsigned int low, unsigned int high)
{
	if (!is_served(msr))
		return native.write_msr_safe(msr, low, high);
	return write_remote(raw_smp_processor_id(), msr, (u64)high << 32 | low);
}

static int read_on_cpu(unsigned int cpu, u32 msr, u32 *low, u32 *high)
{
	u64 value;
	const int rc = read_remote(cpu, msr, &value);

	*low = lower_32_bits(value);
	*high = upper_32_bits(value);
	return rc;
}

static int write_on_cpu(unsigned int cpu, u32 msr, u32 low, u32 high)
{
	return write_remote(cpu, msr, (u64)high << 32 | low);
}

/* Reads the second argument of both functions, which is the MSR. */
static int divert(struct pt_regs *regs, void *to)
{
	if (!is_served((u32)regs->si))
		return 0;
	instruction_pointer_set(regs, (unsigned long)to);
	return 1;
}

static int divert_read(struct kprobe *probe, struct pt_regs *regs)
{
	return divert(regs, read_on_cpu);
}

static int divert_write(struct kprobe *probe, struct pt_regs *regs)
{
	return divert(regs, write_on_cpu);
}

static struct kprobe probes[] = {
	{.symbol_name = "rdmsr_safe_on_cpu", .pre_handler = divert_read},
	{.symbol_name = "wrmsr_safe_on_cpu", .pre_handler = divert_write},
};

/*
 * Writes pv_ops, which is read-only once the kernel has booted, through another mapping of its
 * pages.
 */
static int replace_calls(void)
{
	const unsigned long start = (unsigned long)&pv_ops;
	const unsigned long first = start >> PAGE_SHIFT;
	const unsigned long last = (start + sizeof(pv_ops) - 1) >> PAGE_SHIFT;
	struct page *pages[4];
	struct paravirt_patch_template *writable;
	void *mapped;

	if (last - first >= ARRAY_SIZE(pages))
		return -E2BIG;
	for (unsigned long i = 0; i <= last - first; i++)
		pages[i] = pfn_to_page((__pa_symbol(start) >> PAGE_SHIFT) + i);
	mapped = vmap(pages, last - first + 1, VM_MAP, PAGE_KERNEL);
	if (!mapped)
		return -ENOMEM;
	writable = mapped + offset_in_page(start);
	native = pv_ops.cpu;
	writable->cpu.read_msr = read_msr;
	writable->cpu.write_msr = write_msr;
	writable->cpu.read_msr_safe = read_msr_safe;
	writable->cpu.write_msr_safe = write_msr_safe;
	vunmap(mapped);
	return 0;
}

int remote_msrs_serve(struct pci_dev *device)
{
	int rc;

	registers = pci_ioremap_bar(device, DEVICE_MSR_BAR);
	if (!registers)
		return -ENOMEM;
	failed = registers + pci_resource_len(device, DEVICE_MSR_BAR) - 8;
	rc = replace_calls();
	for (int i = 0; !rc && i < ARRAY_SIZE(probes); i++)
		rc = register_kprobe(&probes[i]);
	return rc;
}
