using System.Buffers;
using System.Buffers.Binary;
using System.Reflection;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Testing.Fuzzing;
using Wire.Transport.Segments;

namespace Wire.RabbitMQ.Streams.Tests.Hostile;

/// <summary>
/// Receives frames of the stream protocol, reads their fields, and writes them again. Each segment of the input is what one receive gives.
/// </summary>
internal static class RewriteFrames
{
    private const int MaxFrame = 1 << 20;

    // So many frames are kept while others are received, as chunks are that wait for their handler.
    private const int MostKept = 3;

    private delegate void Rewrite(ReadOnlySpan<byte> fields, long offset, IBufferWriter<byte> output);

    private static readonly Type[] Commands =
        [.. typeof(CommandKey).Assembly.GetTypes().Where(type => type.IsValueType && Implements(type, typeof(ICommand<>)))];
    private static readonly Dictionary<CommandKey, Rewrite> Requests = Commands.ToDictionary(KeyOf, OfGroup);
    private static readonly Dictionary<CommandKey, Rewrite> Responses = Commands
        .Where(type => Implements(type, typeof(IRequest<,>)))
        .ToDictionary(KeyOf, type => OfGroup(type.GetInterfaces().Single(each => Is(each, typeof(IRequest<,>))).GetGenericArguments()[1]));

    /// <summary>Every command and every response with nothing in it, and some with all, one by one and together.</summary>
    public static IEnumerable<Seed> Seeds()
    {
        List<Seed> seeds =
        [
            .. Requests.Keys.Select(key => new Seed($"{key}", Frame(key, isResponse: false, Correlation(key)))),
            .. Responses.Keys.Select(key => new Seed(
                $"response to {key}", Frame(key, isResponse: true, [0, 0, 0, 9, .. StreamFrames.HasCode(key) ? (byte[])[0, 1] : []]))),
            new Seed("confirms", Frame(CommandKey.PublishConfirm, isResponse: false, [3, 0, 0, 0, 2, .. new byte[16]])),
            new Seed("errors", Frame(CommandKey.PublishError, isResponse: false, [3, 0, 0, 0, 2, .. new byte[20]])),
            new Seed("chunk", Frame(CommandKey.Deliver, isResponse: false, [3, .. new byte[300]])),
        ];
        return [.. seeds, new Seed("all", [.. seeds.SelectMany(seed => seed.Bytes)])];
    }

    public static byte[] Frames(ReadOnlySequence<byte> input)
    {
        var output = new ArrayBufferWriter<byte>();
        using var received = new FrameBuffer(MaxFrame);
        var kept = new Queue<Kept>();
        foreach (ReadOnlyMemory<byte> segment in input)
        {
            for (ReadOnlyMemory<byte> rest = segment; !rest.IsEmpty;)
            {
                Memory<byte> free = received.GetMemory();
                Promise(!free.IsEmpty, "There is no room to receive into.");
                int count = Math.Min(free.Length, rest.Length);
                rest[..count].CopyTo(free);
                received.Advance(count);
                rest = rest[count..];
                while (received.TryRead(out ReadOnlyMemory<byte> frame))
                {
                    kept.Enqueue(new Kept(frame, frame.ToArray(), received.Lease()));
                    if (kept.Count > MostKept)
                    {
                        kept.Dequeue().Release();
                    }

                    Add(frame.Span, received.Offset - frame.Length, output);
                }
            }
        }

        while (kept.TryDequeue(out Kept each))
        {
            each.Release();
        }

        return output.WrittenSpan.ToArray();
    }

    // As the link takes them apart.
    private static void Add(ReadOnlySpan<byte> frame, long offset, ArrayBufferWriter<byte> output)
    {
        ushort head = BinaryPrimitives.ReadUInt16BigEndian(frame);
        var key = (CommandKey)(head & ~StreamFrames.ResponseBit);
        bool isResponse = (head & StreamFrames.ResponseBit) != 0;
        int fields = StreamFrames.HeadBytes +
            (isResponse ? sizeof(uint) + (StreamFrames.HasCode(key) ? sizeof(ushort) : 0) : Correlation(key).Length);
        var rewritten = new ArrayBufferWriter<byte>();
        switch (key)
        {
            case CommandKey.PublishConfirm or CommandKey.PublishError when !isResponse:
                ReadOnlySpan<byte> elements =
                    StreamLink.Elements(frame, offset, key == CommandKey.PublishConfirm ? sizeof(ulong) : sizeof(ulong) + sizeof(ushort));
                fields = StreamFrames.HeadBytes + 1 + sizeof(int);
                rewritten.Write(elements);
                break;
            case var _ when frame.Length < fields || !(isResponse ? Responses : Requests).TryGetValue(key, out Rewrite? rewrite):
                rewritten.Write(frame[(fields = Math.Min(fields, frame.Length))..]);
                break;
            default:
                (isResponse ? Responses : Requests)[key](frame[fields..], offset + fields, rewritten);
                break;
        }

        BinaryPrimitives.WriteInt32BigEndian(output.GetSpan(sizeof(int)), fields + rewritten.WrittenCount);
        output.Advance(sizeof(int));
        output.Write(frame[..fields]);
        output.Write(rewritten.WrittenSpan);
    }

    private static byte[] Correlation(CommandKey key) => Responses.ContainsKey(key) || key == CommandKey.ConsumerUpdate ? [0, 0, 0, 9] : [];

    private static byte[] Frame(CommandKey key, bool isResponse, byte[] beforeFields)
    {
        var output = new ArrayBufferWriter<byte>();
        var fields = new WriteFields(output);
        ushort head = (ushort)((ushort)key | (isResponse ? StreamFrames.ResponseBit : 0));
        ushort version = 1;
        fields.Number(ref head);
        fields.Number(ref version);
        output.Write(beforeFields);

        // Zeros are numbers, empty texts and empty lists.
        output.Write(new byte[40]);
        byte[] size = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(size, output.WrittenCount);
        return [.. size, .. output.WrittenSpan];
    }

    private static bool Implements(Type type, Type generic) => type.GetInterfaces().Any(each => Is(each, generic));

    private static bool Is(Type type, Type generic) => type.IsGenericType && type.GetGenericTypeDefinition() == generic;

    private static CommandKey KeyOf(Type type) =>
        (CommandKey)type.GetProperty(nameof(Heartbeat.Key), BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!;

    private static Rewrite OfGroup(Type type) =>
        typeof(RewriteFrames).GetMethod(nameof(Group), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(type)
            .CreateDelegate<Rewrite>();

    private static void Group<TGroup>(ReadOnlySpan<byte> fields, long offset, IBufferWriter<byte> output)
        where TGroup : struct, IFieldGroup<TGroup>
    {
        TGroup group = StreamFrames.Read<TGroup>(fields, offset);
        var writer = new WriteFields(output);
        TGroup.Fields(ref group, ref writer);
    }

    private static void Promise(bool holds, string message)
    {
        if (!holds)
        {
            throw new BrokenPromiseException("frames", message);
        }
    }

    // A frame that somebody reads while others come.
    private readonly record struct Kept(ReadOnlyMemory<byte> Frame, byte[] AsItCame, ReceiveSegment Segment)
    {
        public void Release()
        {
            Promise(Frame.Span.SequenceEqual(AsItCame), "A frame has changed while it was kept.");
            Segment.Release();
        }
    }
}
