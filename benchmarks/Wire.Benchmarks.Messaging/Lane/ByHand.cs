using System.Buffers;
using System.Buffers.Binary;
using Wire.Amqp;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Codecs;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>A message by hand, with the properties that all messages of the direct lane's tables have.</summary>
internal static class HandMessage
{
    // Content type, delivery mode and type.
    private const ushort Flags = 0b1001_0000_0010_0000;

    /// <summary>Writes the frames of method and content header.</summary>
    /// <returns>How long they are.</returns>
    public static int WriteHead(Span<byte> frames, string routingKey, long bodySize)
    {
        int written = HandFrames.WriteMethod(frames, "", routingKey);
        Span<byte> header = frames[written..];
        BinaryPrimitives.WriteUInt16BigEndian(header[7..], HandFrames.Basic);
        BinaryPrimitives.WriteUInt16BigEndian(header[9..], 0);
        BinaryPrimitives.WriteInt64BigEndian(header[11..], bodySize);
        BinaryPrimitives.WriteUInt16BigEndian(header[19..], Flags);
        Span<byte> rest = header[21..];
        HandFrames.WriteText(ref rest, AmqpBody.ContentType);
        rest[0] = Parcels.DeliveryMode;
        rest = rest[1..];
        HandFrames.WriteText(ref rest, Parcels.TypeName);
        return written + HandFrames.Envelope(header, HandFrames.Header, header.Length - rest.Length - HandFrames.Head);
    }
}

/// <summary>
/// Frames by hand into one buffer that is used again and again, and sent when it is full: what someone writes who knows the message, and
/// needs no answers. One task, one channel.
/// </summary>
/// <param name="objects">
/// Whether each message is an object that <see cref="AmqpBody"/> serializes into its frames, and not bytes as they are.
/// </param>
internal sealed class HandSender(bool objects) : Sender(objects ? "by hand, objects" : "by hand, byte[]")
{
    private const int SendAbove = 256 * 1024;

    private static readonly BasicPublish Publish = new() { RoutingKey = RoutingKey };

    private static readonly BasicProperties Properties = new() { DeliveryMode = Parcels.DeliveryMode };

    private readonly AmqpBuffer _objects = new();
    private readonly byte[] _frames = new byte[2 * SendAbove];
    private int _written;
    private HandConnection? _connection;

    public override Task OpenAsync(Uri uri, int channels)
    {
        _connection = new HandConnection(uri);
        return Task.CompletedTask;
    }

    public override ValueTask SendAsync(Load load, int channel)
    {
        if (objects)
        {
            Parcels.Serializer.Write(_objects, PublishedMessage.Channel, in Publish, in Properties, load.Parcel, HandConnection.FrameMax);
            if (_objects.Length >= SendAbove)
            {
                _connection!.Send(_objects);
            }
        }
        else
        {
            Write(load.Body);
        }

        return ValueTask.CompletedTask;
    }

    public override ValueTask FlushAsync()
    {
        _connection!.Send(_objects);
        Flush();
        return ValueTask.CompletedTask;
    }

    public override ValueTask DisposeAsync()
    {
        _connection!.Dispose();
        _objects.Dispose();
        return ValueTask.CompletedTask;
    }

    private void Write(ReadOnlySpan<byte> body)
    {
        _written += HandMessage.WriteHead(_frames.AsSpan(_written), RoutingKey, body.Length);
        while (!body.IsEmpty)
        {
            int length = Math.Min(body.Length, HandConnection.FrameMax - HandFrames.Head - 1);
            _written += HandFrames.WriteBody(_frames.AsSpan(_written), body[..length]);
            body = body[length..];
            if (_written >= SendAbove)
            {
                Flush();
            }
        }
    }

    private void Flush()
    {
        _connection!.Send(_frames.AsSpan(0, _written));
        _written = 0;
    }
}

/// <summary>
/// Publishes by hand with confirms, of which as many may be missing as the window is wide: one thread that sends a part of the window, and
/// receives what has been confirmed.
/// </summary>
internal sealed class ConfirmedByHand(HandConnection connection, string queue)
{
    private const int Window = 2_000;
    private const int Ring = 1 << 17;
    private const int SendAbove = 64 * 1024;
    private const uint BasicAck = (60u << 16) | 80;

    private readonly byte[] _frames = new byte[4 * SendAbove];
    // All up to here are confirmed, and these beyond: of the window's width at most, and as many before it is noted that they are.
    private ulong _confirmed;
    private readonly bool[] _alone = new bool[Ring];

