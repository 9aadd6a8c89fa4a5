; The checks of what the host accesses: of one value, where code is executed once; and of all bytes that are copied or filled.
define internal preserve_mostcc void @allowed(i64 %address, i64 %size, i64 %told, i64 %site) nounwind noinline {
  %offset = sub i64 %address, $BASE$
  %granule = lshr i64 %offset, $BITS$
  %inside = call i64 @llvm.umin.i64(i64 %granule, i64 $LAST$)
  %where = getelementptr i8, ptr inttoptr (i64 $SHADOW$ to ptr), i64 %inside
  %shade = load i8, ptr %where
  %allowed = zext i8 %shade to i64
  %start = and i64 %offset, $MASK$
  %end = add i64 %start, %size
  %within = icmp ule i64 %end, %allowed
  br i1 %within, label %fine, label %slow, !prof !0
slow:
  call void inttoptr (i64 $FAULT$ to ptr)(i64 %address, i64 %told, i64 %site)
  br label %fine
fine:
  ret void
}

define internal void @every(i64 %address, i64 %size, i64 %told, i64 %site) nounwind noinline {
entry:
  %none = icmp eq i64 %size, 0
  br i1 %none, label %fine, label %walk
walk:
  %at = phi i64 [%address, %entry], [%next, %more]
  %left = phi i64 [%size, %entry], [%rest, %more]
  %offset = sub i64 %at, $BASE$
  %granule = lshr i64 %offset, $BITS$
  %inside = call i64 @llvm.umin.i64(i64 %granule, i64 $LAST$)
  %where = getelementptr i8, ptr inttoptr (i64 $SHADOW$ to ptr), i64 %inside
  %shade = load i8, ptr %where
  %allowed = zext i8 %shade to i64
  %start = and i64 %offset, $MASK$
  %room = sub i64 $GRANULE$, %start
  %here = call i64 @llvm.umin.i64(i64 %left, i64 %room)
  %end = add i64 %start, %here
  %within = icmp ule i64 %end, %allowed
  br i1 %within, label %more, label %slow, !prof !0
more:
  %next = add i64 %at, %here
  %rest = sub i64 %left, %here
  %over = icmp eq i64 %rest, 0
  br i1 %over, label %fine, label %walk
slow:
  call void inttoptr (i64 $FAULT$ to ptr)(i64 %address, i64 %told, i64 %site)
  br label %fine
fine:
  ret void
}

define internal void @copy(i64 %to, i64 %from, i64 %size, i64 %site) nounwind noinline {
  %told = call i64 @llvm.umin.i64(i64 %size, i64 $RESERVED$)
  %writes = sub i64 0, %told
  call void @every(i64 %from, i64 %size, i64 %told, i64 %site)
  call void @every(i64 %to, i64 %size, i64 %writes, i64 %site)
  %target = inttoptr i64 %to to ptr
  %source = inttoptr i64 %from to ptr
  call void @llvm.memmove.p0.p0.i64(ptr %target, ptr %source, i64 %size, i1 0)
  ret void
}

define internal void @fill(i64 %to, i64 %value, i64 %size, i64 %site) nounwind noinline {
  %told = call i64 @llvm.umin.i64(i64 %size, i64 $RESERVED$)
  %writes = sub i64 0, %told
  call void @every(i64 %to, i64 %size, i64 %writes, i64 %site)
  %target = inttoptr i64 %to to ptr
  %byte = trunc i64 %value to i8
  call void @llvm.memset.p0.i64(ptr %target, i8 %byte, i64 %size, i1 0)
  ret void
}
