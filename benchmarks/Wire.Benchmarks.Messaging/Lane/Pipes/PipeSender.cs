using System.IO.Pipelines;
using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Messaging.Frames;
using Wire.Benchmarks.Messaging.Lane.Publishing;

namespace Wire.Benchmarks.Messaging.Lane.Pipes;

/// <summary>Frames by hand into a <see cref="Pipe"/>, and a loop that sends what is in it. One task, one channel.</summary>
internal sealed class PipeSender() : Sender("System.IO.Pipelines: a pipe, and a loop that sends what is in it")
{
    private const int SendAbove = 256 * 1024;

    private readonly Pipe _pipe = new(new PipeOptions(minimumSegmentSize: 64 * 1024, pauseWriterThreshold: 4 * SendAbove, resumeWriterThreshold: SendAbove, useSynchronizationContext: false));
    private HandConnection? _connection;
    private Task _sending = Task.CompletedTask;

    public override Task OpenAsync(Uri uri, int channels)
    {
        _connection = new HandConnection(uri);
        _sending = Task.Run(SendAsync);
        return Task.CompletedTask;
    }

    public override async ValueTask SendAsync(Load load, int channel)
    {
        HandMessage.Write(_pipe.Writer, load.Body);
        ValueTask<FlushResult> flushed = _pipe.Writer.FlushAsync();
        if (!flushed.IsCompletedSuccessfully)
        {
            await flushed;
        }
    }

    public override async ValueTask DisposeAsync()
    {
        await _pipe.Writer.CompleteAsync();
        await _sending;
        _connection!.Dispose();
    }

    private async Task SendAsync()
    {
        while (true)
        {
            ReadResult read = await _pipe.Reader.ReadAsync();
            await _connection!.SendAsync(read.Buffer);
            _pipe.Reader.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
            {
                return;
            }
        }
    }
}
