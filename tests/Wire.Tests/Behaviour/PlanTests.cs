using System.Buffers;
using System.Collections.ObjectModel;
using System.Reflection;

namespace Wire.Tests.Behaviour;

/// <summary>What is remembered of earlier messages never changes what a message means.</summary>
public class PlanTests
{
    private static readonly SerializerOptions Any = new() { TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(PlanTests).Assembly) };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Typed_messages_with_another_beginning_are_judged_as_the_first_one_would_be(bool sessions)
    {
        var pair = new Pair { First = 1, Second = 2 };
        Side warm = new(sessions), fresh = new(sessions);
        byte[] payload = fresh.Write(pair);
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(pair, warm.Read(warm.Write(pair)));
        }

        // The header, the fingerprint and the tag.
        for (int place = 0; place < 6; place++)
        {
            for (int change = 1; change < 256; change++)
            {
                byte[] changed = [.. payload];
                changed[place] ^= (byte)change;
                Assert.Equal(Outcome(new Side(sessions), changed), Outcome(warm, changed));
            }
        }

        Assert.Equal(pair, warm.Read(payload));

        static string Outcome(Side side, byte[] bytes)
        {
            try
            {
                return $"{side.Read(bytes)}";
            }
            catch (WireFormatException e)
            {
                return e.Message;
            }
        }
    }

    [Fact]
    public void A_stand_in_leaves_the_type_that_it_is_written_as_alone()
    {
        IReadOnlyList<int> expression = [1, 2, 3];
        Assert.NotEqual(typeof(ReadOnlyCollection<int>), expression.GetType());
        var wrapper = new ReadOnlyCollection<int>(new[] { 4, 5, 6 });
        var serializer = new Serializer(Any);
        for (int i = 0; i < 3; i++)
        {
            serializer.Serialize<object>(expression);
            serializer.Serialize<object>(Enumerable.Range(0, 3).Where(number => number > 0));
        }

        for (int i = 0; i < 3; i++)
        {
            byte[] payload = serializer.Serialize<object>(wrapper);
            Assert.Equal(new Serializer(Any).Serialize<object>(wrapper), payload);
            var read = Assert.IsType<ReadOnlyCollection<int>>(serializer.Deserialize<object>(payload));
            Assert.IsType<int[]>(ItemsOf(read));
            Assert.Equal(wrapper, read);
            List<int> list = [7, 8];
            Assert.Equal(new Serializer(Any).Serialize<object>(list), serializer.Serialize<object>(list));
        }

        static object? ItemsOf(ReadOnlyCollection<int> collection) =>
            typeof(ReadOnlyCollection<int>).GetProperty("Items", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(collection);
    }

    [Fact]
    public void Every_typed_message_is_judged_by_the_limit_of_bytes()
    {
        byte[] payload = new Serializer().SerializeTyped(new Pair { First = 1, Second = 2 });
        for (int most = payload.Length - 6; most <= payload.Length; most++)
        {
            var reader = new Serializer(new SerializerOptions { Limits = new Limits { MaxBytes = most } });
            for (int i = 0; i < 3; i++)
            {
                if (most < payload.Length)
                {
                    WireFormatException refused = Assert.ThrowsAny<WireFormatException>(() => reader.DeserializeTyped<Pair>(payload));
                    Assert.Equal(WireFormatError.Limit, refused.Error);
                }
                else
                {
                    Assert.Equal(new Pair { First = 1, Second = 2 }, reader.DeserializeTyped<Pair>(payload));
                }
            }
        }
    }

    private sealed class Side(bool sessions)
    {
        private readonly Serializer _serializer = new(Any);
        private SerializerSession? _writing;
        private DeserializerSession? _reading;

        public byte[] Write(Pair pair)
        {
            var output = new ArrayBufferWriter<byte>();
            if (sessions)
            {
                _serializer.SerializeTyped(pair, output, _writing ??= _serializer.GetSerializerSession());
            }
            else
            {
                _serializer.SerializeTyped(pair, output);
            }

            return output.WrittenSpan.ToArray();
        }

        public Pair? Read(byte[] payload) => sessions
            ? _serializer.DeserializeTyped<Pair>(payload, _reading ??= _serializer.GetDeserializerSession())
            : _serializer.DeserializeTyped<Pair>(payload);
    }

    private sealed record Pair
    {
        public int First { get; set; }

        public int Second { get; set; }
    }
}
