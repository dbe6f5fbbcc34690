
namespace Wire.RabbitMQ.Streams;

/// <summary>How a <see cref="StreamOffset"/> says where to begin (the stream protocol's offset types).</summary>
public enum StreamOffsetKind : ushort
{
    /// <summary>Nowhere in particular: what applies by itself.</summary>
    None = 0,

    /// <summary>With the oldest message that the stream still has.</summary>
    First = 1,

    /// <summary>With the last chunk.</summary>
    Last = 2,

    /// <summary>With what is published from now on.</summary>
    Next = 3,

    /// <summary>With a message by its number.</summary>
    Offset = 4,

    /// <summary>With the chunk that was written at a time, or the first one after it.</summary>
    Timestamp = 5,
}
