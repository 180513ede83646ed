# SPDX-License-Identifier: BSD-3-Clause
VERSION := 0.1.0

PREFIX  ?= /usr/local
LIBDIR  ?= lib
DESTDIR ?=
UNITDIR ?= $(PREFIX)/lib/systemd/system
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
BUILD   ?= build
CC      ?= cc
CFLAGS  ?= -O2 -g
WERROR  ?= -Werror
ARGS    ?=
FUZZ_SECONDS ?= 20
BENCH   ?=
VM      ?= vm amd cpmu uncore_spr uncore_emr uncore_gnr uncore_srf uncore_cwf
BENCH_OPTIONS ?=

DOCS_PACKAGES  := doxygen
BUILD_PACKAGES := gcc libc6-dev pkg-config libpci-dev libjansson-dev zlib1g-dev libcap-ng-dev \
	libseccomp-dev libmicrohttpd-dev libncurses-dev
DEB_PACKAGES   := dpkg-dev debhelper fakeroot lintian
READER_PACKAGES := man-db groff-base mandoc zsh fish
TEST_PACKAGES  := $(BUILD_PACKAGES) $(DOCS_PACKAGES) $(DEB_PACKAGES) $(READER_PACKAGES) g++ check libfuse3-dev fuse3 \
	msr-tools pciutils strace jq python3-prometheus-client python3-kubernetes python3-yaml libcap2-bin valgrind liburing-dev curl systemd openssl tmux
BROWSER_PACKAGES := chromium
IMAGE_PACKAGES := buildah mmdebstrap libcap2-bin
VM_PACKAGES    := qemu-system-x86 busybox-static cpio kmod xz-utils zstd libelf1
FUZZ_PACKAGES  := $(BUILD_PACKAGES) clang libclang-rt-14-dev
BENCH_PACKAGES := $(BUILD_PACKAGES) libfuse3-dev fuse3 valgrind strace msr-tools python3
LINT_PACKAGES  := $(TEST_PACKAGES) cppcheck clang clang-format shellcheck \
	gcc-aarch64-linux-gnu libc6-dev-arm64-cross

# SANITIZE=1 builds with the address and undefined-behaviour sanitizers, SANITIZE=thread with that
# for threads
ifeq ($(SANITIZE),thread)
INSTRUMENT := -fsanitize=thread
else ifdef SANITIZE
INSTRUMENT := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

FUZZ_FLAGS := -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow \
	-fsanitize-coverage-ignorelist=tests/fuzz/untraced \
	-fno-sanitize-recover=all -fno-omit-frame-pointer

C_FLAGS = -std=c17 -D_GNU_SOURCE -DCXLMON_VERSION='"$(VERSION)"' -Isrc -Iinclude -pthread \
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-missing-field-initializers $(WERROR)
ALL_CFLAGS = $(C_FLAGS) -MMD -MP $(CFLAGS) $(INSTRUMENT)
# Arm is compiled, not linked: the headers of libraries are those of this machine
ARM_CFLAGS = $(C_FLAGS) -fsyntax-only -idirafter /usr/include -idirafter /usr/include/$(shell gcc -print-multiarch)
# asked for when something is linked: the packages may have been installed by this very make
LIBRARY_LIBS = $(shell pkg-config --libs libpci jansson zlib libcap-ng libseccomp)
HTTP_LIBS    = $(shell pkg-config --libs libmicrohttpd libcap-ng libseccomp)
SHARED_LIBS  = $(shell pkg-config --libs libpci jansson zlib)
CHECK_LIBS   = $(shell pkg-config --libs check)
FUSE_LIBS    = $(shell pkg-config --libs fuse3)
$(BUILD)/obj/tests/platform/%.o: ALL_CFLAGS += $(shell pkg-config --cflags fuse3)
$(BUILD)/obj/tests/unit/%.o: ALL_CFLAGS += -Itests/unit

