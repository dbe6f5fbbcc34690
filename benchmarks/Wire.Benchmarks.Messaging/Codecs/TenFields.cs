using Wire.Amqp.V091;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>Ten headers of ten types, as a message may have them.</summary>
internal static class TenFields
{
    public const bool Urgent = true;
    public const byte Attempt = 3;
    public const short Shard = -2;
    public const int Customer = 123_456_789;
    public const long Sequence = 1_234_567_890_123;
    public const float Weight = 2.5f;
    public const double Total = 1999.95;
    public const string Region = "eu-central, second zone";
    public const long PlacedAt = 1_760_000_000;

    public static readonly byte[] Trace = [.. Enumerable.Range(1, 16).Select(i => (byte)i)];

    private static readonly Dictionary<string, object?> Objects = new()
    {
        ["urgent"] = Urgent,
        ["attempt"] = Attempt,
        ["shard"] = Shard,
        ["customer"] = Customer,
        ["sequence"] = Sequence,
        ["weight"] = Weight,
        ["total"] = Total,
        ["region"] = Region,
        ["trace"] = Trace,
        ["placed-at"] = new Timestamp(PlacedAt),
    };

    /// <summary>What <see cref="Sum(object)"/> of all fields is together.</summary>
    public static long Checksum { get; } = Objects.Values.Aggregate(0L, static (sum, value) => sum + Sum(value));

    /// <summary>The keys, in the order of the fields.</summary>
    public static string[] Keys { get; } = [.. Objects.Keys];

    /// <summary>The fields as objects.</summary>
    public static Dictionary<string, object?> ToDictionary() => new(Objects);

    /// <summary>
    /// Something of a value that takes all its bits, or of bytes their length and both ends: what is added up to see that all was read.
    /// </summary>
    public static long Sum(FieldValue value) => value.Type switch
    {
        FieldType.Boolean => value.AsBoolean() ? 1 : 0,
        FieldType.Double or FieldType.Single => BitConverter.DoubleToInt64Bits(value.AsDouble()),
        FieldType.String => Sum(value.AsString().Utf8.Span),
        FieldType.Bytes => Sum(value.AsBytes().Span),
        FieldType.Timestamp => value.AsTimestamp().Seconds,
        _ => value.AsInt64(),
    };

    /// <summary>The same of bytes.</summary>
    public static long Sum(ReadOnlySpan<byte> bytes) => bytes.Length + bytes[0] + bytes[^1];

    /// <summary>The same of an object.</summary>
    public static long Sum(object? value) => value switch
    {
        bool boolean => boolean ? 1 : 0,
        byte number => number,
        short number => number,
        int number => number,
        long number => number,
        float number => BitConverter.DoubleToInt64Bits(number),
        double number => BitConverter.DoubleToInt64Bits(number),
        string text => text.Length + text[0] + text[^1],
        byte[] bytes => Sum(bytes),
        Timestamp time => time.Seconds,
        _ => throw new InvalidOperationException($"No field is of the type {value?.GetType()}."),
    };
}
