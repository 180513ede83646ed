# SPDX-License-Identifier: BSD-3-Clause
VERSION := 0.1.0

PREFIX  ?= /usr/local
DESTDIR ?=
UNITDIR ?= $(PREFIX)/lib/systemd/system
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
BUILD   ?= build
CC      ?= cc
CFLAGS  ?= -O2 -g
WERROR  ?= -Werror
ARGS    ?=
FUZZ_SECONDS ?= 20

BUILD_PACKAGES := gcc libc6-dev pkg-config libpci-dev libjansson-dev zlib1g-dev libcap-ng-dev \
	libseccomp-dev
DEB_PACKAGES   := dpkg-dev debhelper fakeroot lintian
READER_PACKAGES := man-db groff-base mandoc zsh fish
TEST_PACKAGES  := $(BUILD_PACKAGES) $(DEB_PACKAGES) $(READER_PACKAGES) check libfuse3-dev fuse3 msr-tools \
	pciutils strace jq python3-prometheus-client valgrind liburing-dev
VM_PACKAGES    := qemu-system-x86 busybox-static cpio kmod xz-utils zstd
FUZZ_PACKAGES  := $(BUILD_PACKAGES) clang libclang-rt-14-dev
LINT_PACKAGES  := $(TEST_PACKAGES) cppcheck clang clang-format shellcheck

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

ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -DCXLMON_VERSION='"$(VERSION)"' -Isrc -pthread -MMD -MP \
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-missing-field-initializers $(WERROR) \
	$(CFLAGS) $(INSTRUMENT)
# asked for when something is linked: the packages may have been installed by this very make
LIBRARY_LIBS = $(shell pkg-config --libs libpci jansson zlib libcap-ng libseccomp) -lm
CHECK_LIBS   = $(shell pkg-config --libs check)
FUSE_LIBS    = $(shell pkg-config --libs fuse3)
$(BUILD)/obj/tests/platform/%.o: ALL_CFLAGS += $(shell pkg-config --cflags fuse3)

