#!/bin/bash
#SBATCH --job-name=tilescope
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=1
#SBATCH --time=00:30:00
#
# Measures distributed rungs over sizes and numbers of ranks, and leaves one file that `tilescope import` shows elsewhere.
# As a batch job:  sbatch sweep.sh
# By hand:         MPIEXEC="mpiexec -f hosts.txt" RANKS="1 2 4" ./sweep.sh
set -eu
MPIEXEC=${MPIEXEC:-mpiexec}
RUNGS=${RUNGS:-mpi.rows mpi.overlap mpi.summa}
SIZES=${SIZES:-512 1024 2048}
RANKS=${RANKS:-1 2 4 8}
out=$PWD/tilescope-${SLURM_JOB_ID:-by-hand}
mkdir -p "$out"
export TILESCOPE_HOME=$out/home # one history for each job: jobs at the same time do not wait for each other

for rung in $RUNGS; do
    for n in $SIZES; do
        for ranks in $RANKS; do
            $MPIEXEC -n "$ranks" tilescope mpi "$rung" --n "$n" --budget 60 --json < /dev/null > "$out/$rung-$n-$ranks.json" ||
                echo "not measured: $rung, n = $n, $ranks ranks" >&2
        done
    done
done
tilescope export recording "$out/cluster.json"
