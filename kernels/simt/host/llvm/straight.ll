; A block whose threads never wait.
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
