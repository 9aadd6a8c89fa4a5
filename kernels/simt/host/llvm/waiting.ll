; A block whose threads wait for each other.
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
  %whole = icmp ult i32 %behind, $THREADS$
  %last = select i1 %whole, i32 %behind, i32 $THREADS$
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
