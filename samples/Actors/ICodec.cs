using System.Buffers;
using System.IO.Pipelines;
using Wire;

namespace Actors;

/// <summary>Makes bytes of envelopes. Everything else is the same for all codecs: mailboxes, batches, sockets.</summary>
internal interface ICodec
{
    /// <summary>Begins with a new connection: one direction out, and one in.</summary>
    ICodecSession Open();
}

/// <summary>The codec of one connection.</summary>
internal interface ICodecSession : IDisposable
{
    /// <summary>Writes an envelope as a frame, and flushes nothing. When it fails, nothing has been written.</summary>
    /// <returns>The number of bytes of the frame.</returns>
    int Write(Envelope envelope, IBufferWriter<byte> output);

    /// <summary>Reads all envelopes, and goes on after one that cannot be read.</summary>
    IAsyncEnumerable<Envelope?> ReadAllAsync(
        PipeReader input, Func<DeadLetter, ValueTask> deadLetters, CancellationToken cancellationToken);
}
