; What is asked before an access, and what a thread is made of. Tags say who came last: those below `now` are of earlier intervals.
declare void @llvm.assume(i1)
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
