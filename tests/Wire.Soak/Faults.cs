using System.Buffers;

namespace Wire.Soak;

/// <summary>What goes wrong in a program's life: bad bytes, its own code that throws, output that fails. Each checks how it ends.</summary>
internal sealed class Faults(Serializer serializer, Random random)
{
    public const string Poison = "poison";

    private static int _lastMadeUp;
    private readonly MadeUp _madeUp = new(serializer);
    private readonly byte[] _poisoned = Poisoned(serializer);

    public void Inject(object message)
    {
        switch (random.Next(12))
        {
            case 0:
                byte[] whole = serializer.Serialize(message);
                Expect<WireFormatException>(() => serializer.Deserialize<object>(whole.AsSpan(0, random.Next(whole.Length))));
                break;
            case 1:
                byte[] bad = serializer.Serialize(message);
                bad[random.Next(bad.Length)] ^= (byte)random.Next(1, 256);
                Allow<WireFormatException>(() => serializer.Deserialize<object>(bad));
                break;
            case 2:
                Expect<TypeRefusedException>(() => serializer.Deserialize<object>(_madeUp.Type(Interlocked.Increment(ref _lastMadeUp))));
                break;
            case 3:
                var named = (Named)serializer.Deserialize<object>(_madeUp.Member(Interlocked.Increment(ref _lastMadeUp)))!;
                Check(named.Member00000000 == 0, "a member of another name was filled");
                break;
            case 4:
                Expect<InjectedException>(() => serializer.Serialize(new Wrapped(1, new Token(Poison), [])));
                break;
            case 5:
                Expect<InjectedException>(() => serializer.Deserialize<object>(_poisoned));
                break;
            case 6:
                Expect<IOException>(() => serializer.Serialize(message, new FailingStream()));
                break;
            case 7:
                Expect<IOException>(() => serializer.Serialize(message, new FailingBuffer()));
                break;
            case 8:
                object deep = 1;
                for (int i = 0; i <= serializer.Options.Limits.MaxDepth; i++)
                {
                    deep = new object[] { deep };
                }

                Expect<ObjectGraphException>(() => serializer.Serialize(deep));
                break;
            case 9:
                using (var cancelled = new CancellationTokenSource())
                {
                    cancelled.Cancel();
                    Expect<OperationCanceledException>(() => serializer.DeserializeFramedAsync<object>(
                        new MemoryStream([1, 2]), cancelled.Token).AsTask().GetAwaiter().GetResult());
                }

                break;
            case 10:
                Allow<WireFormatException>(
                    () => serializer.Deserialize<object>(_madeUp.Constructed(Interlocked.Increment(ref _lastMadeUp))));
                break;
            default:
                Expect<TypeRefusedException>(() => serializer.Deserialize<object>(Outside.Payload));
                break;
        }
    }

    public static void Check(bool holds, string otherwise)
    {
        if (!holds)
        {
            throw new InvalidOperationException(otherwise);
        }
    }

    private static void Expect<TException>(Action action)
        where TException : Exception => Check(Throws<TException>(action), $"{typeof(TException).Name} was expected, and there was none");

    private static void Allow<TException>(Action action)
        where TException : Exception => Throws<TException>(action);

    private static bool Throws<TException>(Action action)
        where TException : Exception
    {
        try
        {
            action();
            return false;
        }
        catch (TException)
        {
            return true;
        }
    }

    // The surrogate throws when it meets the text: on write at once, on read when the payload is patched.
    private static byte[] Poisoned(Serializer serializer)
    {
        byte[] payload = serializer.Serialize(new Token(new string('#', Poison.Length)));
        int at = payload.AsSpan().IndexOf("######"u8);
        System.Text.Encoding.ASCII.GetBytes(Poison, payload.AsSpan(at, Poison.Length));
        return payload;
    }

    private static class Outside
    {
        /// <summary>A payload of a type that the filter does not allow.</summary>
        public static readonly byte[] Payload =
            new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Stranger>() })
                .Serialize<object>(new Stranger());
    }

    private sealed class FailingStream : MemoryStream
    {
        public override void Write(ReadOnlySpan<byte> buffer) => throw new IOException("The stream fails.");

        public override void Write(byte[] buffer, int offset, int count) => throw new IOException("The stream fails.");
    }

    private sealed class FailingBuffer : IBufferWriter<byte>
    {
        public void Advance(int count)
        {
        }

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new IOException("The buffer writer fails.");

        public Span<byte> GetSpan(int sizeHint = 0) => throw new IOException("The buffer writer fails.");
    }
}
