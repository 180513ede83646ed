#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the fuzz targets as OSS-Fuzz asks for them: into $OUT, each with its kept inputs and its words, and with the
# libraries that are not everywhere. The environment says how: CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, WORK,
# OUT. "make fuzz" runs this, too.
set -eu -o pipefail
cd "$(dirname "$0")/../../.."

# our own objects, without edges of what nothing can be learnt from
case $CFLAGS in
*fuzzer-no-link*) CFLAGS+=" -fsanitize-coverage-ignorelist=tests/fuzz/untraced" ;;
esac

# libraries that a target FILE loads, but those of glibc and of the compiler
libraries() {
	ldd "$1" | awk '$3 ~ "^/" && $1 !~ "^(libc|libm|libdl|libpthread|librt|libresolv|libgcc_s|libstdc[+][+])[.]" { print $3 }'
}

# what stands in the environment is of the make that called this script, whose jobs cannot be shared
unset MAKEFLAGS MFLAGS MAKELEVEL
make --no-print-directory BUILD="$WORK" CFLAGS="$CFLAGS" WERROR= FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
	FUZZ_LD="$CXX $CXXFLAGS" LDFLAGS="-Wl,--disable-new-dtags,-rpath,'\$\$ORIGIN/lib'" fuzzers

mkdir -p "$OUT/lib"
for target in "$WORK"/fuzz-*; do
	name=${target##*/fuzz-}
	[ -e "tests/fuzz/fuzz_$name.c" ] || continue
	cp "$target" "$OUT"
	[ ! -d "tests/fuzz/corpus/$name" ] ||
		python3 -m zipfile -c "$OUT/fuzz-${name}_seed_corpus.zip" "tests/fuzz/corpus/$name"/*
	[ ! -e "tests/fuzz/$name.dict" ] || cp "tests/fuzz/$name.dict" "$OUT/fuzz-$name.dict"
	# no input needs more than some MB at once
	printf '[libfuzzer]\nrss_limit_mb = 512\nmalloc_limit_mb = 20\n' >"$OUT/fuzz-$name.options"
	libraries "$target"
done | sort -u | xargs -r cp -L -t "$OUT/lib"
# which is looked for when names of functions are wanted
cp -L "$(pkg-config --variable=libdir libelf)/libelf.so.1" "$OUT/lib"
