# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What bash proposes behind cxlmon.

_cxlmon_subcommands="info doctor list serve record replay report compare snapshot verify selftest sweep who
	restore allowlist msr pci mmio help version"
_cxlmon_topics="output events rows machine sim status all"

# Prints the options of a subcommand, or of the monitor; "=" stands behind those that take a value.
_cxlmon_options() {
	local messages="-q --quiet -v --verbose -h --help"
	local machine="--sim= --root= $messages"
	local counting="--backend= $machine"
	local measuring="-m --metrics= --metric= --metrics-from= -e --event= --events-from= --rotate= --latency= -p --per=
		-s --socket= --port= --device= --node= --freeze= --share --force $counting"

	case $1 in
	'') echo "-f --format= --csv --json -o --output= --append --no-header --plain --link-GBps= --summary
		--no-summary $measuring -V --version" ;;
	info | doctor) echo "--json $counting" ;;
	list) echo "--json --events-from= $counting" ;;
	serve) echo "--listen= $measuring" ;;
	record) echo "-o --output= --note= --host --summary --no-summary $measuring -V --version" ;;
	replay) echo "-f --format= --csv --json -p --per= --from= --to= -o --output= --summary $messages" ;;
	help | version) echo "$messages" ;;
	report) echo "--from= --to= -o --output= $messages" ;;
	compare) echo "-f --format= --csv --json --fail-if= --from= --to= -o --output= $messages" ;;
	snapshot) echo "-o --output= $machine" ;;
	allowlist) echo "$machine" ;;
	verify) echo "-m --metrics= -e --event= --csv $counting" ;;
	selftest) echo "--json -o --output= --node= --device= --seconds= $counting" ;;
	sweep) echo "--csv -o --output= --node= --seconds= $counting" ;;
	who) echo "-f --format= --csv --json -o --output= --node= --device= --root= --backend= $messages" ;;
	restore) echo "--root= $messages" ;;
	msr) echo "--unsafe --cpu= $machine" ;;
	pci | mmio) echo "--unsafe --bytes= $machine" ;;
	esac
}

# Whether the value of the last option in this word is the next word.
_cxlmon_takes_next() {
	local all
	all=" $(_cxlmon_options '') $(_cxlmon_options serve) $(_cxlmon_options selftest) $(_cxlmon_options msr) $(_cxlmon_options pci) $(_cxlmon_options replay) $(_cxlmon_options compare) "

	case $1 in
	--*) [[ $all = *[[:space:]]$1=[[:space:]]* ]] ;;
	*) [[ $1 =~ ^-[^fomeps]*[fomeps]$ ]] ;;
	esac
}

# Prints what may stand behind the last comma of a simulated processor.
_cxlmon_sim() {
	case ${1##*,} in
	clock=*) echo "clock=real clock=virtual" ;;
	lockdown=*) echo "lockdown=none lockdown=integrity lockdown=confidentiality" ;;
	miscount=*)
		echo "miscount=port miscount=rxc miscount=m2s_req miscount=write miscount=tor miscount=latency
			miscount=dram_read miscount=dram_write"
		;;
	cpmu_kind=*)
		echo "cpmu_kind=full cpmu_kind=fixed cpmu_kind=one cpmu_kind=readonly cpmu_kind=nofreeze
			cpmu_kind=overflow cpmu_kind=filters cpmu_kind=silent cpmu_kind=cxl4 cpmu_kind=throttled cpmu_kind=estimate cpmu_kind=two
			cpmu_kind=threshold cpmu_kind=narrow cpmu_kind=part cpmu_kind=zero"
		;;
	exp_local=* | ocr_cxl=* | rxc=* | wave=* | swap=* | cpmu=* | cxl_pmu=* | invalid=*) echo "${1##*,}" | sed 's/=.*//; s/.*/&=0 &=1/' ;;
	*)
		if [[ $1 = *,* ]]; then
			echo "sockets= dies= cpus= ports= chas= imcs= extra_chas= hbms= threads= read= write= cache_d2h= cache_h2d=
				limit= memspecrd= latency= ddr_latency= ddr_remote_latency= dram_read= dram_write= hbm_read=
				hbm_write= crc= retry= full= exp_local= ocr_cxl= rxc= wave= ramp= begin= miscount= miscount_pct= miscount_port=
				swap= clock= kernel= paranoid= lockdown= cpmu= cpmu_kind= cxl_pmu= invalid=
				promote= demote= hint="
		else
			echo "spr emr gnr gnr-d srf cwf dmr turin venice genoa intel amd arm"
		fi
		;;
	esac
}

