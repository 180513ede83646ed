# SPDX-License-Identifier: BSD-3-Clause
# What fish proposes behind cxlmon.

set -g __cxlmon_subcommands info doctor list serve record replay report compare snapshot verify \
    selftest sweep who restore allowlist msr pci mmio help version

set -g __cxlmon_valued format output metrics metric metrics-from event events-from rotate latency per socket port \
    device node sim root freeze backend link-GBps listen cpu bytes seconds from to \
    fail-if

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
                string match -qr '^-[^fomeps]*[fomeps]$' -- $word; and set value yes
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
    if not string match -q '*,*' -- $typed
        printf '%s\n' spr emr gnr gnr-d srf cwf dmr turin venice genoa intel amd arm
        __fish_complete_path $typed
    else if string match -q '*,clock=*' -- $typed
        __cxlmon_list clock=real clock=virtual
    else if string match -q '*,lockdown=*' -- $typed
        __cxlmon_list lockdown=none lockdown=integrity lockdown=confidentiality
    else if string match -q '*,cpmu_kind=*' -- $typed
        __cxlmon_list cpmu_kind=full cpmu_kind=fixed cpmu_kind=one cpmu_kind=readonly cpmu_kind=nofreeze cpmu_kind=overflow \
            cpmu_kind=filters cpmu_kind=silent cpmu_kind=cxl4 cpmu_kind=throttled cpmu_kind=estimate cpmu_kind=two cpmu_kind=threshold cpmu_kind=narrow cpmu_kind=part cpmu_kind=zero
    else if string match -q '*,miscount=*' -- $typed
        __cxlmon_list miscount=port miscount=rxc miscount=m2s_req miscount=write miscount=tor miscount=latency \
            miscount=dram_read miscount=dram_write
    else
        __cxlmon_list sockets= dies= cpus= ports= chas= imcs= extra_chas= hbms= threads= read= write= cache_d2h= cache_h2d= \
            limit= memspecrd= latency= ddr_latency= ddr_remote_latency= dram_read= dram_write= hbm_read= hbm_write= \
            crc= retry= full= \
            exp_local=0 exp_local=1 ocr_cxl=0 ocr_cxl=1 rxc=0 rxc=1 wave=0 wave=1 swap=0 swap=1 ramp= begin= miscount= miscount_pct= miscount_port= kernel= paranoid= lockdown= cpmu=0 cpmu=1 cpmu_kind= cxl_pmu=0 cxl_pmu=1 invalid=0 invalid=1 promote= demote= hint= clock=
    end
end

# __cxlmon_option "SUBCOMMAND..." OPTIONS-OF-complete...
function __cxlmon_option
    complete -c cxlmon -n "__cxlmon_in $argv[1]" $argv[2..]
end

complete -c cxlmon -f

complete -c cxlmon -n __cxlmon_at_start -a info -d "show this machine's processor, units and CXL ports"
complete -c cxlmon -n __cxlmon_at_start -a doctor -d 'check what monitoring needs here'
complete -c cxlmon -n __cxlmon_at_start -a list -d 'list the metrics and events of this processor'
complete -c cxlmon -n __cxlmon_at_start -a serve -d 'serve OpenMetrics over HTTP'
complete -c cxlmon -n __cxlmon_at_start -a record -d 'record samples in a file'
complete -c cxlmon -n __cxlmon_at_start -a replay -d 'print the samples of a recording'
complete -c cxlmon -n __cxlmon_at_start -a report -d 'draw a recording as an HTML page'
complete -c cxlmon -n __cxlmon_at_start -a compare -d 'compare two recordings'
complete -c cxlmon -n __cxlmon_at_start -a snapshot -d 'save what is needed to simulate this machine'
complete -c cxlmon -n __cxlmon_at_start -a verify -d "compare the kernel's counts with the registers"
complete -c cxlmon -n __cxlmon_at_start -a selftest -d 'compare known traffic with the counters'
complete -c cxlmon -n __cxlmon_at_start -a sweep -d 'measure latency from no load to the most'
complete -c cxlmon -n __cxlmon_at_start -a who -d 'show which processes have CXL memory'
complete -c cxlmon -n __cxlmon_at_start -a restore -d 'restore registers of a killed run'
complete -c cxlmon -n __cxlmon_at_start -a allowlist -d 'print the MSR allowlist for msr-safe'
complete -c cxlmon -n __cxlmon_at_start -a msr -d 'read or write a model-specific register'
complete -c cxlmon -n __cxlmon_at_start -a pci -d 'read or write a PCI configuration register'
complete -c cxlmon -n __cxlmon_at_start -a mmio -d 'read or write a memory-mapped register'
complete -c cxlmon -n __cxlmon_at_start -a help -d 'explain a topic or a subcommand'
complete -c cxlmon -n __cxlmon_at_start -a version -d 'show the version'

