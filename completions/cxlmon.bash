# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What bash proposes behind cxlmon. tools/option_tables.c says what the table has.

declare -gA _cxlmon_values=() _cxlmon_options=() _cxlmon_operands=()
_cxlmon_subcommands='' _cxlmon_topics='' _cxlmon_models='' _cxlmon_keys='' _cxlmon_letters=''

# Reads the table: options, and values by "SUBCOMMAND OPTION", "any OPTION" or "key KEY".
_cxlmon_load() {
	local kind name letter long argument values word

	while IFS='|' read -r kind name letter long argument values _; do
		case $kind in
		subcommand)
			_cxlmon_subcommands+=" $name"
			_cxlmon_operands[$name]=$letter
			;;
		topics) _cxlmon_topics=$name ;;
		models) _cxlmon_models=$name ;;
		key)
			_cxlmon_keys+=" $name="
			_cxlmon_values["key $name"]=$letter
			;;
		option)
			[[ $argument = [A-Z]* ]] || argument=
			[[ -z $argument || -z $letter ]] || _cxlmon_letters+=$letter
			for word in $name; do
				_cxlmon_options[$word]+="${letter:+ -$letter} --$long${argument:+=}"
				_cxlmon_values["$word --$long"]=$values
				[[ -z $letter ]] || _cxlmon_values["$word -$letter"]=${argument:+$values}
			done
			[[ -z $argument ]] || _cxlmon_values["any --$long"]=$values
			;;
		esac
	done <<<'
@OPTIONS@
'
	_cxlmon_operands[help]="$_cxlmon_topics$_cxlmon_subcommands"
}
_cxlmon_load

# Whether the value of the last option in this word is the next word.
_cxlmon_takes_next() {
	[[ $1 = --* && -n ${_cxlmon_values["any $1"]} || $1 =~ ^-[^-$_cxlmon_letters]*[$_cxlmon_letters]$ ]]
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

# _cxlmon_sim BEFORE TYPED: a model or a file, then KEY=VALUE behind each comma.
_cxlmon_sim() {
	local last=${2##*,}
	local before=$1${2%"$last"}

	if [[ $2 != *,* ]]; then
		_cxlmon_words "$1" "$2" "$_cxlmon_models"
		_cxlmon_files "$1" "$2"
	elif [[ $last = *=* ]]; then
		_cxlmon_words "$before${last%%=*}=" "${last#*=}" "${_cxlmon_values["key ${last%%=*}"]}"
	else
		_cxlmon_words "$before" "$last" "$_cxlmon_keys"
	fi
}

# _cxlmon_event BEFORE TYPED: an event of the processor that the words before it name, of a group
# behind its last comma; nothing within UNIT/.../.
_cxlmon_event() {
	local last=${2##*[,\{]} i
	local -a machine=()

	[[ $2 != */* ]] || return 0
	for ((i = 1; i < ${#words[@]} - 1; i++)); do
		case ${words[i]} in
		--sim=* | --root=* | --events-from=*) machine+=("${words[i]}") ;;
		--sim | --root | --events-from) machine+=("${words[@]:i:2}") ;;
		esac
	done
	_cxlmon_words "$1${2%"$last"}" "$last" "$("${words[0]}" list "${machine[@]}" 2>/dev/null |
		sed -n '/^Events of /,/^Units of /s/^  \([^ ]*\) .*/\1/p')"
}

# _cxlmon_value OPTION BEFORE TYPED: false where the option takes no value.
_cxlmon_value() {
	local values=${_cxlmon_values["${subcommand:-monitor} $1"]} last=${3##*,}

	[[ -n $values || -n $subcommand ]] || values=${_cxlmon_values["any $1"]}
	case $values in
	one\ *) _cxlmon_words "$2" "$3" "${values#* }" ;;
	list\ *) _cxlmon_words "$2${3%"$last"}" "$last" "${values#* }" ;;
	sim) _cxlmon_sim "$2" "$3" ;;
	event) _cxlmon_event "$2" "$3" ;;
	file | directory) _cxlmon_files "$2" "$3" ;;
	'') return 1 ;;
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
	[[ " $_cxlmon_subcommands " != *" $operand "* ]] || subcommand=$operand

	local typed=${words[-1]} before=''
	[ "${#words[@]}" -lt 3 ] || before=${words[-2]}
	if [[ $typed = --*=* ]]; then
		_cxlmon_value "${typed%%=*}" "${typed%%=*}=" "${typed#*=}"
	elif [[ $before = --help ]] || ! _cxlmon_value "$before" "" "$typed"; then
		case $typed,${_cxlmon_operands["${subcommand:-monitor}"]} in
		-*) _cxlmon_words "" "$typed" "${_cxlmon_options["${subcommand:-monitor}"]}" ;;
		*,FILE) _cxlmon_files "" "$typed" ;;
		*) _cxlmon_words "" "$typed" "${_cxlmon_operands["${subcommand:-monitor}"]}" ;;
		esac
		[ -n "$operand" ] || _cxlmon_words "" "$typed" "$_cxlmon_subcommands"
	fi
	[ "${#COMPREPLY[@]}" != 1 ] || [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
	# what stands before the last "=" is a word by itself, and stays
	[[ $typed != *=* || $COMP_WORDBREAKS != *=* ]] ||
		COMPREPLY=("${COMPREPLY[@]#"${typed%=*}="}")
}

complete -F _cxlmon cxlmon
