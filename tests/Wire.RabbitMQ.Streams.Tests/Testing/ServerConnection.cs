using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using System.Threading.Channels;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport.Sockets;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>A connection to a <see cref="StrictStreamServer"/>: reads commands, and sends what there is to send.</summary>
[SuppressMessage("Design", "CA1001", Justification = "Cut ends what it has.")]
internal sealed partial class ServerConnection(StrictStreamServer server, Socket socket)
{
    private readonly NetworkStream _stream = new(socket, ownsSocket: true);
    private readonly Channel<byte[]> _output = Channel.CreateUnbounded<byte[]>();
    private readonly CancellationTokenSource _over = new();
    private uint _frameMax = server.FrameMax;

    /// <summary>What the client says about itself.</summary>
    public IReadOnlyDictionary<string, string> ClientProperties { get; private set; } = new Dictionary<string, string>();

    /// <summary>What was agreed on; null as long as it was not.</summary>
    public Tune? Agreed { get; private set; }

    /// <summary>Ends it without a word.</summary>
    public void Cut()
    {
        _output.Writer.TryComplete();
        _stream.Dispose();
        _over.Cancel();
    }

    /// <summary>Waits, and says whether the connection has ended meanwhile.</summary>
    public async Task<bool> EndsWithin(TimeSpan time)
    {
        await Task.Delay(time, _over.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return _over.IsCancellationRequested;
    }

    /// <summary>Sends bytes as they are.</summary>
    public void Send(params byte[] bytes)
    {
        if (!server.IsSilent)
        {
            _output.Writer.TryWrite(bytes);
        }
    }

    /// <summary>Sends a command.</summary>
    public void Send<TCommand>(TCommand command)
        where TCommand : struct, ICommand<TCommand> => Send(Written(output => StreamFrames.Write(output, command)));

    /// <summary>Closes it as a broker does, with a reason.</summary>
    public void Close(StreamResponseCode code, string reason) =>
        Send(Written(output => StreamFrames.WriteRequest(output, 1, new Close { Code = (ushort)code, Reason = reason })));

    /// <summary>Serves until the client or a test ends it.</summary>
    public async Task RunAsync()
    {
        Task sending = SendAllAsync();
        try
        {
            byte[] size = new byte[StreamFrames.SizeBytes];
            while (await _stream.ReadAtLeastAsync(size, size.Length, throwOnEndOfStream: false) == size.Length)
            {
                uint length = BinaryPrimitives.ReadUInt32BigEndian(size);
                Assert.InRange(length, (uint)StreamFrames.HeadBytes, _frameMax - StreamFrames.SizeBytes);
                byte[] frame = new byte[length];
                await _stream.ReadExactlyAsync(frame);
                if (!await TakeAsync(frame))
                {
                    break;
                }

                server.Look();
            }
        }
        finally
        {
            _output.Writer.TryComplete();
            await sending;
        }
    }

    // Where it is told to wait, nothing more is read meanwhile.
    private async Task<bool> TakeAsync(byte[] frame)
    {
        ushort head = BinaryPrimitives.ReadUInt16BigEndian(frame);
        var key = (CommandKey)(head & ~StreamFrames.ResponseBit);
        Assert.True(Enum.IsDefined(key), $"There is no command {head:x4}.");
        Reaction? reaction = server.Note(key);
        if (reaction == Reaction.Cut)
        {
            return false;
        }

        if (reaction?.Code is { } code)
        {
            Answer(key, BinaryPrimitives.ReadUInt32BigEndian(frame.AsSpan(StreamFrames.HeadBytes)), code, default(Nothing));
        }
        else if (reaction?.Bytes is { } bytes)
        {
            Send(bytes);
        }
        else if (reaction != Reaction.Silence)
        {
            server.Look();
            await (reaction?.Time ?? Task.CompletedTask).WaitAsync(StrictStreamServer.Patience);
            return Handle(key, isResponse: (head & StreamFrames.ResponseBit) != 0, frame);
        }

        return true;
    }

    private async Task SendAllAsync()
    {
        try
        {
            await foreach (byte[] bytes in _output.Reader.ReadAllAsync())
            {
                await _stream.WriteAsync(bytes);
            }

            socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception e) when (LinkSocket.IsLoss(e))
        {
            // The client has gone, or the test has ended the connection: whoever reads finds out too. What could not be sent goes.
            _output.Writer.TryComplete();
            while (_output.Reader.TryRead(out _))
            {
            }
        }
    }

    private void Answer<TResponse>(CommandKey key, uint correlation, StreamResponseCode code, TResponse response)
        where TResponse : struct, IFieldGroup<TResponse>
    {
        // A refusal has no fields.
        byte[] frame = code == StreamResponseCode.Ok
            ? Written(output => StreamFrames.WriteResponse(output, key, correlation, code, response))
            : Written(output => StreamFrames.WriteResponse(output, key, correlation, code, default(Nothing)));
        if ((key is CommandKey.Route or CommandKey.Partitions) && !server.IsAtLeast(3, 13))
        {
            // As these brokers do.
            frame[StreamFrames.SizeBytes] = 0;
        }

        Send(frame);
    }

    private static byte[] Written(Action<AmqpBuffer> write)
    {
        using var output = new AmqpBuffer();
        write(output);
        return output.Written.ToArray();
    }

    // Takes fields, all of them and nothing else.
    private static TGroup Read<TGroup>(ReadOnlySpan<byte> fields)
        where TGroup : struct, IFieldGroup<TGroup>
    {
        var reader = new ReadFields(fields, 0);
        TGroup group = default;
        TGroup.Fields(ref group, ref reader);
        reader.CheckAtEnd();
        return group;
    }
}
