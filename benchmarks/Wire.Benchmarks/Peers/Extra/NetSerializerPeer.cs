using Bench;
using NetSerializer;

namespace Wire.Benchmarks
{
    /// <summary>NetSerializer: "direct" when both sides know the type, and else with the number of one of its known types.</summary>
    internal sealed class NetSerializerPeer : Peer
    {
        private static readonly Type[] Scalars =
        [
            typeof(bool), typeof(byte), typeof(char), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong),
            typeof(float), typeof(double), typeof(decimal), typeof(string), typeof(DateTime), typeof(TimeSpan), typeof(Guid),
        ];

        public override string Name => "NetSerializer";

        public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
        {
            Scenario<Poco> poco =>
            [
                poco.Row($"{Name}, direct", Typing.Static, new PocoNetSerializerCodec(new([typeof(Poco)]))),
                poco.Row(Name, Typing.Polymorphic, new PocoNetSerializerNumberCodec(new([typeof(Poco)]))),
            ],
            Scenario<OneInt> number =>
            [
                number.Row($"{Name}, direct", Typing.Static, new OneIntNetSerializerCodec(new([typeof(OneInt)]))),
                number.Row(Name, Typing.Polymorphic, new OneIntNetSerializerNumberCodec(new([typeof(OneInt)]))),
            ],
            Scenario<List<Poco>> or Scenario<Poco[]> or Scenario<Dictionary<string, Poco>> =>
            [
                scenario.Row($"{Name}, direct", Typing.Static, new NetSerializerCodec<T>(new([typeof(T)]))),
                scenario.Row(Name, Typing.Polymorphic, new NetSerializerNumberCodec<T>(new([typeof(T)]))),
            ],
            Scenario<object[]> => [scenario.Row(Name, Typing.Polymorphic, new NetSerializerNumberCodec<T>(
                new([typeof(T), typeof(Poco), typeof(Color), typeof(int[]), .. Scalars])))],
            Scenario<List<Figure>> => [scenario.Row(Name, Typing.Polymorphic, new NetSerializerNumberCodec<T>(
                new([typeof(T), typeof(Dot), typeof(Circle), typeof(Box), typeof(Label), typeof(Switch)])))],
            Scenario<Order> => [scenario.Cannot(Name, Typing.Static, "no DateTimeOffset")],
            Scenario<TreeNode> => [scenario.Cannot(Name, Typing.Static, "trees only, without references")],
            _ => [],
        };
    }

    /// <summary>Both sides name the type in code.</summary>
    internal readonly struct NetSerializerCodec<T>(NetSerializer.Serializer serializer) : ICodec<T>
        where T : class
    {
        private readonly MessageStreams _streams = new();

        public ReadOnlySpan<byte> Write(T value)
        {
            serializer.SerializeDirect(_streams.Output(), value);
            return _streams.Written;
        }

        public T Read(ReadOnlySpan<byte> payload)
        {
            serializer.DeserializeDirect(_streams.Input(payload), out T value);
            return value;
        }
    }

    /// <summary>The payload begins with the number of the type.</summary>
    internal readonly struct NetSerializerNumberCodec<T>(NetSerializer.Serializer serializer) : ICodec<T>
        where T : class
    {
        private readonly MessageStreams _streams = new();

        public ReadOnlySpan<byte> Write(T value)
        {
            serializer.Serialize(_streams.Output(), value);
            return _streams.Written;
        }

        public T Read(ReadOnlySpan<byte> payload) => (T)serializer.Deserialize(_streams.Input(payload));
    }

    // Where a message takes nanoseconds, the codecs name its class, as those of Wire do: generic code would look it up each time.

    internal readonly struct PocoNetSerializerCodec(NetSerializer.Serializer serializer) : ICodec<Poco>
    {
        private readonly MessageStreams _streams = new();

        public ReadOnlySpan<byte> Write(Poco value)
        {
            serializer.SerializeDirect(_streams.Output(), value);
            return _streams.Written;
        }

        public Poco Read(ReadOnlySpan<byte> payload)
        {
            serializer.DeserializeDirect(_streams.Input(payload), out Poco value);
            return value;
        }
    }

    internal readonly struct PocoNetSerializerNumberCodec(NetSerializer.Serializer serializer) : ICodec<Poco>
    {
        private readonly MessageStreams _streams = new();

        public ReadOnlySpan<byte> Write(Poco value)
        {
            serializer.Serialize(_streams.Output(), value);
            return _streams.Written;
        }

        public Poco Read(ReadOnlySpan<byte> payload) => (Poco)serializer.Deserialize(_streams.Input(payload));
    }

    internal readonly struct OneIntNetSerializerCodec(NetSerializer.Serializer serializer) : ICodec<OneInt>
    {
        private readonly MessageStreams _streams = new();

        public ReadOnlySpan<byte> Write(OneInt value)
        {
            serializer.SerializeDirect(_streams.Output(), value);
            return _streams.Written;
        }

        public OneInt Read(ReadOnlySpan<byte> payload)
        {
            serializer.DeserializeDirect(_streams.Input(payload), out OneInt value);
            return value;
        }
    }

    internal readonly struct OneIntNetSerializerNumberCodec(NetSerializer.Serializer serializer) : ICodec<OneInt>
    {
        private readonly MessageStreams _streams = new();

        public ReadOnlySpan<byte> Write(OneInt value)
        {
            serializer.Serialize(_streams.Output(), value);
            return _streams.Written;
        }

        public OneInt Read(ReadOnlySpan<byte> payload) => (OneInt)serializer.Deserialize(_streams.Input(payload));
    }
}

namespace Bench
{
    [Serializable]
    public partial class Poco;

    [Serializable]
    public sealed partial class OneInt;

    [Serializable]
    public sealed partial class Figure;

    [Serializable]
    public sealed partial class Dot;

    [Serializable]
    public sealed partial class Circle;

    [Serializable]
    public sealed partial class Box;

    [Serializable]
    public sealed partial class Label;

    [Serializable]
    public sealed partial class Switch;
}
