using System.Diagnostics;

namespace Wire.ValueSerializers.Scalars;

/// <summary>An ActivityTraceId: its 16 bytes; none for the default one, which is not equal to one of zeros.</summary>
internal sealed class ActivityTraceIdConversion : IConversion<ActivityTraceId, ReadOnlyMemory<byte>>
{
    private const int Size = 16;

    public static ReadOnlyMemory<byte> To(ActivityTraceId value)
    {
        if (value == default)
        {
            return default;
        }

        byte[] bytes = new byte[Size];
        value.CopyTo(bytes);
        return bytes;
    }

    public static ActivityTraceId From(ReadOnlyMemory<byte> written) =>
        written.IsEmpty ? default : ActivityTraceId.CreateFromBytes(written.Span);
}

/// <summary>An ActivitySpanId: its 8 bytes; none for the default one.</summary>
internal sealed class ActivitySpanIdConversion : IConversion<ActivitySpanId, ReadOnlyMemory<byte>>
{
    private const int Size = 8;

    public static ReadOnlyMemory<byte> To(ActivitySpanId value)
    {
        if (value == default)
        {
            return default;
        }

        byte[] bytes = new byte[Size];
        value.CopyTo(bytes);
        return bytes;
    }

    public static ActivitySpanId From(ReadOnlyMemory<byte> written) =>
        written.IsEmpty ? default : ActivitySpanId.CreateFromBytes(written.Span);
}

internal sealed class ActivityContextConversion : IConversion<ActivityContext, ActivityContextConversion.Parts>
{
    public static Parts To(ActivityContext value) => new(value.TraceId, value.SpanId, value.TraceFlags, value.TraceState, value.IsRemote);

    public static ActivityContext From(Parts written) =>
        new(written.TraceId, written.SpanId, written.TraceFlags, written.TraceState, written.IsRemote);

    internal readonly record struct Parts(
        ActivityTraceId TraceId, ActivitySpanId SpanId, ActivityTraceFlags TraceFlags, string? TraceState, bool IsRemote);
}
