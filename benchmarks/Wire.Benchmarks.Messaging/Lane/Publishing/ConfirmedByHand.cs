using System.Buffers.Binary;
using Wire.Benchmarks.Messaging.Codecs;
using Wire.Benchmarks.Messaging.Frames;

namespace Wire.Benchmarks.Messaging.Lane.Publishing;

/// <summary>Publishes by hand with confirms, of which as many may be missing as the window is wide: one thread that sends a part of the window, and receives what has been confirmed.</summary>
internal sealed class ConfirmedByHand(HandConnection connection, string queue)
{
    private const int Window = 2_000;
    private const int Ring = 1 << 17;
    private const int SendAbove = 64 * 1024;
    private const uint BasicAck = (60u << 16) | 80;

    private readonly byte[] _frames = new byte[4 * SendAbove];
    private readonly byte[] _received = new byte[64 * 1024];
    private int _kept;

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
        int length = _kept + connection.Receive(_received.AsSpan(_kept));
        ReadOnlySpan<byte> rest = _received.AsSpan(0, length);
        int confirmed = 0;
        while (rest.Length >= HandFrames.Head && rest.Length >= HandFrames.Head + BinaryPrimitives.ReadInt32BigEndian(rest[3..]) + 1)
        {
            ReadOnlySpan<byte> payload = HandFrames.Read(ref rest, HandFrames.Method, out _);
            HandFrames.Expect(BinaryPrimitives.ReadUInt32BigEndian(payload) == BasicAck);
            confirmed += Confirm(BinaryPrimitives.ReadUInt64BigEndian(payload[4..]), multiple: payload[12] != 0);
        }

        _kept = rest.Length;
        rest.CopyTo(_received);
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