PROGRAM_FOLDERS  := output info screen report serve doctor selftest sweep who compare cli
LIBRARY_SOURCES  := $(filter-out $(PROGRAM_FOLDERS:%=src/%/%.c) src/http/%.c,$(wildcard src/*/*.c src/*/*/*.c))
HTTP_SOURCES     := $(wildcard src/http/*.c)
CLI_SOURCES      := $(wildcard $(PROGRAM_FOLDERS:%=src/%/*.c))
UNIT_SOURCES     := $(wildcard tests/unit/*.c tests/unit/*/*.c)
PLATFORM_SOURCES := $(wildcard tests/platform/*.c)
TRAP_SOURCES     := $(wildcard tests/platform/trap/*.c)
ATTACK_SOURCES   := $(wildcard tests/attack/*.c)
CLOCK_SOURCES    := $(wildcard tests/clock/*.c)
REMOTE_SOURCES   := $(wildcard tests/vm/remote/*.c)
TOOL_SOURCES     := $(wildcard tests/tools/*.c)
BENCH_SOURCES    := $(wildcard tests/bench/*.c)
FUZZ_SOURCES     := $(wildcard tests/fuzz/*.c)
FUZZ_TARGETS     := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIBRARY_OBJECTS  := $(call objects,$(LIBRARY_SOURCES))
# rights are the program's to give up, and traffic is its own to make
SHARED_OBJECTS   := $(filter-out $(BUILD)/obj/src/load/%.o %/sudo_user.o %/rights.o %/rights_bpf.o %/rights_files.o \
	%/rights_filter.o %/rights_perf.o %/rights_registers.o,$(LIBRARY_OBJECTS))
$(SHARED_OBJECTS): ALL_CFLAGS += -fPIC -fvisibility=hidden
CLI_OBJECTS      := $(call objects,$(CLI_SOURCES))
HTTP_OBJECTS     := $(call objects,$(HTTP_SOURCES))
UNIT_OBJECTS     := $(call objects,$(UNIT_SOURCES))
PLATFORM_OBJECTS := $(call objects,$(PLATFORM_SOURCES))
TRAP_OBJECTS     := $(call objects,$(TRAP_SOURCES))
# loaded into programs of any build, with their sanitizers or without
$(TRAP_OBJECTS): ALL_CFLAGS += -fPIC -fvisibility=hidden
$(TRAP_OBJECTS): INSTRUMENT :=
ATTACK_OBJECTS   := $(call objects,$(ATTACK_SOURCES))
$(ATTACK_OBJECTS): ALL_CFLAGS += -fPIC -fvisibility=hidden
$(ATTACK_OBJECTS): INSTRUMENT :=
CLOCK_OBJECTS    := $(call objects,$(CLOCK_SOURCES))
$(CLOCK_OBJECTS): ALL_CFLAGS += -fPIC -fvisibility=hidden
$(CLOCK_OBJECTS): INSTRUMENT :=
REMOTE_OBJECTS   := $(call objects,$(REMOTE_SOURCES))
TOOL_OBJECTS     := $(call objects,$(TOOL_SOURCES))
BENCH_OBJECTS    := $(call objects,$(BENCH_SOURCES))
FUZZ_OBJECTS     := $(call objects,$(FUZZ_SOURCES))
FUZZERS          := $(FUZZ_TARGETS:%=$(BUILD)/fuzz-%)
REPLAYS          := $(FUZZ_TARGETS:%=$(BUILD)/replay-%)
TOOLS            := $(TOOL_SOURCES:tests/tools/%.c=$(BUILD)/cxlmon-%)
TEST_PROGRAMS    := $(BUILD)/unit-tests $(BUILD)/cxlmon-platform $(BUILD)/cxlmon-trap.so \
	$(BUILD)/cxlmon-attack.so $(BUILD)/cxlmon-clock.so $(BUILD)/cxlmon-remote \
	$(BUILD)/cxlmon-bench $(TOOLS) $(REPLAYS)
# what the tests see of the command line and of the HTTP server
CLI_PARTS        := $(filter-out %/main.o,$(CLI_OBJECTS)) $(BUILD)/obj/src/http/http_route.o
# what fuzz targets share
FUZZ_PARTS       := $(filter-out %/replay.o $(BUILD)/obj/tests/fuzz/fuzz_%,$(FUZZ_OBJECTS))

# the first number of the version script is the ABI's
SONAME   := libcxlmon.so.0
SHARED   := libcxlmon.so.$(VERSION)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run test test-vm test-image tests test-programs bench bench-docs tour fuzz fuzzers lint \
	sanitize docs install uninstall deb clean help

all: $(BUILD)/cxlmon $(BUILD)/cxlmon-http $(BUILD)/libcxlmon.so ## build the program and the library

# every function is found before anything runs: a thread that samples must not have to wait until
# another has found one, and the table of them can't be written afterwards
link = $(CC) $(CFLAGS) $(INSTRUMENT) -pthread -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $^

$(BUILD)/cxlmon: $(CLI_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

# the only program with the HTTP library, which brings GnuTLS along
$(BUILD)/cxlmon-http: $(HTTP_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(HTTP_LIBS)

# anew each time: ar keeps members whose source was renamed
$(BUILD)/libcxlmon.a: $(LIBRARY_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

# every allocation of ours is counted; private: not where a prerequisite is linked
$(BUILD)/unit-tests: private LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray
# every symbol must be found now, but those of a sanitizer, which the program brings along
$(BUILD)/$(SONAME): $(SHARED_OBJECTS) src/lib/libcxlmon.sym
	$(CC) $(CFLAGS) $(INSTRUMENT) -pthread $(LDFLAGS) -shared -o $@ -Wl,-soname,$(SONAME) \
		-Wl,--version-script=src/lib/libcxlmon.sym $(if $(INSTRUMENT),,-Wl,-z,defs) \
		$(SHARED_OBJECTS) $(SHARED_LIBS)

# what a program is linked with: -Lbuild -lcxlmon
$(BUILD)/libcxlmon.so: $(BUILD)/$(SONAME)
	ln -sf $(SONAME) $@

$(BUILD)/unit-tests: $(UNIT_OBJECTS) $(BUILD)/obj/tests/platform/trap/instruction.o $(CLI_PARTS) \
		$(BUILD)/libcxlmon.a | $(BUILD)/cxlmon-http
	$(link) $(CHECK_LIBS) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-platform: $(PLATFORM_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(FUSE_LIBS) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-remote: $(REMOTE_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-trap.so: INSTRUMENT :=
$(BUILD)/cxlmon-trap.so: $(TRAP_OBJECTS)
	$(link) -shared

$(BUILD)/cxlmon-attack.so: INSTRUMENT :=
$(BUILD)/cxlmon-attack.so: $(ATTACK_OBJECTS)
	$(link) -shared -ldl

$(BUILD)/cxlmon-clock.so: INSTRUMENT :=
$(BUILD)/cxlmon-clock.so: $(CLOCK_OBJECTS)
	$(link) -shared -ldl

$(BUILD)/cxlmon-bench: $(BENCH_OBJECTS) $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-readers: LIBRARY_LIBS += -luring

# small programs that the tests run
$(BUILD)/cxlmon-%: $(BUILD)/obj/tests/tools/%.o $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

# fuzz targets: for libFuzzer, and without it for the inputs that were kept
$(BUILD)/fuzz-%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_PARTS) $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) -fsanitize=fuzzer $(LIBRARY_LIBS)

$(BUILD)/replay-%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/replay.o \
		$(FUZZ_PARTS) $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

run: ## install what is missing, build, and monitor (ARGS="..." are passed on)
	@tools/ensure-packages $(BUILD_PACKAGES)
	@$(MAKE) --no-print-directory all
	@tools/run $(BUILD)/cxlmon $(ARGS)

test: ## install what is missing, build, and run all tests
	@tools/ensure-packages $(TEST_PACKAGES)
	@tools/ensure-packages $(VM_PACKAGES) || echo "Going on without a virtual machine" >&2
	@tools/ensure-packages $(BROWSER_PACKAGES) || echo "Going on without a browser" >&2
	@$(MAKE) --no-print-directory tests

tests: all $(TEST_PROGRAMS) # all tests, with what is installed
	@tests/run $(BUILD)

test-programs: $(TEST_PROGRAMS)

test-vm: ## boot Debian's kernels in qemu and test under them (VM="vm uncore_spr": these tests)
	@tools/ensure-packages $(TEST_PACKAGES) $(VM_PACKAGES)
	@$(MAKE) --no-print-directory all test-programs
	@status=0; for test in $(VM); do \
		BUILD=$(BUILD) tests/vm/test_$$test || status=1; done; exit $$status

test-image: ## build the container image in Debian's archive alone, and test it (root, network)
	@tools/ensure-packages $(IMAGE_PACKAGES)
	@tests/image/test_image

bench: ## measure it beside its floors, and print a table (BENCH="rates memory": these parts)
	@tools/ensure-packages $(BENCH_PACKAGES)
	@$(MAKE) --no-print-directory $(BUILD)/cxlmon $(BUILD)/cxlmon-bench test-programs
	@BUILD=$(BUILD) tests/bench/run $(BENCH_OPTIONS) $(BENCH)

bench-docs: ## the same, and write the table into docs/performance.md
	@$(MAKE) --no-print-directory BENCH_OPTIONS=--docs BENCH= bench

tour: all ## run the commands of docs/tour.md, and write what they print into it
	@tests/tour $(BUILD) >$(BUILD)/tour.md && cp $(BUILD)/tour.md docs/tour.md

fuzz: ## feed libFuzzer's bytes to every parser, for FUZZ_SECONDS (20) each
	@tools/ensure-packages $(FUZZ_PACKAGES)
	@$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang CFLAGS="-O1 -g" \
		INSTRUMENT="$(FUZZ_FLAGS)" fuzzers
	@tests/fuzz/run build/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzzers: $(FUZZERS)

lint: ## check the format and the code with other eyes: clang-format, cppcheck, gcc, clang, and gcc for Arm
	@tools/ensure-packages $(LINT_PACKAGES)
	clang-format --dry-run -Werror $$(git ls-files '*.c' '*.h')
	cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability \
		--inline-suppr --std=c11 -D_GNU_SOURCE -DCXLMON_VERSION='""' -Isrc -Iinclude \
		src include examples tests/platform tests/vm/remote tests/tools tests/bench tests/fuzz
	tools/check-layers
	shellcheck -x $$(git grep -lE '^#!/bin/(ba)?sh|^# shellcheck shell=' -- tools tests completions packaging .ci)
	@$(MAKE) --no-print-directory BUILD=build/gcc CC=gcc all test-programs
	tools/check-layers build/gcc/obj/src
	@$(MAKE) --no-print-directory BUILD=build/clang CC=clang all test-programs
	aarch64-linux-gnu-gcc $(ARM_CFLAGS) $$(git ls-files 'src/*.c')

sanitize: ## run all tests under the address and undefined-behaviour sanitizers, and for threads
	@tools/ensure-packages $(TEST_PACKAGES)
	@$(MAKE) --no-print-directory BUILD=build/sanitize SANITIZE=1 CFLAGS="-O1 -g" tests
	@$(MAKE) --no-print-directory BUILD=build/thread SANITIZE=thread CFLAGS="-O1 -g" \
		build/thread/unit-tests
	@for suite in ring decoder readers signals writer http load; do \
		TSAN_OPTIONS=halt_on_error=1 CK_RUN_SUITE=$$suite build/thread/unit-tests || exit; \
	done

docs: ## make the library's reference, build/docs/html
	@tools/ensure-packages $(DOCS_PACKAGES)
	@mkdir -p $(BUILD)/docs
	CXLMON_VERSION=$(VERSION) CXLMON_DOCS=$(BUILD)/docs doxygen docs/Doxyfile

# FILE:WHERE:MODE of what is installed.
SHARE     := $(PREFIX)/share
DOCDIR    := $(SHARE)/doc/cxlmon
in_folder  = $(foreach file,$(1),$(file):$(2)/$(notdir $(file)):644)
INSTALLED := \
	$(BUILD)/cxlmon:$(PREFIX)/bin/cxlmon:755 \
	$(BUILD)/cxlmon-http:$(PREFIX)/libexec/cxlmon/cxlmon-http:755 \
	$(BUILD)/$(SONAME):$(PREFIX)/$(LIBDIR)/$(SHARED):644 \
	include/cxlmon.h:$(PREFIX)/include/cxlmon.h:644 \
	$(call in_folder,$(wildcard man/*.1),$(SHARE)/man/man1) \
	$(call in_folder,$(wildcard man/*.3),$(SHARE)/man/man3) \
	completions/cxlmon.bash:$(SHARE)/bash-completion/completions/cxlmon:644 \
	completions/_cxlmon:$(ZSHDIR)/_cxlmon:644 \
	completions/cxlmon.fish:$(SHARE)/fish/vendor_completions.d/cxlmon.fish:644 \
	$(call in_folder,README.md CHANGELOG.md LICENSE $(wildcard docs/*.md),$(DOCDIR)) \
	$(call in_folder,packaging/grafana-dashboard.json packaging/prometheus-alerts.yml,$(SHARE)/cxlmon) \
	$(call in_folder,$(wildcard packaging/kubernetes/*.yaml),$(SHARE)/cxlmon/kubernetes) \
	packaging/kubernetes/node-labels:$(SHARE)/cxlmon/kubernetes/node-labels:755 \
	packaging/cxlmon.socket:$(UNITDIR)/cxlmon.socket:644 \
	packaging/cxlmon.sysusers:$(PREFIX)/lib/sysusers.d/cxlmon.conf:644 \
	packaging/cxlmon.tmpfiles:$(PREFIX)/lib/tmpfiles.d/cxlmon.conf:644
# LINK:TARGET
INSTALLED_LINKS := \
	$(PREFIX)/$(LIBDIR)/$(SONAME):$(SHARED) \
	$(PREFIX)/$(LIBDIR)/libcxlmon.so:$(SONAME) \
	$(SHARE)/man/man1/cxlmon-pci.1:cxlmon-msr.1 \
	$(SHARE)/man/man1/cxlmon-mmio.1:cxlmon-msr.1
# made when they are installed, since PREFIX is in them
INSTALLED_PC   := $(PREFIX)/$(LIBDIR)/pkgconfig/cxlmon.pc
INSTALLED_UNIT := $(UNITDIR)/cxlmon.service

word_of = $(word $(1),$(subst :, ,$(2)))
# each ends its line, so that every file is a command of its own
define install_file
install -D -m $(call word_of,3,$(1)) $(call word_of,1,$(1)) $(DESTDIR)$(call word_of,2,$(1))

endef
define install_link
ln -sfn $(call word_of,2,$(1)) $(DESTDIR)$(call word_of,1,$(1))

endef

install: $(BUILD)/cxlmon $(BUILD)/cxlmon-http $(BUILD)/$(SONAME) ## install under PREFIX (and DESTDIR), the library in LIBDIR there
	$(foreach file,$(INSTALLED),$(call install_file,$(file)))
	$(foreach link,$(INSTALLED_LINKS),$(call install_link,$(link)))
	install -d $(DESTDIR)$(dir $(INSTALLED_PC)) $(DESTDIR)$(dir $(INSTALLED_UNIT))
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' \
		src/lib/cxlmon.pc.in > $(DESTDIR)$(INSTALLED_PC)
	sed 's|/usr/bin/|$(PREFIX)/bin/|; s|/usr/libexec/|$(PREFIX)/libexec/|' packaging/cxlmon.service \
		> $(DESTDIR)$(INSTALLED_UNIT)
	chmod 644 $(DESTDIR)$(INSTALLED_PC) $(DESTDIR)$(INSTALLED_UNIT)

uninstall: ## remove what install put there
	rm -f $(foreach file,$(INSTALLED),$(DESTDIR)$(call word_of,2,$(file))) \
		$(foreach link,$(INSTALLED_LINKS),$(DESTDIR)$(call word_of,1,$(link))) \
		$(DESTDIR)$(INSTALLED_PC) $(DESTDIR)$(INSTALLED_UNIT)
	@for folder in $(DESTDIR)$(DOCDIR) $(DESTDIR)$(SHARE)/cxlmon/kubernetes $(DESTDIR)$(SHARE)/cxlmon \
		$(DESTDIR)$(PREFIX)/libexec/cxlmon; do \
		[ ! -d $$folder ] || rmdir --ignore-fail-on-non-empty $$folder; done

deb: ## build the Debian package, build/deb/*.deb
	@tools/ensure-packages $(BUILD_PACKAGES) $(DEB_PACKAGES)
	@tools/make-deb $(VERSION)

clean: ## remove everything that was built
	rm -rf build

help: ## show this help
	@sed -n 's/^\([a-z-]*\):[^#]*## /  \1\t/p' Makefile | expand -t 14

-include $(patsubst %.o,%.d,$(LIBRARY_OBJECTS) $(CLI_OBJECTS) $(HTTP_OBJECTS) $(UNIT_OBJECTS) \
	$(PLATFORM_OBJECTS) $(TRAP_OBJECTS) $(ATTACK_OBJECTS) $(CLOCK_OBJECTS) $(REMOTE_OBJECTS) \
	$(TOOL_OBJECTS) $(FUZZ_OBJECTS) $(BENCH_OBJECTS))
