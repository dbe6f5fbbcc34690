using Xunit;

namespace Wire.Tests.Hostile;

/// <summary>
/// A root that comes again and again is written and read with what is known of the last one. What it may cost is counted anew for each.
/// </summary>
public class RepeatedRootTests
{
    private const int Messages = 4;

    public static TheoryData<Way> Ways => new(Enum.GetValues<Way>());

    /// <summary>How the messages are written and read.</summary>
    public enum Way
    {
        Declared,
        Object,
        Typed,
        Session,
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Each_message_may_have_as_many_objects_as_the_limit(Way way)
    {
        var of2 = new Chain { Next = new Chain() };
        var of3 = new Chain { Next = of2 };
        using var two = new Both(way, Limits.Default with { MaxObjects = 2 });
        using var three = new Both(way, Limits.Default with { MaxObjects = 3 });
        for (int i = 0; i < Messages; i++)
        {
            Assert.NotNull(two.Read(two.Write(of2)).Next);
            Assert.Contains(
                "Limits.MaxObjects = 2", Assert.Throws<ObjectGraphException>(() => two.Write(of3)).Message, StringComparison.Ordinal);
            byte[] payload = three.Write(of3);
            if (way != Way.Session || i == 0)
            {
                Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => two.Read(payload)).Error);
            }

            Assert.NotNull(three.Read(payload).Next!.Next);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_root_alone_may_take_as_much_memory_as_the_limit(Way way)
    {
        // 16 bytes of header, a reference.
        const int Size = 24;
        using var at = new Both(way, Limits.Default with { MaxAllocation = Size });
        using var under = new Both(way, Limits.Default with { MaxAllocation = Size - 1 });
        for (int i = 0; i < Messages; i++)
        {
            byte[] payload = at.Write(new Chain());
            Assert.Null(at.Read(payload).Next);
            Assert.Contains(
                "Limits.MaxAllocation = 23",
                Assert.Throws<ObjectGraphException>(() => under.Write(new Chain())).Message,
                StringComparison.Ordinal);
            if (way != Way.Session || i == 0)
            {
                Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => under.Read(payload)).Error);
            }

            Assert.Throws<ObjectGraphException>(() => at.Write(new Chain { Next = new Chain() }));
        }
    }

    public sealed class Chain
    {
        public Chain? Next { get; set; }
    }

    private sealed class Both(Way way, Limits limits) : IDisposable
    {
        private readonly Serializer _serializer =
            new(SerializerOptions.Default with { Limits = limits, TypeFilter = WireTypeFilter.Default.Allow<Chain>() });
        private SerializerSession? _writing;
        private DeserializerSession? _reading;

        public byte[] Write(Chain value) => way switch
        {
            Way.Declared => _serializer.Serialize(value),
            Way.Object => _serializer.Serialize((object)value),
            Way.Typed => _serializer.SerializeTyped(value),
            _ => _serializer.Serialize(value, _writing ??= _serializer.GetSerializerSession()),
        };

        public Chain Read(byte[] payload) => way switch
        {
            Way.Declared => _serializer.Deserialize<Chain>(payload)!,
            Way.Object => (Chain)_serializer.Deserialize<object>(payload)!,
            Way.Typed => _serializer.DeserializeTyped<Chain>(payload)!,
            _ => _serializer.Deserialize<Chain>(payload, _reading ??= _serializer.GetDeserializerSession())!,
        };

        public void Dispose()
        {
            _writing?.Dispose();
            _reading?.Dispose();
        }
    }
}
