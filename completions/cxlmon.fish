# SPDX-License-Identifier: BSD-3-Clause
# What fish proposes behind cxlmon. tools/option_tables.c says what the table has.

set -g __cxlmon_subcommands
set -g __cxlmon_models
set -g __cxlmon_keys
set -g __cxlmon_valued
set -g __cxlmon_letters ''

# Prints the first word before the cursor that is neither an option nor the value of one.
function __cxlmon_operand
    set -l words (commandline -opc)
    set -l value no
    set -e words[1]
    for word in $words
        if test $value = yes
            set value no
            continue
        end
        switch $word
            case --
                return
            case '--*'
                contains -- (string sub -s 3 -- $word) $__cxlmon_valued; and set value yes
            case '-*'
                string match -qr "^-[^$__cxlmon_letters]*[$__cxlmon_letters]\$" -- $word; and set value yes
            case '*'
                echo $word
                return
        end
    end
end

# Whether the command line has one of these subcommands; "monitor" stands for none.
function __cxlmon_in
    set -l subcommand (__cxlmon_operand)
    contains -- "$subcommand" $__cxlmon_subcommands; or set subcommand monitor
    contains -- $subcommand $argv
end

# Whether a subcommand may be typed here.
function __cxlmon_at_start
    set -l words (commandline -opc)
    not contains -- -- $words; and test -z (__cxlmon_operand)
end

# Behind a list's last comma.
function __cxlmon_list
    set -l before (commandline -ct | string replace -r '^(--[^=]*=|-[a-z])' '' |
        string match -r '.*,')
    printf '%s\n' "$before"$argv
end

function __cxlmon_sim
    set -l typed (commandline -ct | string replace -r '^--sim=' '')
    set -l key (string match -r '.*,([^=]*)=' -- $typed)[2]
    if not string match -q '*,*' -- $typed
        printf '%s\n' $__cxlmon_models
        __fish_complete_path $typed
    else if test -n "$key"
        __cxlmon_list (string match -- "$key=?*" $__cxlmon_keys)
    else
        __cxlmon_list $__cxlmon_keys
    end
end

# Events of the processor that the words before name.
function __cxlmon_event
    set -l words (commandline -opc)
    $words[1] list (string match -r -- '^--(?:sim|root|events-from)=.*' $words) 2>/dev/null |
        sed -n '/^Events of /,/^Units of /s/^  \([^ ]*\) .*/\1/p'
end

# __cxlmon_option SUBCOMMANDS LETTER NAME ARGUMENT VALUES EXCLUDED HELP
function __cxlmon_option
    set -l spec -n "__cxlmon_in $argv[1]" -l $argv[3] -d "$argv[7]"
    test -z "$argv[2]"; or set -a spec -s $argv[2]
    if string match -qr '^[A-Z]' -- $argv[4]
        set -g -a __cxlmon_valued $argv[3]
        set -g __cxlmon_letters $__cxlmon_letters$argv[2]
        switch $argv[5]
            case 'one *'
                set -a spec -x -a (string replace 'one ' '' -- $argv[5])
            case 'list *'
                set -a spec -x -a (string replace -r 'list (.*)' '(__cxlmon_list $1)' -- $argv[5])
            case file
                set -a spec -r -F
            case directory
                set -a spec -x -a '(__fish_complete_directories)'
            case event
                set -a spec -x -a '(__cxlmon_list (__cxlmon_event))'
            case sim
                set -a spec -x -a '(__cxlmon_sim)'
            case '*'
                set -a spec -x
        end
    end
    complete -c cxlmon $spec
end

# __cxlmon_subcommand NAME OPERAND PURPOSE
function __cxlmon_subcommand
    set -g -a __cxlmon_subcommands $argv[1]
    complete -c cxlmon -n __cxlmon_at_start -a $argv[1] -d "$argv[3]"
    complete -c cxlmon -n '__cxlmon_in help' -a $argv[1] -d "$argv[3]"
    if test "$argv[2]" = FILE
        complete -c cxlmon -n "__cxlmon_in $argv[1]" -F
    else if test -n "$argv[2]"
        complete -c cxlmon -n "__cxlmon_in $argv[1]" -a "$argv[2]"
    end
end

complete -c cxlmon -f
# behind -- stands COMMAND
complete -c cxlmon -n '__cxlmon_in monitor record; and contains -- -- (commandline -opc)' \
    -a '(__fish_complete_subcommand --commandline (string split -m1 " -- " -- (commandline -cp))[2])'

for row in (string split \n -- '
@OPTIONS@
')
    set -l fields (string split '|' -- $row)
    switch $fields[1]
        case option
            __cxlmon_option $fields[2..]
        case subcommand
            __cxlmon_subcommand $fields[2..]
        case topics
            complete -c cxlmon -n '__cxlmon_in help' -a $fields[2]
        case models
            set -g __cxlmon_models (string split ' ' -- $fields[2])
        case key
            set -g -a __cxlmon_keys $fields[2]=(string split ' ' -- $fields[3])
    end
end
