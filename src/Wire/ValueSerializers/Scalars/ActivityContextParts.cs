using System.Diagnostics;

namespace Wire.ValueSerializers.Scalars;

internal readonly record struct ActivityContextParts(
    ActivityTraceId TraceId, ActivitySpanId SpanId, ActivityTraceFlags TraceFlags, string? TraceState, bool IsRemote);
