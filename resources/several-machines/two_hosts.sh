#!/bin/bash
# Two hosts on one Linux machine, to try MPI over several without a cluster: network namespaces, joined by a bridge. As root:
#
#     ./two_hosts.sh up
#     mpiexec -f two_hosts.txt -launcher ssh -launcher-exec "$PWD/two_hosts.sh" -iface tilescope0 -n 4 tilescope mpi mpi.summa --n 1024
#     ./two_hosts.sh down
#
# In between, mpiexec calls this script in place of ssh: with options, a host and a command that is to run there.
set -eu
bridge=tilescope0 network=10.77.0

up() {
    ip link add $bridge type bridge
    ip addr add $network.1/24 dev $bridge
    ip link set $bridge up
    for number in 2 3; do
        ip netns add node$number
        ip link add to_node$number type veth peer name inside$number
        ip link set to_node$number master $bridge up
        ip link set inside$number netns node$number
        ip -n node$number addr add $network.$number/24 dev inside$number
        ip -n node$number link set inside$number up
        ip -n node$number link set lo up
    done
    printf "$network.%d:2\n" 2 3 > two_hosts.txt
}

down() {
    for number in 2 3; do ip netns delete node$number; done
    ip link delete $bridge
}

case ${1:-} in
up | down) "$1" ;;
"") sed -n 's/^# \{0,1\}//p' "$0" | sed 1d ;;
*)
    while [[ $1 == -* ]]; do shift; done
    node=node${1##*.}
    shift
    # Its own name too: who is on one host shares memory, and these are not to.
    exec ip netns exec "$node" unshare --uts sh -c "hostname $node; $*"
    ;;
esac
