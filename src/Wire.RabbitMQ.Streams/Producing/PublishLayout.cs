namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>The layout of a publish frame.</summary>
/// <remarks>
/// <code>
/// frame:   size uint32 | key uint16 | version uint16 | publisher uint8 | count int32 | entries
/// entry:   id uint64 | (version 2: filter string) | message
/// message: 0:1 length:31 | bytes
/// or:      the head of a batch | records, each: length uint32 | bytes
/// </code>
/// The size does not count itself.
/// </remarks>
internal static class PublishLayout
{
    public const int VersionAt = 6;
    public const int PublisherAt = 8;
    public const int CountAt = 9;

    /// <summary>The bytes before the entries.</summary>
    public const int FrameHead = 13;

    public const int IdBytes = sizeof(ulong);
    public const int LengthBytes = sizeof(uint);
}
