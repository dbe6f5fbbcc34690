using Bench;

namespace Wire.Benchmarks.Floors;

/// <summary>A POCO inside of something, laid out as <see cref="PocoFloor"/> does.</summary>
internal static class PocoItem
{
    /// <summary>What each takes at least.</summary>
    public const int MinimumBytes = sizeof(ushort) + sizeof(int) + 16 + sizeof(long);

    public static void Write(Poco value, ref SpanWriter writer)
    {
        writer.Reserve(MinimumBytes + SpanWriter.Room(value.StringProp));
        writer.Text(value.StringProp!);
        writer.Int32(value.IntProp);
        writer.Guid(value.GuidProp);
        writer.Int64(value.DateProp.Ticks);
    }

    public static Poco Read(ref SpanReader reader) => new()
    {
        StringProp = reader.Text(),
        IntProp = reader.Int32(),
        GuidProp = reader.Guid(),
        DateProp = new DateTime(reader.Int64(), DateTimeKind.Utc),
    };
}