# _cxlmon_words BEFORE TYPED WORDS: proposes those words that begin as what was typed.
_cxlmon_words() {
	local word
	for word in $3; do
		[[ $word != "$2"* ]] || COMPREPLY+=("$1$word")
	done
}

# _cxlmon_files BEFORE TYPED
_cxlmon_files() {
	local file
	compopt -o filenames 2>/dev/null
	while IFS= read -r file; do
		COMPREPLY+=("$1$file")
	done < <(compgen -f -- "$2")
}

# _cxlmon_value OPTION BEFORE TYPED: false where the option takes no value.
_cxlmon_value() {
	local last=${3##*,}
	local list=$2${3%"$last"}

	case $1 in
	-f | --format) _cxlmon_words "$2" "$3" "table csv json openmetrics" ;;
	-m | --metrics) _cxlmon_words "$list" "$last" "cxl latency dram queue link core device tiering all" ;;
	-p | --per) _cxlmon_words "$2" "$3" "unit cpu port socket system" ;;
	--latency) _cxlmon_words "$2" "$3" "spatial rotate" ;;
	--freeze) _cxlmon_words "$2" "$3" "auto always never" ;;
	--backend) _cxlmon_words "$2" "$3" "raw perf auto" ;;
	--bytes) _cxlmon_words "$2" "$3" "4 8" ;;
	--help) [ -n "$2" ] && _cxlmon_words "$2" "$3" "$_cxlmon_topics" ;;
	--sim)
		_cxlmon_words "$list" "$last" "$(_cxlmon_sim "$3")"
		[[ $3 = *,* ]] || _cxlmon_files "$2" "$3"
		;;
	-o | --output | --events-from | --metrics-from | --root) _cxlmon_files "$2" "$3" ;;
	-e | --event | --metric | -s | --socket | --port | --device | --node | --rotate | --link-GBps | \
		--listen | --cpu | --from | --to | --fail-if) ;;
	*) return 1 ;;
	esac
}

# _cxlmon_operand SUBCOMMAND TYPED
_cxlmon_operand() {
	case $1 in
	record | replay | report | compare | snapshot) _cxlmon_files "" "$2" ;;
	help) _cxlmon_words "" "$2" "$_cxlmon_topics $_cxlmon_subcommands" ;;
	msr | pci | mmio) _cxlmon_words "" "$2" "read write" ;;
	esac
}

# _cxlmon_command FIRST: completes COMMAND, whose name is that word of the command line.
_cxlmon_command() {
	local typed=${COMP_WORDS[COMP_CWORD]}

	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif [ "$COMP_CWORD" = "$1" ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$typed")
	else
		_cxlmon_files "" "$typed"
	fi
}

_cxlmon() {
	local subcommand='' operand='' i word
	local -a words=()

	COMPREPLY=()
	# bash takes --sim=spr apart into three words
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [ "$word" = -- ] && [ "$i" -lt "$COMP_CWORD" ]; then
			_cxlmon_command $((i + 1))
			return
		elif [ "$i" -gt 1 ] && { [ "$word" = = ] || [ "${COMP_WORDS[i - 1]}" = = ]; }; then
			words[-1]+=$word
		else
			words+=("$word")
		fi
	done
	# options may stand before the subcommand
	for ((i = 1; i < ${#words[@]} - 1; i++)); do
		if _cxlmon_takes_next "${words[i]}"; then
			i=$((i + 1))
		elif [[ ${words[i]} != -* ]]; then
			operand=${words[i]}
			break
		fi
	done
	for word in $_cxlmon_subcommands; do
		[ "$operand" != "$word" ] || subcommand=$word
	done

	local typed=${words[-1]} before=''
	[ "${#words[@]}" -lt 3 ] || before=${words[-2]}
	if [[ $typed = --*=* ]]; then
		_cxlmon_value "${typed%%=*}" "${typed%%=*}=" "${typed#*=}"
	elif ! _cxlmon_value "$before" "" "$typed"; then
		case $typed in
		-*) _cxlmon_words "" "$typed" "$(_cxlmon_options "$subcommand")" ;;
		*) _cxlmon_operand "$subcommand" "$typed" ;;
		esac
		[ -n "$operand" ] || _cxlmon_words "" "$typed" "$_cxlmon_subcommands"
	fi
	[ "${#COMPREPLY[@]}" != 1 ] || [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
	# what stands before the last "=" is a word by itself, and stays
	[[ $typed != *=* || $COMP_WORDBREAKS != *=* ]] ||
		COMPREPLY=("${COMPREPLY[@]#"${typed%=*}="}")
}

complete -F _cxlmon cxlmon
