using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Reflection;
using Bench.FSharp;
using Microsoft.FSharp.Collections;

namespace Wire.Benchmarks.Peers;

/// <summary>NetSerializer, which both sides give the same list of types: in code, or found by the place in the list.</summary>
internal sealed class NetSerializerPeer : SourcePeer
{
    private static readonly Type[] Types =
    [
        typeof(Poco), typeof(OneInt), typeof(Order), typeof(Ping), typeof(Ack), typeof(Reading), typeof(Notice), typeof(Move),
        typeof(Transfer), typeof(Samples), typeof(Basket), typeof(Remark), typeof(Figure), typeof(Dot), typeof(Circle), typeof(Box),
        typeof(Label), typeof(Switch), typeof(List<Poco>), typeof(Poco[]), typeof(Dictionary<string, Poco>), typeof(List<Figure>),
        typeof(List<IShape>), typeof(int[]), typeof(string), typeof(object[]), typeof(Color), typeof(Guid), typeof(DateTime), typeof(int),
        typeof(long), typeof(double), typeof(bool), typeof(FSharpList<Event>),

        // The classes that the cases of the union are.
        .. typeof(Event).GetNestedTypes(BindingFlags.Public | BindingFlags.NonPublic).Where(type => type.IsSubclassOf(typeof(Event))),
    ];

    // Fit for all: what it remembers is the code that it has made.
    private static readonly NetSerializer.Serializer Shared =
        new(Types, new NetSerializer.Settings { CustomTypeSerializers = [new OffsetSerializer()] });

    public override string Name => "NetSerializer";

    private string ByNumber => $"{Name}, type by number";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<Conversation> conversation =>
            [conversation.Row(ByNumber, Typing.Polymorphic, new ConversationOf<NetSerializerObjectCodec<object>>(new(Shared)))],
        Scenario<Poco> or Scenario<OneInt> or Scenario<Order> or Scenario<List<Poco>> or Scenario<Poco[]>
            or Scenario<Dictionary<string, Poco>> or Scenario<int[]> or Scenario<string> =>
        [
            scenario.Row($"{Name}, direct", Typing.Static, new NetSerializerCodec<T>(Shared)),
            scenario.Row(ByNumber, Typing.Polymorphic, new NetSerializerObjectCodec<T>(Shared)),
        ],
        Scenario<List<Figure>> or Scenario<List<IShape>> or Scenario<object?[]> =>
            [scenario.Row(ByNumber, Typing.Polymorphic, new NetSerializerObjectCodec<T>(Shared))],
        Scenario<FSharpList<Event>> =>
            [scenario.Row(ByNumber, Typing.Polymorphic, new NetSerializerObjectCodec<T>(Shared))],
        Scenario<TreeNode> => [scenario.Cannot(Name, Typing.Static, "writes trees, without references")],
        Scenario<ImmutableList<Poco>> =>
            [scenario.Cannot(Name, Typing.Static, "takes classes only that are marked as serializable, and ImmutableList is not")],
        _ => [],
    };

    public override IEnumerable<Row> Rows(Traffic traffic)
    {
        if (traffic.Name == Traffic.VariedText)
        {
            yield return traffic.Row($"{Name}, direct", Typing.Static, new RemarkNetSerializerCodec(Shared));
        }

        if (traffic.Name is Traffic.MixedTypes or Traffic.VariedText)
        {
            yield return traffic.Row(ByNumber, Typing.Polymorphic, new NetSerializerObjectCodec<object>(Shared));
        }
    }

    /// <summary>The one class of the model's members that the library does not know.</summary>
    private sealed class OffsetSerializer : NetSerializer.IStaticTypeSerializer
    {
        private const int Size = sizeof(long) + sizeof(short);

        public static void Write(Stream stream, DateTimeOffset value)
        {
            Span<byte> bytes = stackalloc byte[Size];
            BinaryPrimitives.WriteInt64LittleEndian(bytes, value.Ticks);
            BinaryPrimitives.WriteInt16LittleEndian(bytes[sizeof(long)..], (short)value.TotalOffsetMinutes);
            stream.Write(bytes);
        }

        public static void Read(Stream stream, out DateTimeOffset value)
        {
            Span<byte> bytes = stackalloc byte[Size];
            stream.ReadExactly(bytes);
            value = new DateTimeOffset(
                BinaryPrimitives.ReadInt64LittleEndian(bytes),
                TimeSpan.FromMinutes(BinaryPrimitives.ReadInt16LittleEndian(bytes[sizeof(long)..])));
        }

        public bool Handles(Type type) => type == typeof(DateTimeOffset);

        public IEnumerable<Type> GetSubtypes(Type type) => [];

        public MethodInfo GetStaticWriter(Type type) => GetType().GetMethod(nameof(Write))!;

        public MethodInfo GetStaticReader(Type type) => GetType().GetMethod(nameof(Read))!;
    }
}

/// <summary>Both sides know which class it is.</summary>
internal readonly struct NetSerializerCodec<T>(NetSerializer.Serializer serializer) : ICodec<T>
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

/// <summary>The payload has the number of the class in the list.</summary>
internal readonly struct NetSerializerObjectCodec<T>(NetSerializer.Serializer serializer) : ICodec<T>
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

internal readonly struct RemarkNetSerializerCodec(NetSerializer.Serializer serializer) : ICodec<object>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(object value)
    {
        serializer.SerializeDirect(_streams.Output(), (Remark)value);
        return _streams.Written;
    }

    public object Read(ReadOnlySpan<byte> payload)
    {
        serializer.DeserializeDirect(_streams.Input(payload), out Remark value);
        return value;
    }
}