LIBRARY_SOURCES  := $(wildcard src/platform/*.c src/msr/*.c src/pci/*.c src/linux/*.c \
	src/uncore/*.c src/uncore/models/*.c src/poller/*.c src/sim/*.c)
CLI_SOURCES      := $(wildcard src/cli/*.c)
UNIT_SOURCES     := $(wildcard tests/unit/*.c)
PLATFORM_SOURCES := $(wildcard tests/platform/*.c)
TOOL_SOURCES     := $(wildcard tests/tools/*.c)
FUZZ_SOURCES     := $(wildcard tests/fuzz/*.c)
FUZZ_TARGETS     := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIBRARY_OBJECTS  := $(call objects,$(LIBRARY_SOURCES))
CLI_OBJECTS      := $(call objects,$(CLI_SOURCES))
UNIT_OBJECTS     := $(call objects,$(UNIT_SOURCES))
PLATFORM_OBJECTS := $(call objects,$(PLATFORM_SOURCES))
TOOL_OBJECTS     := $(call objects,$(TOOL_SOURCES))
FUZZ_OBJECTS     := $(call objects,$(FUZZ_SOURCES))
FUZZERS          := $(FUZZ_TARGETS:%=$(BUILD)/fuzz-%)
REPLAYS          := $(FUZZ_TARGETS:%=$(BUILD)/replay-%)
TOOLS            := $(TOOL_SOURCES:tests/tools/%.c=$(BUILD)/cxlmon-%)
TEST_PROGRAMS    := $(BUILD)/unit-tests $(BUILD)/cxlmon-platform $(TOOLS) $(REPLAYS)
# what the tests see of the command line: everything but main()
CLI_PARTS        := $(filter-out %/main.o,$(CLI_OBJECTS))
# what fuzz targets share
FUZZ_PARTS       := $(filter-out %/replay.o $(BUILD)/obj/tests/fuzz/fuzz_%,$(FUZZ_OBJECTS))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run test test-vm tests test-programs fuzz fuzzers lint sanitize install uninstall \
	deb clean help

all: $(BUILD)/cxlmon ## build the program and its library

link = $(CC) $(CFLAGS) $(INSTRUMENT) -pthread $(LDFLAGS) -o $@ $^

$(BUILD)/cxlmon: $(CLI_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

$(BUILD)/libcxlmon.a: $(LIBRARY_OBJECTS)
	$(AR) rcs $@ $^

# every allocation of ours is counted
$(BUILD)/unit-tests: LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray
$(BUILD)/unit-tests: $(UNIT_OBJECTS) $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) $(CHECK_LIBS) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-platform: $(PLATFORM_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(FUSE_LIBS) $(LIBRARY_LIBS)

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
	@$(MAKE) --no-print-directory tests

tests: $(BUILD)/cxlmon $(TEST_PROGRAMS) # all tests, with what is installed
	@tests/run $(BUILD)

test-programs: $(TEST_PROGRAMS)

test-vm: ## boot Debian's kernel in qemu and test under it
	@tools/ensure-packages $(TEST_PACKAGES) $(VM_PACKAGES)
	@$(MAKE) --no-print-directory all test-programs
	@BUILD=$(BUILD) tests/vm/test_vm

fuzz: ## feed libFuzzer's bytes to every parser, for FUZZ_SECONDS (20) each
	@tools/ensure-packages $(FUZZ_PACKAGES)
	@$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang CFLAGS="-O1 -g" \
		INSTRUMENT="$(FUZZ_FLAGS)" fuzzers
	@tests/fuzz/run build/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzzers: $(FUZZERS)

lint: ## check the format and the code with other eyes: clang-format, cppcheck, gcc, clang
	@tools/ensure-packages $(LINT_PACKAGES)
	clang-format --dry-run -Werror $$(git ls-files '*.c' '*.h')
	cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability \
		--inline-suppr --std=c11 -D_GNU_SOURCE -DCXLMON_VERSION='""' -Isrc \
		src tests/platform tests/tools tests/fuzz
	shellcheck -x tools/* completions/cxlmon.bash tests/run tests/fuzz/run tests/fuzz/test_replay .ci/run $$(git ls-files 'tests/integration/*' 'tests/vm/*')
	@$(MAKE) --no-print-directory BUILD=build/gcc CC=gcc all test-programs
	@$(MAKE) --no-print-directory BUILD=build/clang CC=clang all test-programs

sanitize: ## run all tests under the address and undefined-behaviour sanitizers, and for threads
	@tools/ensure-packages $(TEST_PACKAGES)
	@$(MAKE) --no-print-directory BUILD=build/sanitize SANITIZE=1 CFLAGS="-O1 -g" tests
	@$(MAKE) --no-print-directory BUILD=build/thread SANITIZE=thread CFLAGS="-O1 -g" \
		build/thread/unit-tests
	@for suite in ring signals writer; do \
		TSAN_OPTIONS=halt_on_error=1 CK_RUN_SUITE=$$suite build/thread/unit-tests || exit; \
	done

# FILE:WHERE:MODE of what is installed. A part that isn't in the tree is left out.
SHARE     := $(PREFIX)/share
DOCDIR    := $(SHARE)/doc/cxlmon
in_folder  = $(foreach file,$(1),$(file):$(2)/$(notdir $(file)):644)
INSTALLED := \
	$(BUILD)/cxlmon:$(PREFIX)/bin/cxlmon:755 \
	$(call in_folder,$(wildcard man/*.1),$(SHARE)/man/man1) \
	$(call in_folder,$(if $(wildcard include/cxlmon.h),man/cxlmon.3),$(SHARE)/man/man3) \
	completions/cxlmon.bash:$(SHARE)/bash-completion/completions/cxlmon:644 \
	completions/_cxlmon:$(ZSHDIR)/_cxlmon:644 \
	completions/cxlmon.fish:$(SHARE)/fish/vendor_completions.d/cxlmon.fish:644 \
	$(call in_folder,README.md CHANGELOG.md LICENSE,$(DOCDIR)) \
	$(call in_folder,$(wildcard packaging/grafana-dashboard.json packaging/prometheus-alerts.yml),$(SHARE)/cxlmon)
INSTALLED_UNITS := $(call in_folder,$(wildcard packaging/*.service),$(UNITDIR))
# LINK:TARGET
INSTALLED_LINKS := \
	$(SHARE)/man/man1/cxlmon-pci.1:cxlmon-msr.1 \
	$(SHARE)/man/man1/cxlmon-mmio.1:cxlmon-msr.1

word_of = $(word $(1),$(subst :, ,$(2)))
# each ends its line, so that every file is a command of its own
define install_file
install -D -m $(call word_of,3,$(1)) $(call word_of,1,$(1)) $(DESTDIR)$(call word_of,2,$(1))

endef
# units name the program by its whole path
define install_unit
$(call install_file,$(1))sed -i 's|/usr/bin/|$(PREFIX)/bin/|' $(DESTDIR)$(call word_of,2,$(1))

endef
define install_link
ln -sfn $(call word_of,2,$(1)) $(DESTDIR)$(call word_of,1,$(1))

endef

install: $(BUILD)/cxlmon ## install under PREFIX (and DESTDIR): program, manual, completion, unit
	$(foreach file,$(INSTALLED),$(call install_file,$(file)))
	$(foreach unit,$(INSTALLED_UNITS),$(call install_unit,$(unit)))
	$(foreach link,$(INSTALLED_LINKS),$(call install_link,$(link)))

uninstall: ## remove what install put there
	rm -f $(foreach file,$(INSTALLED) $(INSTALLED_UNITS),$(DESTDIR)$(call word_of,2,$(file))) \
		$(foreach link,$(INSTALLED_LINKS),$(DESTDIR)$(call word_of,1,$(link)))
	@for folder in $(DESTDIR)$(DOCDIR) $(DESTDIR)$(SHARE)/cxlmon; do \
		[ ! -d $$folder ] || rmdir --ignore-fail-on-non-empty $$folder; done

deb: ## build the Debian package, build/deb/*.deb
	@tools/ensure-packages $(BUILD_PACKAGES) $(DEB_PACKAGES)
	@tools/make-deb $(VERSION)

clean: ## remove everything that was built
	rm -rf build

help: ## show this help
	@sed -n 's/^\([a-z-]*\):[^#]*## /  \1\t/p' Makefile | expand -t 14

-include $(patsubst %.o,%.d,$(LIBRARY_OBJECTS) $(CLI_OBJECTS) $(UNIT_OBJECTS) \
	$(PLATFORM_OBJECTS) $(TOOL_OBJECTS) $(FUZZ_OBJECTS))
