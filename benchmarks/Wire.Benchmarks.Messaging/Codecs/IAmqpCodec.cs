using System.Buffers;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>
/// One way to write and read the data of an AMQP scenario. It has memory of its own, which it writes to and reads from, as what reads
/// may want memory, a sequence of segments or frames. Implemented by structs, so that each row gets loops of its own.
/// </summary>
internal interface IAmqpCodec<TRead>
{
    /// <summary>What was written last.</summary>
    ReadOnlySequence<byte> Written { get; }

    /// <summary>Writes the data, over what was written before.</summary>
    /// <returns>How many bytes.</returns>
    long Write();

    /// <summary>Reads what was written last, and goes through all of it.</summary>
    TRead Read();
}
