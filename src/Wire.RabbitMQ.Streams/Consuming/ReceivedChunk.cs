using System.Runtime.InteropServices;
using Wire.Transport.Segments;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>A received chunk that waits to be handled.</summary>
/// <param name="Chunk">The chunk.</param>
/// <param name="Position">The offset in the bytes of the connection, for messages.</param>
/// <param name="Segment">Its segment, to be released when it has been handled.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct ReceivedChunk(ReadOnlyMemory<byte> Chunk, long Position, ReceiveSegment Segment);

/// <summary>An update of a single active consumer: active, or no longer.</summary>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct ActiveUpdate(uint Correlation, bool IsActive);

/// <summary>The next piece of work for a subscription.</summary>
internal enum SubscriptionWork
{
    /// <summary>The subscription has ended, or was asked to stop.</summary>
    End,

    /// <summary>To answer an update.</summary>
    Update,

    /// <summary>To handle a chunk.</summary>
    Chunk,
}
