using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;
using Bench;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Frames;
using Wire.Benchmarks.Messaging.Lane.Server;
using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Lane.Pipes;

/// <summary>Receives deliveries that need no acknowledgement, and counts them as <see cref="FrameReader"/> finds them.</summary>
internal abstract class ParseRow(string name, int messages, SinkProcess sink, Load load) : MessageRow(name, messages)
{
    protected const int BufferSize = 256 * 1024;

    private int _received;

    protected bool IsComplete => _received == Messages;

    public override async Task RunAsync()
    {
        _received = 0;
        var connection = new HandConnection(sink.Uri);

        // The answer comes with the deliveries.
        connection.Post(new BasicConsume { Queue = Source.Named(load.Parcel.Content.Length, Messages), NoAck = true });
        await ReceiveAsync(connection);
        connection.Abort();
    }

    protected abstract Task ReceiveAsync(HandConnection connection);

    /// <summary>Takes the frames that are whole.</summary>
    /// <returns>How many bytes they are.</returns>
    protected long Take(in ReadOnlySequence<byte> input)
    {
        var frames = new FrameReader(in input, HandConnection.FrameMax);
        while (frames.TryRead(out Frame frame))
        {
            _received += frame.Type == FrameType.Body ? 1 : 0;
        }

        return frames.Consumed;
    }
}

/// <summary>A <see cref="PipeReader"/> over the socket's stream.</summary>
internal sealed class StreamPipeRow(int messages, SinkProcess sink, Load load) : ParseRow("System.IO.Pipelines: a PipeReader of the stream", messages, sink, load)
{
    protected override async Task ReceiveAsync(HandConnection connection)
    {
        using var stream = new NetworkStream(connection.Socket, ownsSocket: false);
        PipeReader reader = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: BufferSize));
        while (!IsComplete)
        {
            ReadResult read = await reader.ReadAsync();
            reader.AdvanceTo(read.Buffer.GetPosition(Take(read.Buffer)), read.Buffer.End);
        }

        await reader.CompleteAsync();
    }
}

/// <summary>A <see cref="Pipe"/> between a loop that receives and one that reads frames.</summary>
internal sealed class PipeRow(int messages, SinkProcess sink, Load load) : ParseRow("System.IO.Pipelines: a Pipe, filled by a loop of its own", messages, sink, load)
{
    protected override async Task ReceiveAsync(HandConnection connection)
    {
        var pipe = new Pipe(new PipeOptions(minimumSegmentSize: 64 * 1024, pauseWriterThreshold: 4 * BufferSize, resumeWriterThreshold: BufferSize, useSynchronizationContext: false));
        Task filling = FillAsync(connection.Socket, pipe.Writer);
        while (!IsComplete)
        {
            ReadResult read = await pipe.Reader.ReadAsync();
            pipe.Reader.AdvanceTo(read.Buffer.GetPosition(Take(read.Buffer)), read.Buffer.End);
        }

        await pipe.Reader.CompleteAsync();
        connection.Socket.Shutdown(SocketShutdown.Both);
        await filling;
    }

    private static async Task FillAsync(Socket socket, PipeWriter writer)
    {
        while (await socket.ReceiveAsync(writer.GetMemory(32 * 1024)) is > 0 and int count)
        {
            writer.Advance(count);
            if ((await writer.FlushAsync()).IsCompleted)
            {
                return;
            }
        }
    }
}

/// <summary>One array, which is received into, and what is left of a frame moved to its front.</summary>
internal sealed class ArrayRow(int messages, SinkProcess sink, Load load) : ParseRow("sockets: received into one array", messages, sink, load)
{
    private readonly byte[] _received = new byte[BufferSize];

    protected override async Task ReceiveAsync(HandConnection connection)
    {
        for (int length = 0; !IsComplete;)
        {
            length += await connection.Socket.ReceiveAsync(_received.AsMemory(length)) is > 0 and int count
                ? count
                : throw new InvalidOperationException("The source has closed the connection.");
            int consumed = (int)Take(new ReadOnlySequence<byte>(_received, 0, length));
            length -= consumed;
            _received.AsSpan(consumed, length).CopyTo(_received);
        }
    }
}