    /// <summary>Publishes so many messages, and returns when all of them have been confirmed.</summary>
    public void Publish(ReadOnlySpan<byte> body, int messages)
    {
        int inFlight = 0;
        for (int published = 0; published < messages || inFlight > 0;)
        {
            int written = 0;
            while (published < messages && inFlight < Window && written < SendAbove)
            {
                written += HandMessage.WriteHead(_frames.AsSpan(written), queue, body.Length);
                written += HandFrames.WriteBody(_frames.AsSpan(written), body);
                published++;
                inFlight++;
            }

            connection.Send(_frames.AsSpan(0, written));
            if (inFlight == Window || published == messages || connection.Socket.Available > 0)
            {
                inFlight -= ReceiveConfirmed();
            }
        }
    }

    private int ReceiveConfirmed()
    {
        connection.Receive();
        ReadOnlySpan<byte> rest = connection.Received.AsSpan(0, connection.Length);
        int confirmed = 0;
        while (HandFrames.IsWhole(rest, out _))
        {
            ReadOnlySpan<byte> payload = HandFrames.Read(ref rest, HandFrames.Method);
            HandFrames.Expect(BinaryPrimitives.ReadUInt32BigEndian(payload) == BasicAck);
            confirmed += Confirm(BinaryPrimitives.ReadUInt64BigEndian(payload[4..]), multiple: payload[12] != 0);
        }

        connection.Take(connection.Length - rest.Length);
        return confirmed;
    }

    private int Confirm(ulong tag, bool multiple)
    {
        if (!multiple)
        {
            _alone[tag % Ring] = true;
            return 1;
        }

        int confirmed = 0;
        while (_confirmed < tag)
        {
            ref bool alone = ref _alone[++_confirmed % Ring];
            confirmed += alone ? 0 : 1;
            alone = false;
        }

        return confirmed;
    }
}

/// <summary>
/// Frames by hand: large receives into one array, bodies where they lie, acknowledgements of several. One thread, and bodies that fit a
/// frame.
/// </summary>
/// <param name="objects">Whether the bodies are read as objects.</param>
internal sealed class HandConsumer(bool objects, int messages, IConsumeSource source, Load load) : ConsumeRow(
    $"by hand, {(objects ? "objects" : "byte[]")}, acknowledged by {Together}", messages, source, load)
{
    private const uint BasicDeliver = (60u << 16) | 60;
    private const uint BasicAck = (60u << 16) | 80;

    private readonly byte[] _ack = new byte[HandFrames.Head + 13 + 1];

    public override Task RunAsync()
    {
        using var connection = new HandConnection(Source.Uri);
        connection.Call(new BasicQos { PrefetchCount = Prefetch }, MethodId.BasicQosOk);
        connection.Call(new BasicConsume { Queue = Source.Queue }, MethodId.BasicConsumeOk);
        while (true)
        {
            connection.Take(Handle(connection, connection.Length));
            if (All.IsCompleted)
            {
                return All;
            }

            connection.Receive();
        }
    }

    private int Handle(HandConnection connection, int length)
    {
        ReadOnlySpan<byte> rest = connection.Received.AsSpan(0, length);

        // A message is read when all of its three frames are there.
        while (HandFrames.IsWhole(rest, out ReadOnlySpan<byte> behind)
            && HandFrames.IsWhole(behind, out behind)
            && HandFrames.IsWhole(behind, out _))
        {
            ReadOnlySpan<byte> method = HandFrames.Read(ref rest, HandFrames.Method);
            HandFrames.Expect(BinaryPrimitives.ReadUInt32BigEndian(method) == BasicDeliver);
            ulong tag = BinaryPrimitives.ReadUInt64BigEndian(method[(sizeof(uint) + 1 + method[sizeof(uint)])..]);
            ReadOnlySpan<byte> header = HandFrames.Read(ref rest, HandFrames.Header);
            int at = length - rest.Length + HandFrames.Head;
            ReadOnlySpan<byte> body = HandFrames.Read(ref rest, HandFrames.Body);
            HandFrames.Expect(BinaryPrimitives.ReadInt64BigEndian(header[4..]) == body.Length);
            int received = objects
                ? Take(Parcels.Serializer.Read<Parcel>(
                    default(BasicProperties), new ReadOnlySequence<byte>(connection.Received, at, body.Length)))
                : Take(body.Length);
            if (received % Together == 0 || received == Messages)
            {
                Acknowledge(connection, tag);
            }
        }

        return length - rest.Length;
    }

    private void Acknowledge(HandConnection connection, ulong tag)
    {
        BinaryPrimitives.WriteUInt32BigEndian(_ack.AsSpan(HandFrames.Head), BasicAck);
        BinaryPrimitives.WriteUInt64BigEndian(_ack.AsSpan(HandFrames.Head + 4), tag);
        _ack[HandFrames.Head + 12] = 1;
        connection.Send(_ack.AsSpan(0, HandFrames.Envelope(_ack, HandFrames.Method, 13)));
    }
}
