using System.Buffers;
using System.IO.Pipelines;

namespace Wire.Framing;

/// <summary>The pipe or the stream that many frames are sent to, some of them at a time.</summary>
internal abstract class FrameTarget : IDisposable
{
    /// <summary>Gets the writer of the frames.</summary>
    public abstract IBufferWriter<byte> Output { get; }

    /// <summary>Gets whether what has been written and not sent stays with the caller, for a flush of its own.</summary>
    public abstract bool KeepsWritten { get; }

    /// <summary>Sends what has been written.</summary>
    public abstract ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken);

    public virtual void Dispose()
    {
    }

    public static FrameTarget For(PipeWriter writer) => new ToPipe(writer);

    public static FrameTarget For(Stream stream) => new ToStream(stream);

    private sealed class ToPipe(PipeWriter writer) : FrameTarget
    {
        public override IBufferWriter<byte> Output => writer;

        public override bool KeepsWritten => true;

        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken) => writer.FlushAsync(cancellationToken);
    }

    private sealed class ToStream(Stream stream) : FrameTarget
    {
        private readonly FrameBuffer _buffer = new();

        public override IBufferWriter<byte> Output => _buffer;

        public override bool KeepsWritten => false;

        public override async ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken)
        {
            await stream.WriteAsync(_buffer.Written, cancellationToken).ConfigureAwait(false);
            await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
            _buffer.Clear();
            return default;
        }

        public override void Dispose()
        {
            _buffer.Dispose();
            base.Dispose();
        }
    }
}
