; Blocks one after the other, until all are done, something is wrong, or there are no more numbers for intervals.
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
