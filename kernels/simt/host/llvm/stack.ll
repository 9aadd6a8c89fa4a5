; Memory on the program's stack of a size that is known only when the program runs: taken, and given back.
define internal i64 @room(i64 %bytes, i64 %site) nounwind noinline {
  %base = load i64, ptr @stack
  %wide = add i64 %bytes, $ROUND$
  %taken = and i64 %wide, $WHOLE$
  %top = add i64 %base, %taken
  %high = icmp ugt i64 %top, $STACK_END$
  %large = icmp ugt i64 %bytes, $STACK$
  %over = or i1 %high, %large
  br i1 %over, label %full, label %there, !prof !1
full:
  call void inttoptr (i64 $FAULT$ to ptr)(i64 %bytes, i64 0, i64 %site)
  ret i64 0
there:
  store i64 %top, ptr @stack
  %offset = sub i64 %base, $BASE$
  %first = lshr i64 %offset, $BITS$
  %shades = getelementptr i8, ptr inttoptr (i64 $SHADOW$ to ptr), i64 %first
  %whole = lshr i64 %bytes, $BITS$
  call void @llvm.memset.p0.i64(ptr %shades, i8 $GRANULE$, i64 %whole, i1 0)
  %last = getelementptr i8, ptr %shades, i64 %whole
  %rest = and i64 %bytes, $MASK$
  %part = trunc i64 %rest to i8
  store i8 %part, ptr %last
  ret i64 %base
}

define internal void @give_back(i64 %from) nounwind noinline {
  %top = load i64, ptr @stack
  %offset = sub i64 %from, $BASE$
  %first = lshr i64 %offset, $BITS$
  %shades = getelementptr i8, ptr inttoptr (i64 $SHADOW$ to ptr), i64 %first
  %bytes = sub i64 %top, %from
  %count = lshr i64 %bytes, $BITS$
  call void @llvm.memset.p0.i64(ptr %shades, i8 0, i64 %count, i1 0)
  store i64 %from, ptr @stack
  ret void
}
