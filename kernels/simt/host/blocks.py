"""Blocks of a kernel, one after the other: what goes around the code of a thread, made into machine code of this process."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from kernels.simt.host.arena import Layout
from kernels.simt.host.module import machine_code
from kernels.simt.host.places import Shared
from kernels.simt.host.thread_code import FELL_OFF, IN_WARP, ThreadCode
from kernels.simt.host.threads import FIELD, MANY, Plan

LAST_EPOCH = 0xE0000000
"""Tags are numbers of 32 bits: where an interval begins beyond this, they are counted anew before the next block."""
DIVERGED = 6
"""What a core says where threads of a block wait at different barriers, or not all of them."""
_NOWHERE = Layout(0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class BlockCode:
    """Code of a kernel: `run(core, first, count)` executes blocks, and gives how many were begun. `plan` is what it was made for."""

    run: Any
    plan: Plan
    engine: Any


def compile_blocks(plan: Plan) -> BlockCode:
    """Compile a kernel. Raises NotCompiled."""
    shared = Shared(_NOWHERE, {}, 0, 0)
    plan.look()
    thread = ThreadCode(shared, plan)
    text = thread.text()
    told = "\n".join(shared.outside.values())
    parts = (_COMMON, told, text, _ROOM + _RUN + _WAITING if plan.waits else _RUN + _STRAIGHT)
    sizes = {
        "THREADS": plan.threads, "MANY": plan.threads + MANY, "STRIDE": thread.stride, "UNIT": plan.unit.bit_length() - 1,
        "LAST": LAST_EPOCH, "FELL_OFF": FELL_OFF, "DIVERGED": DIVERGED, "IN_WARP": IN_WARP, "WIDE": plan.block[0], "HIGH": plan.block[1],
    }  # fmt: skip
    whole = "\n".join(parts)
    for name, value in sizes.items():
        whole = whole.replace(f"${name}$", str(value))
    for name, number in FIELD.items():
        whole = whole.replace(f"#{name}#", f"getelementptr i64, ptr %core, i64 {number}")
    engine = machine_code(whole, here=True)
    run_at = engine.get_function_address("run")
    return BlockCode(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(run_at), plan, engine)


_COMMON = """
declare void @llvm.assume(i1)
declare i32 @llvm.umin.i32(i32, i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare i64 @llvm.coro.size.i64()
declare ptr @llvm.coro.begin(token, ptr)
declare i8 @llvm.coro.suspend(token, i1)
declare void @llvm.coro.end(ptr, i1, token)
declare ptr @llvm.coro.free(token, ptr)
declare void @llvm.coro.resume(ptr)

define internal i1 @read(i64 %address, i64 %reads, i64 %writes, i32 %now, i32 %me, i1 %defined) alwaysinline nounwind {
  %unit = lshr i64 %address, $UNIT$
  %further = shl i64 %unit, 2
  %at_w = add i64 %writes, %further
  %at_r = add i64 %reads, %further
  %p_w = inttoptr i64 %at_w to ptr
  %p_r = inttoptr i64 %at_r to ptr
  %w = load i32, ptr %p_w
  %r = load i32, ptr %p_r
  %w_before = icmp ult i32 %w, %now
  %w_own = icmp eq i32 %w, %me
  %ordered = or i1 %w_before, %w_own
  %written = icmp ne i32 %w, 0
  %there = or i1 %written, %defined
  %fine = and i1 %ordered, %there
  %r_now = icmp uge i32 %r, %now
  %r_other = icmp ne i32 %r, %me
  %shared = and i1 %r_now, %r_other
  %many = add i32 %now, $MANY$
  %tag = select i1 %shared, i32 %many, i32 %me
  store i32 %tag, ptr %p_r
  ret i1 %fine
}

define internal i1 @write(i64 %address, i64 %reads, i64 %writes, i32 %now, i32 %me, i1 %same) alwaysinline nounwind {
  %unit = lshr i64 %address, $UNIT$
  %further = shl i64 %unit, 2
  %at_w = add i64 %writes, %further
  %at_r = add i64 %reads, %further
  %p_w = inttoptr i64 %at_w to ptr
  %p_r = inttoptr i64 %at_r to ptr
  %w = load i32, ptr %p_w
  %r = load i32, ptr %p_r
  %w_before = icmp ult i32 %w, %now
  %w_own = icmp eq i32 %w, %me
  %w_ordered = or i1 %w_before, %w_own
  %w_fine = or i1 %w_ordered, %same
  %r_before = icmp ult i32 %r, %now
  %r_own = icmp eq i32 %r, %me
  %r_fine = or i1 %r_before, %r_own
  %many = add i32 %now, $MANY$
  %tag = select i1 %w_ordered, i32 %me, i32 %many
  store i32 %tag, ptr %p_w
  %fine = and i1 %w_fine, %r_fine
  ret i1 %fine
}

define internal i1 @update(i64 %address, i64 %reads, i64 %writes, i32 %now, i32 %me, i32 %tag, i1 %defined) alwaysinline nounwind {
  %unit = lshr i64 %address, $UNIT$
  %further = shl i64 %unit, 2
  %at_w = add i64 %writes, %further
  %at_r = add i64 %reads, %further
  %p_w = inttoptr i64 %at_w to ptr
  %p_r = inttoptr i64 %at_r to ptr
  %w = load i32, ptr %p_w
  %r = load i32, ptr %p_r
  %w_before = icmp ult i32 %w, %now
  %w_own = icmp eq i32 %w, %me
  %w_alike = icmp eq i32 %w, %tag
  %w_ordered = or i1 %w_before, %w_own
  %w_fine = or i1 %w_ordered, %w_alike
  %r_before = icmp ult i32 %r, %now
  %r_own = icmp eq i32 %r, %me
  %r_fine = or i1 %r_before, %r_own
  %written = icmp ne i32 %w, 0
  %there = or i1 %written, %defined
  %ordered = and i1 %w_fine, %r_fine
  %fine = and i1 %ordered, %there
  %next = select i1 %w_own, i32 %me, i32 %tag
  store i32 %next, ptr %p_w
  ret i1 %fine
}

!0 = !{!"branch_weights", i32 1000000, i32 1}
"""
_ROOM = """
define internal ptr @room(ptr %core, i32 %tid, i64 %size) nounwind {
  %more = add i64 %size, 63
  %each = and i64 %more, -64
  %p_frames = #frames#
  %frames = load i64, ptr %p_frames
  %p_end = #frames_end#
  %end = load i64, ptr %p_end
  %all = mul i64 %each, $THREADS$
  %top = add i64 %frames, %all
  %over = icmp ugt i64 %top, %end
  br i1 %over, label %full, label %fits
full:
  %p_fault = #fault#
  store i64 1, ptr %p_fault
  br label %fits
fits:
  %wide = zext i32 %tid to i64
  %behind = mul i64 %each, %wide
  %at = add i64 %frames, %behind
  %place = inttoptr i64 %at to ptr
  ret ptr %place
}
"""
_RUN = """
define internal void @next(ptr %core) alwaysinline nounwind {
  %p_epoch = #epoch#
  %epoch = load i64, ptr %p_epoch
  %after = add i64 %epoch, $STRIDE$
  store i64 %after, ptr %p_epoch
  ret void
}

define internal void @forget(ptr %core, i64 %tags) nounwind {
  %p_shared = #shared#
  %shared = load i64, ptr %p_shared
  %p_bytes = #shared_bytes#
  %bytes = load i64, ptr %p_bytes
  %unit = lshr i64 %shared, $UNIT$
  %further = shl i64 %unit, 2
  %at = add i64 %tags, %further
  %place = inttoptr i64 %at to ptr
  %units = lshr i64 %bytes, $UNIT$
  %size = shl i64 %units, 2
  call void @llvm.memset.p0.i64(ptr %place, i8 0, i64 %size, i1 0)
  ret void
}

define i64 @run(ptr %core, i64 %first, i64 %count) nounwind {
entry:
  %p_fault = #fault#
  %p_epoch = #epoch#
  %p_x = #block_x#
  %p_y = #block_y#
  %p_z = #block_z#
  %p_gx = #grid_x#
  %gx = load i64, ptr %p_gx
  %p_gy = #grid_y#
  %gy = load i64, ptr %p_gy
  %p_reads = #reads#
  %reads = load i64, ptr %p_reads
  %p_writes = #writes#
  %writes = load i64, ptr %p_writes
  br label %test
test:
  %done = phi i64 [0, %entry], [%done1, %go_on]
  %enough = icmp uge i64 %done, %count
  br i1 %enough, label %out, label %look
look:
  %epoch = load i64, ptr %p_epoch
  %late = icmp ugt i64 %epoch, $LAST$
  br i1 %late, label %out, label %begin
begin:
  %number = add i64 %first, %done
  %x = urem i64 %number, %gx
  %rows = udiv i64 %number, %gx
  %y = urem i64 %rows, %gy
  %z = udiv i64 %rows, %gy
  store i64 %x, ptr %p_x
  store i64 %y, ptr %p_y
  store i64 %z, ptr %p_z
  call void @forget(ptr %core, i64 %reads)
  call void @forget(ptr %core, i64 %writes)
  call void @block(ptr %core)
  call void @next(ptr %core)
  %done1 = add i64 %done, 1
  %fault = load i64, ptr %p_fault
  %well = icmp eq i64 %fault, 0
  br i1 %well, label %go_on, label %out1
go_on:
  br label %test
out:
  ret i64 %done
out1:
  ret i64 %done1
}
"""
_STRAIGHT = """
define internal void @block(ptr %core) nounwind {
entry:
  br label %thread
thread:
  %t = phi i32 [0, %entry], [%t1, %thread]
  %x = urem i32 %t, $WIDE$
  %rows = udiv i32 %t, $WIDE$
  %y = urem i32 %rows, $HIGH$
  %z = udiv i32 %rows, $HIGH$
  call void @thread(ptr %core, i32 %t, i32 %x, i32 %y, i32 %z)
  %t1 = add i32 %t, 1
  %more = icmp ult i32 %t1, $THREADS$
  br i1 %more, label %thread, label %out
out:
  ret void
}
"""
_WAITING = """
; Lanes of a warp that wait for each other alone go on together: at one place, and just those whom they name.
define internal void @settle(ptr %core, i32 %first) nounwind {
entry:
  %p_fault = #fault#
  %p_status = #status#
  %a_status = load i64, ptr %p_status
  %status = inttoptr i64 %a_status to ptr
  %p_handles = #handles#
  %a_handles = load i64, ptr %p_handles
  %handles = inttoptr i64 %a_handles to ptr
  %p_values = #values#
  %a_values = load i64, ptr %p_values
  %values = inttoptr i64 %a_values to ptr
  %p_names = #names#
  %a_names = load i64, ptr %p_names
  %names = inttoptr i64 %a_names to ptr
  %p_taken = #taken#
  %a_taken = load i64, ptr %p_taken
  %taken = inttoptr i64 %a_taken to ptr
  %p_present = #present#
  %a_present = load i64, ptr %p_present
  %present = inttoptr i64 %a_present to ptr
  %p_ballots = #ballots#
  %a_ballots = load i64, ptr %p_ballots
  %ballots = inttoptr i64 %a_ballots to ptr
  %warp = lshr i32 %first, 5
  %behind = add i32 %first, 32
  %last = call i32 @llvm.umin.i32(i32 %behind, i32 $THREADS$)
  br label %look
look:
  br label %scan
scan:
  %t = phi i32 [%first, %look], [%t1, %scanned]
  %live = phi i32 [0, %look], [%live1, %scanned]
  %here = phi i32 [0, %look], [%here1, %scanned]
  %said = phi i32 [0, %look], [%said1, %scanned]
  %site = phi i32 [0, %look], [%site1, %scanned]
  %p_t = getelementptr i32, ptr %status, i32 %t
  %s = load i32, ptr %p_t
  %lane = and i32 %t, 31
  %bit = shl i32 1, %lane
  %lives = icmp sgt i32 %s, 0
  %live_bit = select i1 %lives, i32 %bit, i32 0
  %live1 = or i32 %live, %live_bit
  %waits = icmp sgt i32 %s, $IN_WARP$
  br i1 %waits, label %waiting, label %scanned
waiting:
  %none = icmp eq i32 %site, 0
  %same = icmp eq i32 %site, %s
  %agrees = or i1 %none, %same
  %p_value = getelementptr i64, ptr %values, i32 %t
  %value = load i64, ptr %p_value
  %p_take = getelementptr i64, ptr %taken, i32 %t
  store i64 %value, ptr %p_take
  %true = icmp ne i64 %value, 0
  %said_bit = select i1 %true, i32 %bit, i32 0
  br i1 %agrees, label %scanned, label %diverged
scanned:
  %here_bit = phi i32 [0, %scan], [%bit, %waiting]
  %more_said = phi i32 [0, %scan], [%said_bit, %waiting]
  %site1 = phi i32 [%site, %scan], [%s, %waiting]
  %here1 = or i32 %here, %here_bit
  %said1 = or i32 %said, %more_said
  %t1 = add i32 %t, 1
  %more = icmp ult i32 %t1, %last
  br i1 %more, label %scan, label %known
known:
  %over = icmp eq i32 %here1, 0
  br i1 %over, label %out, label %check
check:
  %c = phi i32 [%first, %known], [%c1, %checked]
  %c_lane = and i32 %c, 31
  %c_shifted = lshr i32 %here1, %c_lane
  %c_here = trunc i32 %c_shifted to i1
  br i1 %c_here, label %names_whom, label %checked
names_whom:
  %p_c = getelementptr i32, ptr %names, i32 %c
  %named = load i32, ptr %p_c
  %wanted = and i32 %named, %live1
  %all = icmp eq i32 %wanted, %here1
  br i1 %all, label %checked, label %alike
alike:
  %o = phi i32 [%first, %names_whom], [%o1, %alike]
  %those = phi i32 [0, %names_whom], [%those1, %alike]
  %p_o = getelementptr i32, ptr %names, i32 %o
  %other = load i32, ptr %p_o
  %o_lane = and i32 %o, 31
  %o_bit = shl i32 1, %o_lane
  %o_here = and i32 %o_bit, %here1
  %o_same = icmp eq i32 %other, %named
  %o_add = select i1 %o_same, i32 %o_here, i32 0
  %those1 = or i32 %those, %o_add
  %o1 = add i32 %o, 1
  %more_o = icmp ult i32 %o1, %last
  br i1 %more_o, label %alike, label %compared
compared:
  %just = icmp eq i32 %those1, %wanted
  br i1 %just, label %checked, label %diverged
checked:
  %c1 = add i32 %c, 1
  %more_c = icmp ult i32 %c1, %last
  br i1 %more_c, label %check, label %go
go:
  %p_present_w = getelementptr i32, ptr %present, i32 %warp
  store i32 %here1, ptr %p_present_w
  %p_ballot_w = getelementptr i32, ptr %ballots, i32 %warp
  store i32 %said1, ptr %p_ballot_w
  br label %wake
wake:
  %g = phi i32 [%first, %go], [%g1, %woken]
  %g_lane = and i32 %g, 31
  %g_shifted = lshr i32 %here1, %g_lane
  %g_here = trunc i32 %g_shifted to i1
  br i1 %g_here, label %resume, label %woken
resume:
  %p_g = getelementptr ptr, ptr %handles, i32 %g
  %handle = load ptr, ptr %p_g
  call void @llvm.coro.resume(ptr %handle)
  br label %woken
woken:
  %g1 = add i32 %g, 1
  %more_g = icmp ult i32 %g1, %last
  br i1 %more_g, label %wake, label %woke
woke:
  %fault = load i64, ptr %p_fault
  %well = icmp eq i64 %fault, 0
  br i1 %well, label %look, label %out
diverged:
  store i64 $DIVERGED$, ptr %p_fault
  br label %out
out:
  ret void
}

define internal void @block(ptr %core) nounwind {
entry:
  %p_fault = #fault#
  %p_status = #status#
  %a_status = load i64, ptr %p_status
  %status = inttoptr i64 %a_status to ptr
  %p_handles = #handles#
  %a_handles = load i64, ptr %p_handles
  %handles = inttoptr i64 %a_handles to ptr
  %p_told = #predicates#
  %a_told = load i64, ptr %p_told
  %told = inttoptr i64 %a_told to ptr
  %p_joined = #joined#
  br label %start
start:
  %t = phi i32 [0, %entry], [%t1, %started]
  %x = urem i32 %t, $WIDE$
  %rows = udiv i32 %t, $WIDE$
  %y = urem i32 %rows, $HIGH$
  %z = udiv i32 %rows, $HIGH$
  %handle = call ptr @thread(ptr %core, i32 %t, i32 %x, i32 %y, i32 %z)
  %p_handle = getelementptr ptr, ptr %handles, i32 %t
  store ptr %handle, ptr %p_handle
  %fault0 = load i64, ptr %p_fault
  %well0 = icmp eq i64 %fault0, 0
  br i1 %well0, label %started, label %out
started:
  %t1 = add i32 %t, 1
  %more = icmp ult i32 %t1, $THREADS$
  br i1 %more, label %start, label %meet

; All of them wait, or have ended: those that wait must do so at the same place.
meet:
  br label %settling
settling:
  %w = phi i32 [0, %meet], [%w1, %settling]
  call void @settle(ptr %core, i32 %w)
  %w1 = add i32 %w, 32
  %more_w = icmp ult i32 %w1, $THREADS$
  br i1 %more_w, label %settling, label %settled
settled:
  %fault1 = load i64, ptr %p_fault
  %well1 = icmp eq i64 %fault1, 0
  br i1 %well1, label %arrive, label %out
arrive:
  %a = phi i32 [0, %settled], [%a1, %arrived]
  %site = phi i32 [0, %settled], [%site1, %arrived]
  %p_a = getelementptr i32, ptr %status, i32 %a
  %s = load i32, ptr %p_a
  %waits = icmp sgt i32 %s, 0
  %none = icmp eq i32 %site, 0
  %same = icmp eq i32 %site, %s
  %agrees = or i1 %none, %same
  %not = xor i1 %waits, 1
  %good = or i1 %not, %agrees
  br i1 %good, label %arrived, label %diverged
arrived:
  %site1 = select i1 %waits, i32 %s, i32 %site
  %a1 = add i32 %a, 1
  %more_a = icmp ult i32 %a1, $THREADS$
  br i1 %more_a, label %arrive, label %all
all:
  %over = icmp eq i32 %site1, 0
  br i1 %over, label %out, label %join

; Of those that ended since the last time, each must have returned before the place at which the others wait.
join:
  %j = phi i32 [0, %all], [%j1, %joined]
  %yes = phi i64 [0, %all], [%yes1, %joined]
  %of = phi i64 [0, %all], [%of1, %joined]
  %p_j = getelementptr i32, ptr %status, i32 %j
  %sj = load i32, ptr %p_j
  %lives = icmp sgt i32 %sj, 0
  br i1 %lives, label %counted, label %ended
counted:
  %p_told_j = getelementptr i32, ptr %told, i32 %j
  %said = load i32, ptr %p_told_j
  %said_wide = zext i32 %said to i64
  br label %joined
ended:
  %place = sub i32 $FELL_OFF$, %sj
  %long_ago = icmp eq i32 %sj, 0
  %returned = icmp sgt i32 %place, 0
  %before = icmp slt i32 %place, %site1
  %early = and i1 %returned, %before
  %fine = or i1 %long_ago, %early
  store i32 0, ptr %p_j
  br i1 %fine, label %joined, label %diverged
joined:
  %one = phi i64 [1, %counted], [0, %ended]
  %said_now = phi i64 [%said_wide, %counted], [0, %ended]
  %yes1 = add i64 %yes, %said_now
  %of1 = add i64 %of, %one
  %j1 = add i32 %j, 1
  %more_j = icmp ult i32 %j1, $THREADS$
  br i1 %more_j, label %join, label %resume
resume:
  %of_high = shl i64 %of1, 32
  %both = or i64 %of_high, %yes1
  store i64 %both, ptr %p_joined
  call void @next(ptr %core)
  br label %go
go:
  %g = phi i32 [0, %resume], [%g1, %gone]
  %p_g = getelementptr i32, ptr %status, i32 %g
  %sg = load i32, ptr %p_g
  %waiting = icmp sgt i32 %sg, 0
  br i1 %waiting, label %wake, label %gone
wake:
  %p_wake = getelementptr ptr, ptr %handles, i32 %g
  %woken = load ptr, ptr %p_wake
  call void @llvm.coro.resume(ptr %woken)
  br label %gone
gone:
  %g1 = add i32 %g, 1
  %more_g = icmp ult i32 %g1, $THREADS$
  br i1 %more_g, label %go, label %went
went:
  %fault = load i64, ptr %p_fault
  %well = icmp eq i64 %fault, 0
  br i1 %well, label %meet, label %out
diverged:
  store i64 $DIVERGED$, ptr %p_fault
  br label %out
out:
  ret void
}
"""
