using System.Buffers;
using System.Collections.Concurrent;
using System.IO.Pipelines;
using System.Threading.Channels;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Transport;
using Wire.Transport.Sockets;

namespace Wire.Amqp.Tests.Transport;

/// <summary>
/// A broker for one connection that hands what is published to the test, and fails the test when any frame of a channel comes between those of one
/// message. It reads when the test lets it.
/// </summary>
internal sealed class StrictBroker : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Loopback _loopback;
    private readonly int _frameMax;
    private readonly ArrayBufferWriter<byte> _output = new();
    private readonly Channel<(ushort Channel, byte[] Body)> _published = Channel.CreateUnbounded<(ushort, byte[])>();
    private readonly ConcurrentDictionary<ushort, Receiving> _channels = new();
    private readonly SemaphoreSlim _reads = new(1);
    private readonly TaskCompletionSource _cut = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _methods;

    public StrictBroker(int frameMax = 131_072)
    {
        _frameMax = frameMax;
        _loopback = new Loopback(ServeAsync);
    }

    /// <summary>How many methods came that are no messages, since the channels were opened.</summary>
    public int Methods => Volatile.Read(ref _methods);

    /// <summary>Connects to it.</summary>
    public Task<AmqpConnection> ConnectAsync(Func<AmqpConnectionOptions, AmqpConnectionOptions>? with = null) =>
        AmqpConnection.ConnectAsync((with ?? (options => options))(new AmqpConnectionOptions { Endpoints = [_loopback.Endpoint], RequestedFrameMax = _frameMax, Recovery = RecoveryOptions.Off }));

    /// <summary>The next message, in the order in which they ended.</summary>
    public async Task<(ushort Channel, byte[] Body)> NextAsync() => await _published.Reader.ReadAsync().AsTask().WaitAsync(Patience);

    /// <summary>Whether no message has come that has not been taken.</summary>
    public bool IsEmpty => !_published.Reader.TryPeek(out _);

    /// <summary>Reads no more, from what comes next on.</summary>
    public Task StopReadingAsync() => _reads.WaitAsync(Patience);

    /// <summary>Reads again.</summary>
    public void GoOn() => _reads.Release();

    /// <summary>Ends the connection without a word.</summary>
    public void Cut() => _cut.TrySetResult();

    public async ValueTask DisposeAsync()
    {
        _cut.TrySetResult();
        await _loopback.DisposeAsync();
        _reads.Dispose();
    }

    private async Task ServeAsync(Stream stream)
    {
        try
        {
            Task serving = ReadAsync(stream);
            await Task.WhenAny(serving, _cut.Task);
            stream.Close();
            if (serving.IsCompleted)
            {
                await serving;
            }
        }
        catch (Exception e)
        {
            _published.Writer.TryComplete(e);
            throw;
        }
    }

    private async Task ReadAsync(Stream stream)
    {
        await stream.ReadExactlyAsync(new byte[ProtocolHeader.Size]);
        Write(0, new ConnectionStart { VersionMinor = 9, Mechanisms = "PLAIN", Locales = "en_US" });
        PipeReader input = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: 1 << 16));
        while (true)
        {
            ReadResult read;
            try
            {
                await stream.WriteAsync(_output.WrittenMemory);
                _output.ResetWrittenCount();
                await _reads.WaitAsync();
                _reads.Release();
                read = await input.ReadAsync();
            }
            catch (Exception e) when (LinkSocket.IsLoss(e))
            {
                return;
            }

            if (read.IsCompleted)
            {
                return;
            }

            long consumed = Handle(read.Buffer);
            input.AdvanceTo(read.Buffer.GetPosition(consumed), read.Buffer.End);
        }
    }

    private long Handle(ReadOnlySequence<byte> input)
    {
        var frames = new FrameReader(input, _frameMax);
        while (frames.TryRead(out Frame frame))
        {
            if (frame.Type == FrameType.Heartbeat)
            {
                continue;
            }

            if (frame.Type != FrameType.Method || frame.MethodId == MethodId.BasicPublish)
            {
                Add(in frame);
                continue;
            }

            Assert.False(_channels.TryGetValue(frame.Channel, out Receiving? channel) && channel.IsInMessage, $"{frame.MethodId} came in the middle of a message on channel {frame.Channel}.");
            Answer(in frame);
        }

        return frames.Consumed;
    }

    private void Add(in Frame frame)
    {
        Receiving channel = _channels[frame.Channel];
        switch (frame.Type)
        {
            case FrameType.Method:
                Assert.False(channel.IsInMessage, $"A message begins in the middle of another on channel {frame.Channel}.");
                channel.IsInMessage = true;
                return;
            case FrameType.Header:
                Assert.True(channel.IsInMessage && channel.Size < 0);
                channel.Size = (long)frame.ReadContentHeader().BodySize;
                channel.Body.Clear();
                break;
            default:
                Assert.True(channel.Size >= 0);
                foreach (ReadOnlyMemory<byte> part in frame.Payload)
                {
                    channel.Body.Write(part.Span);
                }

                break;
        }

        Assert.True(channel.Body.WrittenCount <= channel.Size, "More came than the header said.");
        if (channel.Body.WrittenCount == channel.Size)
        {
            _published.Writer.TryWrite((frame.Channel, channel.Body.WrittenSpan.ToArray()));
            (channel.IsInMessage, channel.Size) = (false, -1);
            channel.Count++;
            if (channel.Confirms)
            {
                Write(frame.Channel, new BasicAck { DeliveryTag = channel.Count });
            }
        }
    }

    private void Answer(in Frame frame)
    {
        ushort channel = frame.Channel;
        switch (frame.MethodId)
        {
            case MethodId.ConnectionStartOk:
                Write(0, new ConnectionTune { ChannelMax = 2047, FrameMax = (uint)_frameMax });
                break;
            case MethodId.ConnectionTuneOk:
                break;
            case MethodId.ConnectionOpen:
                Write(0, default(ConnectionOpenOk));
                break;
            case MethodId.ConnectionClose:
                Write(0, default(ConnectionCloseOk));
                break;
            case MethodId.ChannelOpen:
                _channels[channel] = new Receiving();
                Write(channel, default(ChannelOpenOk));
                break;
            case MethodId.ChannelClose:
                Write(channel, default(ChannelCloseOk));
                break;
            case MethodId.ConfirmSelect:
                _channels[channel].Confirms = true;
                Write(channel, default(ConfirmSelectOk));
                break;
            case MethodId.BasicQos:
                Interlocked.Increment(ref _methods);
                Write(channel, default(BasicQosOk));
                break;
            default:
                Interlocked.Increment(ref _methods);
                break;
        }
    }

    private void Write<TMethod>(ushort channel, in TMethod method)
        where TMethod : struct, IMethod<TMethod> => FrameWriter.Write(_output, channel, in method);

    private sealed class Receiving
    {
        public bool IsInMessage { get; set; }

        public long Size { get; set; } = -1;

        public ArrayBufferWriter<byte> Body { get; } = new();

        public bool Confirms { get; set; }

        public ulong Count { get; set; }
    }
}
