using System.Buffers;
using System.IO.Pipelines;
using Wire.Amqp.V091;

namespace Wire.Amqp.Testing;

/// <summary>One connection of a <see cref="AmqpServer"/>.</summary>
internal sealed class ServerConnection(AmqpServer server, Stream stream) : IDisposable
{
    private readonly PipeReader _input = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: 64 * 1024));
    private readonly ArrayBufferWriter<byte> _output = new(64 * 1024);
    private readonly SemaphoreSlim _turn = new(1);
    private readonly Dictionary<ushort, ServerChannel> _channels = [];
    private (ushort Channel, string Tag) _consumer;
    private ITimer? _expiry;
    private bool _closed;

    /// <summary>Serves the client until either of them closes the connection.</summary>
    public async Task RunAsync()
    {
        ReadResult first = await _input.ReadAtLeastAsync(ProtocolHeader.Size);
        if (!ProtocolHeader.TryRead(first.Buffer, out ProtocolHeader header) || header != ProtocolHeader.Version091)
        {
            throw new InvalidOperationException("The client does not begin with the header of AMQP 0-9-1.");
        }

        _input.AdvanceTo(first.Buffer.GetPosition(ProtocolHeader.Size));
        Write(0, new ConnectionStart { VersionMajor = 0, VersionMinor = 9, Mechanisms = "PLAIN", Locales = "en_US" });
        await FlushAsync();
        while (!_closed)
        {
            await server.MayReadAsync();
            ReadResult read = await _input.ReadAsync();
            await _turn.WaitAsync();
            try
            {
                _input.AdvanceTo(read.Buffer.GetPosition(Handle(read.Buffer)), read.Buffer.End);
                await FlushAsync();
            }
            finally
            {
                _turn.Release();
            }

            _closed |= read.IsCompleted;
        }
    }

    /// <summary>Sends anything, with the channel and the tag of the consumer at hand.</summary>
    public async Task SendToConsumerAsync(Action<IBufferWriter<byte>, ushort, string> write)
    {
        await _turn.WaitAsync();
        try
        {
            write(_output, _consumer.Channel, _consumer.Tag);
            await FlushAsync();
        }
        finally
        {
            _turn.Release();
        }
    }

    public void Dispose()
    {
        _expiry?.Dispose();
        _turn.Dispose();
        foreach (ServerChannel channel in _channels.Values)
        {
            channel.Dispose();
        }
    }

    private long Handle(ReadOnlySequence<byte> input)
    {
        // What is handed over consists of views, whose bytes must stay; what is discarded is read where it lies.
        var frames = new FrameReader(server.Discards ? input : new ReadOnlySequence<byte>(input.ToArray()), server.FrameMax);
        while (frames.TryRead(out Frame frame))
        {
            if (frame.Type is FrameType.Header or FrameType.Body || frame.MethodId == MethodId.BasicPublish)
            {
                Add(frame);
            }
            else if (frame.Type == FrameType.Method)
            {
                Answer(frame);
            }
        }

        foreach ((ushort number, ServerChannel channel) in _channels)
        {
            channel.ReleaseInput();
            if (channel.TakeConfirmed(out ulong tag))
            {
                Write(number, new BasicAck { DeliveryTag = tag, Multiple = true });
            }
        }

        return frames.Consumed;
    }

    private void Add(in Frame frame)
    {
        ServerChannel channel = _channels[frame.Channel];
        if (channel.Add(frame))
        {
            server.Take(server.Discards ? null : new ReceivedMessage(channel.TakeMessage()));
        }
    }

    private void Answer(in Frame frame)
    {
        ushort channel = frame.Channel;
        if (_channels.TryGetValue(channel, out ServerChannel? open))
        {
            if (open.IsInMessage)
            {
                throw new InvalidOperationException($"{frame.MethodId} came in the middle of a message on channel {channel}.");
            }

            if (frame.MethodId is not (MethodId.ChannelClose or MethodId.ConfirmSelect))
            {
                server.CountMethod();
            }
        }

        switch (frame.MethodId)
        {
            case MethodId.ConnectionStartOk:
                if (TakeSecret(frame.ReadMethod<ConnectionStartOk>().Response.ToString().Split('\0')[^1], refusal: 403))
                {
                    Write(0, new ConnectionTune { ChannelMax = 2047, FrameMax = (uint)server.FrameMax });
                }

                break;
            case MethodId.ConnectionUpdateSecret:
                if (TakeSecret(frame.ReadMethod<ConnectionUpdateSecret>().NewSecret.ToString(), refusal: 530))
                {
                    Write(0, default(ConnectionUpdateSecretOk));
                    server.Secrets?.Updated();
                }

                break;
            case MethodId.ConnectionTuneOk:
                break;
            case MethodId.ConnectionOpen:
                Write(0, default(ConnectionOpenOk));
                break;
            case MethodId.ConnectionClose:
                Write(0, default(ConnectionCloseOk));
                _closed = true;
                break;
            case MethodId.ConnectionCloseOk:
                _closed = true;
                break;
            case MethodId.ChannelOpen:
                _channels.Add(channel, new ServerChannel());
                Write(channel, default(ChannelOpenOk));
                break;
            case MethodId.ChannelClose:
                _channels.Remove(channel, out ServerChannel? closed);
                closed?.Dispose();
                Write(channel, default(ChannelCloseOk));
                break;
            case MethodId.ConfirmSelect:
                _channels[channel].Confirms = true;
                Reply(channel, default(ConfirmSelectOk), frame.ReadMethod<ConfirmSelect>().NoWait);
                break;
            case MethodId.ExchangeDeclare:
                Reply(channel, default(ExchangeDeclareOk), frame.ReadMethod<ExchangeDeclare>().NoWait);
                break;
            case MethodId.QueueDeclare:
                QueueDeclare declare = frame.ReadMethod<QueueDeclare>();
                Reply(channel, new QueueDeclareOk { Queue = declare.Queue }, declare.NoWait);
                break;
            case MethodId.QueueBind:
                Reply(channel, default(QueueBindOk), frame.ReadMethod<QueueBind>().NoWait);
                break;
            case MethodId.BasicQos:
                Write(channel, default(BasicQosOk));
                break;
            case MethodId.BasicConsume:
                BasicConsume consume = frame.ReadMethod<BasicConsume>();
                _consumer = (channel, consume.ConsumerTag.IsEmpty ? "generated" : consume.ConsumerTag.ToString());
                Reply(channel, new BasicConsumeOk { ConsumerTag = _consumer.Tag }, consume.NoWait);
                server.TakeConsumer(this);
                break;
            case MethodId.BasicCancel:
                BasicCancel cancel = frame.ReadMethod<BasicCancel>();
                Reply(channel, new BasicCancelOk { ConsumerTag = cancel.ConsumerTag }, cancel.NoWait);
                break;
            case MethodId.BasicAck:
                break;
            default:
                Write(0, new ConnectionClose { ReplyCode = 540, ReplyText = $"NOT_IMPLEMENTED - {frame.MethodId}" });
                break;
        }
    }

    private bool TakeSecret(string secret, ushort refusal)
    {
        if (server.Secrets is not { } secrets)
        {
            return true;
        }

        _expiry?.Dispose();
        if (secrets.TimeLeft(secret) is not { } left)
        {
            Write(0, new ConnectionClose
            {
                ReplyCode = refusal,
                ReplyText = "The secret was refused",
                ClassId = 10,
                MethodId = refusal == 530 ? (ushort)70 : (ushort)11,
            });
            return false;
        }

        _expiry = secrets.Time.CreateTimer(_ => _ = ExpireAsync(), null, left, Timeout.InfiniteTimeSpan);
        return true;
    }

    private async Task ExpireAsync()
    {
        await _turn.WaitAsync();
        try
        {
            Write(0, new ConnectionClose { ReplyCode = 320, ReplyText = "CONNECTION_FORCED - the secret has expired" });
            await FlushAsync();
        }
        finally
        {
            _turn.Release();
        }
    }

    private void Reply<TMethod>(ushort channel, in TMethod method, bool noWait)
        where TMethod : struct, IMethod<TMethod>
    {
        if (!noWait)
        {
            Write(channel, in method);
        }
    }

    private void Write<TMethod>(ushort channel, in TMethod method)
        where TMethod : struct, IMethod<TMethod> => FrameWriter.Write(_output, channel, in method);

    private async Task FlushAsync()
    {
        if (_output.WrittenCount != 0)
        {
            await stream.WriteAsync(_output.WrittenMemory);
            _output.ResetWrittenCount();
        }
    }
}
