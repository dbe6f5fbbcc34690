using System.Buffers;
using System.Buffers.Binary;
using Bench;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Codecs;
using Wire.Benchmarks.Messaging.Frames;
using Wire.Benchmarks.Messaging.Lane.Server;

namespace Wire.Benchmarks.Messaging.Lane.Consuming;

/// <summary>Frames by hand: large receives into one array, bodies where they lie, acknowledgements of several. One thread, and bodies that fit a frame.</summary>
/// <param name="objects">Whether the bodies are read as objects.</param>
internal sealed class HandConsumer(bool objects, int messages, IConsumeSource source, Load load) : ConsumeRow(
    $"by hand, {(objects ? "objects" : "byte[]")}, acknowledged by {Together}", messages, source, load)
{
    private const uint BasicDeliver = (60u << 16) | 60;
    private const uint BasicAck = (60u << 16) | 80;

    private readonly byte[] _received = new byte[256 * 1024];
    private readonly byte[] _ack = new byte[HandFrames.Head + 13 + 1];

    public override Task RunAsync()
    {
        using var connection = new HandConnection(Source.Uri);
        connection.Call(new BasicQos { PrefetchCount = Prefetch }, MethodId.BasicQosOk);
        connection.Call(new BasicConsume { Queue = Source.Queue }, MethodId.BasicConsumeOk);
        int length = connection.TakeRest(_received);
        while (true)
        {
            int consumed = Handle(connection, length);
            if (All.IsCompleted)
            {
                return All;
            }

            length -= consumed;
            _received.AsSpan(consumed, length).CopyTo(_received);
            length += connection.Receive(_received.AsSpan(length));
        }
    }

    private int Handle(HandConnection connection, int length)
    {
        ReadOnlySpan<byte> input = _received.AsSpan(0, length);
        ReadOnlySpan<byte> rest = input;

        // A message is read when all of its three frames are there.
        while (IsWhole(rest, out ReadOnlySpan<byte> behind) && IsWhole(behind, out behind) && IsWhole(behind, out _))
        {
            ReadOnlySpan<byte> method = HandFrames.Read(ref rest, HandFrames.Method, out _);
            HandFrames.Expect(BinaryPrimitives.ReadUInt32BigEndian(method) == BasicDeliver);
            ulong tag = BinaryPrimitives.ReadUInt64BigEndian(method[(sizeof(uint) + 1 + method[sizeof(uint)])..]);
            ReadOnlySpan<byte> header = HandFrames.Read(ref rest, HandFrames.Header, out _);
            int at = length - rest.Length + HandFrames.Head;
            ReadOnlySpan<byte> body = HandFrames.Read(ref rest, HandFrames.Body, out _);
            HandFrames.Expect(BinaryPrimitives.ReadInt64BigEndian(header[4..]) == body.Length);
            int received = objects
                ? Take(Parcels.Serializer.Read<Parcel>(default(BasicProperties), new ReadOnlySequence<byte>(_received, at, body.Length)))
                : Take(body.Length);
            if (received % Together == 0 || received == Messages)
            {
                Acknowledge(connection, tag);
            }
        }

        return length - rest.Length;
    }

    private static bool IsWhole(ReadOnlySpan<byte> input, out ReadOnlySpan<byte> behind)
    {
        behind = default;
        if (input.Length < HandFrames.Head)
        {
            return false;
        }

        int size = HandFrames.Head + BinaryPrimitives.ReadInt32BigEndian(input[3..]) + 1;
        if (input.Length < size)
        {
            return false;
        }

        behind = input[size..];
        return true;
    }

    private void Acknowledge(HandConnection connection, ulong tag)
    {
        BinaryPrimitives.WriteUInt32BigEndian(_ack.AsSpan(HandFrames.Head), BasicAck);
        BinaryPrimitives.WriteUInt64BigEndian(_ack.AsSpan(HandFrames.Head + 4), tag);
        _ack[HandFrames.Head + 12] = 1;
        connection.Send(_ack.AsSpan(0, HandFrames.Envelope(_ack, HandFrames.Method, 13)));
    }
}
