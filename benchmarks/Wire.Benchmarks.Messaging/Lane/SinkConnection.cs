using System.Buffers.Binary;
using System.Net.Sockets;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Codecs;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>
/// One connection of a <see cref="Sink"/>. Of what is published it reads the heads of the frames; large bodies are not even copied, where
/// the system can drop them.
/// </summary>
internal sealed class SinkConnection(Sink sink, Socket socket)
{
    private const int FrameMax = PublishedMessage.FrameMax;

    // What is left of a body when dropping it is worth a call of its own.
    private const int WorthDropping = 16 * 1024;

    private readonly byte[] _received = new byte[256 * 1024];
    private readonly AmqpBuffer _output = new();
    private readonly Dictionary<ushort, SinkChannel> _channels = [];

    // The body frame that is passed over: its channel, how much payload it has, and how much of it is still to come, its end included.
    private SinkChannel? _body;
    private int _bodySize;
    private int _bodyLeft;

    // How many messages have been completed since the sink was told.
    private int _complete;
    private bool _closed;

    /// <summary>Serves the client until it goes.</summary>
    public void Run()
    {
        try
        {
            Serve();
        }
        catch (SocketException)
        {
            // The client is gone, which is how some measurements end.
        }
        finally
        {
            socket.Dispose();
            _output.Dispose();
        }
    }

    private void Serve()
    {
        for (int got = 0; got < ProtocolHeader.Size;)
        {
            int count = socket.Receive(_received.AsSpan(got, ProtocolHeader.Size - got));
            got += count > 0 ? count : throw new SocketException((int)SocketError.ConnectionReset);
        }

        Write(0, new ConnectionStart { VersionMajor = 0, VersionMinor = 9, Mechanisms = "PLAIN EXTERNAL", Locales = "en_US" });
        Flush();
        for (int kept = 0; !_closed;)
        {
            bool drops = _bodyLeft >= WorthDropping && OperatingSystem.IsLinux();
            int count = drops
                ? socket.Receive(_received.AsSpan(0, Math.Min(_bodyLeft, _received.Length)), SocketFlags.Truncated)
                : socket.Receive(_received.AsSpan(kept));
            if (count == 0)
            {
                return;
            }

            if (drops)
            {
                PassOver(count);
                continue;
            }

            int length = kept + count;
            int consumed = Handle(_received.AsMemory(0, length));
            kept = length - consumed;
            _received.AsSpan(consumed, kept).CopyTo(_received);
            AfterReceive();
        }
    }

    private int Handle(ReadOnlyMemory<byte> received)
    {
        ReadOnlySpan<byte> bytes = received.Span;
        int at = 0;
        while (true)
        {
            if (_bodyLeft > 0)
            {
                at += PassOver(bytes.Length - at);
                if (_bodyLeft > 0)
                {
                    return at;
                }
            }

            ReadOnlySpan<byte> frame = bytes[at..];
            if (frame.Length < HandFrames.Head)
            {
                return at;
            }

            byte type = frame[0];
            ushort number = BinaryPrimitives.ReadUInt16BigEndian(frame[1..]);
            int size = BinaryPrimitives.ReadInt32BigEndian(frame[3..]);
            if (type == HandFrames.Body)
            {
                _body = _channels[number];
                _bodySize = size;
                _bodyLeft = size + 1;
                at += HandFrames.Head;
                continue;
            }

            int whole = HandFrames.Head + size + 1;
            if (frame.Length < whole)
            {
                return at;
            }

            if (type == HandFrames.Header)
            {
                Count(_channels[number].Begin(BinaryPrimitives.ReadInt64BigEndian(frame[(HandFrames.Head + 4)..])));
            }
            else if (type == HandFrames.Method && BinaryPrimitives.ReadUInt32BigEndian(frame[HandFrames.Head..]) != HandFrames.BasicPublish)
            {
                var frames = new FrameReader(received.Slice(at, whole), FrameMax);
                frames.TryRead(out Frame method);
                Answer(in method);
            }

            at += whole;
        }
    }

    private int PassOver(int available)
    {
        int passed = Math.Min(available, _bodyLeft);
        _bodyLeft -= passed;
        if (_bodyLeft == 0)
        {
            Count(_body!.TakeBody(_bodySize));
        }

        return passed;
    }

    private void Count(bool isComplete) => _complete += isComplete ? 1 : 0;

    // What can wait until all that was received has been read: confirms, deliveries and the count.
    private void AfterReceive()
    {
        foreach (SinkChannel channel in _channels.Values)
        {
            channel.Confirm(_output);
            while (channel.Deliver(_output))
            {
                Flush();
            }
        }

        Flush();
        sink.Take(_complete);
        _complete = 0;
    }

