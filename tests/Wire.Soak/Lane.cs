using System.Buffers;

namespace Wire.Soak;

/// <summary>
/// What one thread does in a round: messages in every form, each read back and compared by its bytes, a fault in every
/// <see cref="FaultEvery"/>, and one pair of sessions that lives as long as the round.
/// </summary>
internal sealed class Lane(Serializer serializer, int seed)
{
    public const int FaultEvery = 50;

    private readonly Random _random = new(seed);
    private readonly SerializerSession _writing = serializer.GetSerializerSession();
    private readonly DeserializerSession _reading = serializer.GetDeserializerSession();
    private readonly ArrayBufferWriter<byte> _buffer = new();

    public long Faulted { get; private set; }

    public void Run(long messages)
    {
        var faults = new Faults(serializer, _random);
        for (long i = 0; i < messages; i++)
        {
            object message = Messages.Next(_random, i);
            if (i % FaultEvery == 0)
            {
                faults.Inject(message);
                Faulted++;
            }

            byte[] expected = serializer.Serialize(message);
            byte[] actual = serializer.Serialize(Copy(message, expected, (int)(i % 7)));
            Faults.Check(expected.AsSpan().SequenceEqual(actual), $"Message {i} of seed {seed} came back as another {message.GetType()}.");
        }

        _writing.Dispose();
        _reading.Dispose();
    }

    private object? Copy(object message, byte[] payload, int form)
    {
        switch (form)
        {
            case 0:
                return serializer.Deserialize<object>(payload);
            case 1:
                return serializer.Deserialize<object>(new MemoryStream(payload));
            case 2:
                int cut = _random.Next(payload.Length);
                return serializer.Deserialize<object>(Segment.Sequence(payload.AsMemory(0, cut), payload.AsMemory(cut)));
            case 3:
                _buffer.ResetWrittenCount();
                serializer.Serialize(message, _buffer);
                return serializer.Deserialize<object>(_buffer.WrittenSpan);
            case 4:
                return serializer.Clone(message);
            case 5:
                using (var stream = new MemoryStream())
                {
                    serializer.SerializeFramedAsync(message, stream).AsTask().GetAwaiter().GetResult();
                    stream.Position = 0;
                    return serializer.DeserializeFramedAsync<object>(stream).AsTask().GetAwaiter().GetResult();
                }

            default:
                return ThroughSessions(message);
        }
    }

    // A message that the reader does not get in full, now and then: the sessions go on as if it had never been.
    private object? ThroughSessions(object message)
    {
        byte[] payload = serializer.Serialize(message, _writing);
        if (_random.Next(FaultEvery) == 0)
        {
            try
            {
                serializer.Deserialize<object>(payload.AsSpan(0, _random.Next(payload.Length)), _reading);
                throw new InvalidOperationException("Half a message was read.");
            }
            catch (WireFormatException)
            {
                Faulted++;
            }
        }

        return serializer.Deserialize<object>(payload, _reading);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        private Segment(ReadOnlyMemory<byte> memory, long index)
        {
            Memory = memory;
            RunningIndex = index;
        }

        public static ReadOnlySequence<byte> Sequence(ReadOnlyMemory<byte> first, ReadOnlyMemory<byte> last)
        {
            var start = new Segment(first, 0);
            var end = new Segment(last, first.Length);
            start.Next = end;
            return new ReadOnlySequence<byte>(start, 0, end, last.Length);
        }
    }
}
