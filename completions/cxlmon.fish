# SPDX-License-Identifier: BSD-3-Clause
# What fish proposes behind cxlmon.

set -g __cxlmon_subcommands info doctor list serve record replay report snapshot restore allowlist \
    msr pci mmio

# Whether the command line has one of these subcommands; "monitor" stands for none.
function __cxlmon_in
    set -l words (commandline -opc)
    set -l subcommand monitor
    if set -q words[2]; and contains -- $words[2] $__cxlmon_subcommands
        set subcommand $words[2]
    end
    contains -- $subcommand $argv
end

# Whether this is the first word behind cxlmon.
function __cxlmon_at_start
    set -l words (commandline -opc)
    test (count $words) = 1
end

# Behind a list's last comma.
function __cxlmon_list
    set -l before (commandline -ct | string replace -r '^(--[^=]*=|-[a-z])' '' |
        string match -r '.*,')
    printf '%s\n' "$before"$argv
end

function __cxlmon_sim
    set -l typed (commandline -ct | string replace -r '^--sim=' '')
    if not string match -q '*,*' -- $typed
        printf '%s\n' spr emr gnr srf
        __fish_complete_path $typed
    else if string match -q '*,clock=*' -- $typed
        __cxlmon_list clock=real clock=virtual
    else
        __cxlmon_list sockets= cpus= ports= chas= imcs= read= write= cache_d2h= cache_h2d= \
            latency= ddr_latency= ddr_remote_latency= dram_read= dram_write= crc= retry= full= \
            rxc=0 rxc=1 wave=0 wave=1 clock=
    end
end

# __cxlmon_option "SUBCOMMAND..." OPTIONS-OF-complete...
function __cxlmon_option
    complete -c cxlmon -n "__cxlmon_in $argv[1]" $argv[2..]
end

complete -c cxlmon -f

complete -c cxlmon -n __cxlmon_at_start -a info -d 'what this machine has'
complete -c cxlmon -n __cxlmon_at_start -a doctor -d 'what keeps it from being monitored'
complete -c cxlmon -n __cxlmon_at_start -a list -d 'metrics and events of this processor'
complete -c cxlmon -n __cxlmon_at_start -a serve -d 'OpenMetrics over HTTP'
complete -c cxlmon -n __cxlmon_at_start -a record -d 'keep samples in a file'
complete -c cxlmon -n __cxlmon_at_start -a replay -d 'show the samples of such a file'
complete -c cxlmon -n __cxlmon_at_start -a report -d 'draw them as a page'
complete -c cxlmon -n __cxlmon_at_start -a snapshot -d 'keep what simulates this machine elsewhere'
complete -c cxlmon -n __cxlmon_at_start -a restore -d 'put back what a killed run has left'
complete -c cxlmon -n __cxlmon_at_start -a allowlist -d 'the registers that msr-safe must allow'
complete -c cxlmon -n __cxlmon_at_start -a msr -d 'one model-specific register'
complete -c cxlmon -n __cxlmon_at_start -a pci -d 'one register in PCI configuration space'
complete -c cxlmon -n __cxlmon_at_start -a mmio -d 'one register in memory'

complete -c cxlmon -n '__cxlmon_in record replay report snapshot' -F
complete -c cxlmon -n '__cxlmon_in msr pci mmio' -a 'read write'
# behind -- stands COMMAND
complete -c cxlmon -n '__cxlmon_in monitor record; and contains -- -- (commandline -opc)' \
    -a '(__fish_complete_subcommand --commandline (string split -m1 " -- " -- (commandline -cp))[2])'

set -l showing monitor replay
__cxlmon_option "$showing" -s f -l format -x -a 'table csv json openmetrics' -d 'form of the output'
__cxlmon_option "$showing" -l csv -d 'short for --format=csv'
__cxlmon_option "$showing" -l json -d 'short for --format=json'
__cxlmon_option 'info doctor list' -l json -d 'as one JSON object'
__cxlmon_option "$showing report" -s o -l output -r -F -d 'write there'

__cxlmon_option monitor -l plain -d 'a table that scrolls instead of the screen'
__cxlmon_option monitor -l link-GBps -x -d "what a port's link carries"

set -l measuring monitor serve record
__cxlmon_option "$measuring" -s m -l metrics -x -d 'metric groups' \
    -a '(__cxlmon_list cxl latency dram queue link core all)'
__cxlmon_option "$measuring" -s e -l event -x -d 'an event instead'
__cxlmon_option "$measuring list" -l events-from -r -F -d "know the events of Intel's perfmon JSON"
__cxlmon_option "$measuring" -l rotate -x -d 'milliseconds that a group of events has its turn'
__cxlmon_option "$measuring" -l latency -x -a 'spatial rotate' -d 'how latency is measured'
__cxlmon_option "$measuring" -s p -l per -x -a 'cpu port socket system' -d 'finest rows'
__cxlmon_option "$measuring" -s s -l socket -x -d 'only these sockets'
__cxlmon_option "$measuring" -l port -x -d 'only these ports of each socket'
__cxlmon_option "$measuring" -l device -x -d 'only ports with these memory devices'
__cxlmon_option "$measuring" -l node -x -d 'only ports whose memory is in these NUMA nodes'
__cxlmon_option "$measuring" -l freeze -x -a 'auto always never' -d 'freeze counters while reading'
__cxlmon_option "$measuring" -l backend -x -a 'raw auto' -d 'how registers are reached'
__cxlmon_option "$measuring" -l share -d 'measure with what is free'
__cxlmon_option "$measuring" -l force -d 'take counters that others use'
__cxlmon_option "$measuring" -s q -l quiet -d 'no messages but errors'
__cxlmon_option "$measuring info" -s v -l verbose -d 'say more'
__cxlmon_option serve -l listen -x -d 'where to listen'

set -l registers msr pci mmio
__cxlmon_option "$measuring info doctor list snapshot allowlist $registers" -l sim -x \
    -a '(__cxlmon_sim)' -d 'simulate a processor'
__cxlmon_option "$measuring info doctor list snapshot restore allowlist $registers" -l root -x \
    -a '(__fish_complete_directories)' -d 'find dev, sys and proc elsewhere'
__cxlmon_option "$registers" -l unsafe -d 'write it whatever it is'
__cxlmon_option msr -l cpu -x -d 'of this CPU'
__cxlmon_option 'pci mmio' -l bytes -x -a '4 8' -d 'width of the access'

complete -c cxlmon -s h -l help -d 'show help'
__cxlmon_option 'monitor record' -s V -l version -d 'show the version'