    private void Answer(in Frame frame)
    {
        ushort number = frame.Channel;
        switch (frame.MethodId)
        {
            case MethodId.ConnectionStartOk:
                Write(0, new ConnectionTune { ChannelMax = 2047, FrameMax = FrameMax });
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
            case MethodId.ChannelOpen:
                _channels.Add(number, new SinkChannel(number));
                Write(number, default(ChannelOpenOk));
                break;
            case MethodId.ChannelClose:
                _channels.Remove(number);
                Write(number, default(ChannelCloseOk));
                break;
            case MethodId.ConfirmSelect:
                _channels[number].Confirms = true;
                Write(number, default(ConfirmSelectOk));
                break;
            case MethodId.QueueDeclare:
                Write(number, new QueueDeclareOk { Queue = frame.ReadMethod<QueueDeclare>().Queue });
                break;
            case MethodId.BasicQos:
                _channels[number].Prefetch = frame.ReadMethod<BasicQos>().PrefetchCount;
                Write(number, default(BasicQosOk));
                break;
            case MethodId.BasicConsume:
                BasicConsume consume = frame.ReadMethod<BasicConsume>();
                string tag = consume.ConsumerTag.IsEmpty ? "sink" : consume.ConsumerTag.ToString();
                Write(number, new BasicConsumeOk { ConsumerTag = tag });
                _channels[number].Consume(consume.Queue.ToString(), tag);
                break;
            case MethodId.BasicCancel:
                Write(number, new BasicCancelOk { ConsumerTag = frame.ReadMethod<BasicCancel>().ConsumerTag });
                break;
            case MethodId.BasicAck:
                BasicAck ack = frame.ReadMethod<BasicAck>();
                _channels[number].Acknowledge(ack.DeliveryTag, ack.Multiple);
                break;
            default:
                Write(0, new ConnectionClose { ReplyCode = 540, ReplyText = $"NOT_IMPLEMENTED - {frame.MethodId}" });
                break;
        }
    }

    private void Write<TMethod>(ushort channel, in TMethod method)
        where TMethod : struct, IMethod<TMethod> => FrameWriter.Write(_output, channel, in method);

    private void Flush()
    {
        foreach (ReadOnlyMemory<byte> part in _output.Written)
        {
            for (int sent = 0; sent < part.Length;)
            {
                sent += socket.Send(part.Span[sent..]);
            }
        }

        _output.Clear();
    }
}

/// <summary>
/// A channel of a <see cref="SinkConnection"/>: what of a message is still to come, what is to be confirmed, and what is delivered.
/// </summary>
internal sealed class SinkChannel(ushort number)
{
    // How much is delivered between two looks at what has been acknowledged.
    private const int DeliverAtOnce = 256 * 1024;

    private long _missing;
    private ulong _taken;
    private ulong _confirmed;
    private Source? _source;
    private long _underWay;
    private ulong _lastAcknowledged;

    /// <summary>Whether the client wants to know what has been received.</summary>
    public bool Confirms { get; set; }

    /// <summary>How many messages may be under way; 0 for any number.</summary>
    public int Prefetch { get; set; }

    /// <summary>A content header has come.</summary>
    /// <returns>Whether the message is complete.</returns>
    public bool Begin(long bodySize) => IsComplete(_missing = bodySize);

    /// <summary>A body frame has come.</summary>
    /// <returns>Whether the message is complete.</returns>
    public bool TakeBody(int size) => IsComplete(_missing -= size);

    /// <summary>Confirms all that has come.</summary>
    public void Confirm(AmqpBuffer output)
    {
        if (Confirms && _taken > _confirmed)
        {
            _confirmed = _taken;
            FrameWriter.Write(output, number, new BasicAck { DeliveryTag = _taken, Multiple = true });
        }
    }

    /// <summary>Begins to deliver.</summary>
    public void Consume(string queue, string consumerTag)
    {
        _source = new Source(queue, number, consumerTag);
        _underWay = 0;
        _lastAcknowledged = 0;
    }

    /// <summary>Notes what the client has done with.</summary>
    public void Acknowledge(ulong deliveryTag, bool multiple)
    {
        // In the order of the deliveries; one client acknowledges each for itself, another many at once.
        _underWay -= multiple ? (long)(deliveryTag - _lastAcknowledged) : 1;
        _lastAcknowledged = multiple ? deliveryTag : _lastAcknowledged + 1;
    }

    /// <summary>Writes what may be delivered now.</summary>
    /// <returns>Whether there is more.</returns>
    public bool Deliver(AmqpBuffer output)
    {
        while (_source is { IsEmpty: false } source && (Prefetch == 0 || _underWay < Prefetch))
        {
            if (output.Length >= DeliverAtOnce)
            {
                return true;
            }

            source.Write(output);
            _underWay++;
        }

        return false;
    }

    private bool IsComplete(long missing)
    {
        _taken += missing == 0 ? 1u : 0u;
        return missing == 0;
    }
}