complete -c cxlmon -n '__cxlmon_in record replay report compare snapshot' -F
complete -c cxlmon -n '__cxlmon_in msr pci mmio' -a 'read write'
complete -c cxlmon -n '__cxlmon_in help' -a 'output events rows machine sim status all'
complete -c cxlmon -n '__cxlmon_in help' -a "$__cxlmon_subcommands"
# behind -- stands COMMAND
complete -c cxlmon -n '__cxlmon_in monitor record; and contains -- -- (commandline -opc)' \
    -a '(__fish_complete_subcommand --commandline (string split -m1 " -- " -- (commandline -cp))[2])'

set -l showing monitor replay
__cxlmon_option "$showing" -s f -l format -x -a 'table csv json openmetrics' -d 'output format'
__cxlmon_option 'compare who' -s f -l format -x -a 'table csv json' -d 'output format'
__cxlmon_option compare -l fail-if -x -d 'exit with status 1 where this holds'
__cxlmon_option "$showing verify sweep who compare" -l csv -d 'same as --format=csv'
__cxlmon_option "$showing who compare" -l json -d 'same as --format=json'
__cxlmon_option 'info doctor list selftest' -l json -d 'print one JSON object'
__cxlmon_option "$showing record report compare snapshot selftest sweep who" -s o -l output -r -F -d 'write to a file'

__cxlmon_option 'replay report compare' -l from -x -d 'only samples from this time on'
__cxlmon_option 'replay report compare' -l to -x -d 'only samples before this time'
__cxlmon_option monitor -l append -d 'continue the file of -o'
__cxlmon_option monitor -l no-header -d 'CSV without its header row'
__cxlmon_option record -l note -x -d 'keep a remark'
__cxlmon_option record -l host -d 'keep the name of this host'
__cxlmon_option monitor -l plain -d 'a scrolling table instead of the screen'
__cxlmon_option monitor -l link-GBps -x -d "bandwidth of a port's link"
__cxlmon_option 'monitor record replay' -l summary -d 'end with a summary on standard error'
__cxlmon_option 'monitor record' -l no-summary -d 'end without a summary'

set -l measuring monitor serve record
__cxlmon_option "$measuring verify" -s m -l metrics -x -d 'metric groups' \
    -a '(__cxlmon_list cxl latency dram queue link core device tiering all)'
__cxlmon_option "$measuring verify" -s e -l event -x -d 'count an event'
__cxlmon_option "$measuring" -l metric -x -d "a metric of one's own: NAME = FORMULA"
__cxlmon_option "$measuring" -l metrics-from -r -F -d "metrics of one's own, one on each line"
__cxlmon_option "$measuring list" -l events-from -r -F -d 'also accept the events of a perfmon JSON file'
__cxlmon_option "$measuring" -l rotate -x -d 'multiplexing: milliseconds per event group'
__cxlmon_option "$measuring" -l latency -x -a 'spatial rotate' -d 'how latency is measured'
__cxlmon_option "$measuring replay" -s p -l per -x -a 'unit cpu port socket system' -d 'show rows down to this level'
__cxlmon_option "$measuring" -s s -l socket -x -d 'only these sockets'
__cxlmon_option "$measuring" -l port -x -d 'only these ports of each socket'
__cxlmon_option "$measuring selftest who" -l device -x -d 'only ports with these memory devices'
__cxlmon_option "$measuring selftest sweep who" -l node -x -d 'only ports whose memory is in these NUMA nodes'
__cxlmon_option "$measuring" -l freeze -x -a 'auto always never' -d 'freeze counters while they are read'
__cxlmon_option "$measuring" -l share -d 'use only free counters'
__cxlmon_option "$measuring" -l force -d 'use counters that are in use by others'
__cxlmon_option 'selftest sweep' -l seconds -x -d 'time for all of it'
__cxlmon_option serve -l listen -x -d 'address to listen on'

set -l registers msr pci mmio
__cxlmon_option "$measuring info doctor list snapshot verify selftest sweep allowlist $registers" -l sim -x \
    -a '(__cxlmon_sim)' -d 'simulate a processor'
__cxlmon_option "$measuring info doctor list snapshot verify selftest sweep who restore allowlist $registers" -l root -x \
    -a '(__fish_complete_directories)' -d 'use dev, sys, proc and run elsewhere'
__cxlmon_option "$measuring info doctor list verify selftest sweep who" -l backend -x \
    -a 'raw perf auto' -d 'how to count'
__cxlmon_option "$registers" -l unsafe -d 'write even if it is not a monitoring register'
__cxlmon_option msr -l cpu -x -d 'CPU whose register it is'
__cxlmon_option 'pci mmio' -l bytes -x -a '4 8' -d 'width of the access'

complete -c cxlmon -s q -l quiet -d 'print no messages but errors'
complete -c cxlmon -s v -l verbose -d 'print more'
complete -c cxlmon -s h -l help -d 'show help'
__cxlmon_option 'monitor record' -s V -l version -d 'show the version'
