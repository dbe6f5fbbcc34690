using System.Buffers;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Bench;
using MemoryPack;

namespace Wire.Benchmarks.Peers.Extra
{
    /// <summary>MemoryPack, with its generator. Polymorphic means a union: an interface lists its classes and their numbers.</summary>
    internal sealed class MemoryPackPeer : Peer
    {
        // The generated parts of the classes have static constructors. When they have run, the code of the other peers need not ask.
        public MemoryPackPeer()
        {
            foreach (Type type in typeof(Poco).Assembly.GetTypes().Where(type => type.IsDefined(typeof(MemoryPackableAttribute), inherit: false)))
            {
                RuntimeHelpers.RunClassConstructor(type.TypeHandle);
            }
        }

        public override string Name => "MemoryPack";

        public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
        {
            Scenario<Poco> poco =>
            [
                poco.Row(Name, Typing.Static, new PocoMemoryPackCodec()),
                poco.Row($"{Name}, union", Typing.Polymorphic, new PocoMemoryPackPolymorphicCodec()),
            ],
            Scenario<OneInt> number =>
            [
                number.Row(Name, Typing.Static, new OneIntMemoryPackCodec()),
                number.Row($"{Name}, union", Typing.Polymorphic, new OneIntMemoryPackPolymorphicCodec()),
            ],
            Scenario<Order> =>
            [
                scenario.Row(Name, Typing.Static, new MemoryPackCodec<T, T>()),
                scenario.Row($"{Name}, union", Typing.Polymorphic, new MemoryPackCodec<T, IMessage>()),
            ],
            Scenario<List<Poco>> or Scenario<Poco[]> or Scenario<Dictionary<string, Poco>> or Scenario<ImmutableList<Poco>>
                or Scenario<ImmutableDictionary<string, Poco>> or Scenario<int[]> or Scenario<string> =>
                [scenario.Row(Name, Typing.Static, new MemoryPackCodec<T, T>())],
            Scenario<List<Figure>> => [scenario.Row($"{Name}, union", Typing.Polymorphic, new MemoryPackCodec<T, T>())],
            Scenario<TreeNode> => [scenario.Row($"{Name}, circular references", Typing.Static, new MemoryPackCodec<T, T>())],
            Scenario<object?[]> => [scenario.Cannot(Name, Typing.Polymorphic, "no formatter for object")],
            _ => [],
        };
    }

    /// <summary>A value, declared as <typeparamref name="TDeclared"/>.</summary>
    internal readonly struct MemoryPackCodec<T, TDeclared>() : ICodec<T>
        where T : class
        where TDeclared : class
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);

        public ReadOnlySpan<byte> Write(T value)
        {
            _output.ResetWrittenCount();
            MemoryPackSerializer.Serialize(_output, Unsafe.As<TDeclared>(value));
            return _output.WrittenSpan;
        }

        public T Read(ReadOnlySpan<byte> payload) => (T)(object)MemoryPackSerializer.Deserialize<TDeclared>(payload)!;
    }
    // Where a message takes nanoseconds, the codecs name its class, as those of Wire do: generic code would look it up each time.

    internal readonly struct PocoMemoryPackCodec() : ICodec<Poco>
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);

        public ReadOnlySpan<byte> Write(Poco value)
        {
            _output.ResetWrittenCount();
            MemoryPackSerializer.Serialize(_output, value);
            return _output.WrittenSpan;
        }

        public Poco Read(ReadOnlySpan<byte> payload) => MemoryPackSerializer.Deserialize<Poco>(payload)!;
    }

    internal readonly struct PocoMemoryPackPolymorphicCodec() : ICodec<Poco>
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);

        public ReadOnlySpan<byte> Write(Poco value)
        {
            _output.ResetWrittenCount();
            MemoryPackSerializer.Serialize<IMessage, ArrayBufferWriter<byte>>(_output, value);
            return _output.WrittenSpan;
        }

        public Poco Read(ReadOnlySpan<byte> payload) => (Poco)MemoryPackSerializer.Deserialize<IMessage>(payload)!;
    }

    internal readonly struct OneIntMemoryPackCodec() : ICodec<OneInt>
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);

        public ReadOnlySpan<byte> Write(OneInt value)
        {
            _output.ResetWrittenCount();
            MemoryPackSerializer.Serialize(_output, value);
            return _output.WrittenSpan;
        }

        public OneInt Read(ReadOnlySpan<byte> payload) => MemoryPackSerializer.Deserialize<OneInt>(payload)!;
    }

    internal readonly struct OneIntMemoryPackPolymorphicCodec() : ICodec<OneInt>
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);

        public ReadOnlySpan<byte> Write(OneInt value)
        {
            _output.ResetWrittenCount();
            MemoryPackSerializer.Serialize<IMessage, ArrayBufferWriter<byte>>(_output, value);
            return _output.WrittenSpan;
        }

        public OneInt Read(ReadOnlySpan<byte> payload) => (OneInt)MemoryPackSerializer.Deserialize<IMessage>(payload)!;
    }
}

namespace Bench
{
    [MemoryPackable]
    [MemoryPackUnion(0, typeof(Poco))]
    [MemoryPackUnion(1, typeof(OneInt))]
    [MemoryPackUnion(2, typeof(Order))]
    public partial interface IMessage;

    [MemoryPackable]
    public partial class Poco;

    [MemoryPackable]
    public sealed partial class OneInt;

    [MemoryPackable]
    public sealed partial class Order;

    [MemoryPackable(GenerateType.CircularReference, SerializeLayout.Sequential)]
    public sealed partial class TreeNode;

    [MemoryPackable]
    public sealed partial class Figure;

    [MemoryPackable]
    [MemoryPackUnion(0, typeof(Dot))]
    [MemoryPackUnion(1, typeof(Circle))]
    [MemoryPackUnion(2, typeof(Box))]
    [MemoryPackUnion(3, typeof(Label))]
    [MemoryPackUnion(4, typeof(Switch))]
    public partial interface IShape;

    [MemoryPackable]
    public sealed partial class Dot;

    [MemoryPackable]
    public sealed partial class Circle;

    [MemoryPackable]
    public sealed partial class Box;

    [MemoryPackable]
    public sealed partial class Label;

    [MemoryPackable]
    public sealed partial class Switch;
}
