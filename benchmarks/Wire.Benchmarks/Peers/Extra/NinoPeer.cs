using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Bench;
using Nino.Core;

namespace Wire.Benchmarks.Peers.Extra
{
    /// <summary>Nino, with its generator. Polymorphic means that the value is declared as an interface.</summary>
    internal sealed class NinoPeer : Peer
    {
        public override string Name => "Nino";

        public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
        {
            Scenario<Poco> poco =>
            [
                poco.Row(Name, Typing.Static, new PocoNinoCodec()),
                poco.Row($"{Name}, interface", Typing.Polymorphic, new PocoNinoPolymorphicCodec()),
            ],
            Scenario<OneInt> number =>
            [
                number.Row(Name, Typing.Static, new OneIntNinoCodec()),
                number.Row($"{Name}, interface", Typing.Polymorphic, new OneIntNinoPolymorphicCodec()),
            ],
            Scenario<Order> =>
            [
                scenario.Row(Name, Typing.Static, new NinoCodec<T, T>()),
                scenario.Row($"{Name}, interface", Typing.Polymorphic, new NinoCodec<T, IMessage>()),
            ],
            Scenario<List<Poco>> or Scenario<Poco[]> or Scenario<Dictionary<string, Poco>> or Scenario<int[]> or Scenario<string> =>
                [scenario.Row(Name, Typing.Static, new NinoCodec<T, T>())],
            Scenario<List<Figure>> => [scenario.Row($"{Name}, interface", Typing.Polymorphic, new NinoCodec<T, T>())],
            Scenario<TreeNode> => [scenario.Cannot(Name, Typing.Static, "trees only, without references")],
            Scenario<object?[]> => [scenario.Cannot(Name, Typing.Polymorphic, "no serializer for boxed numbers")],
            _ => [],
        };
    }

    /// <summary>A value, declared as <typeparamref name="TDeclared"/>.</summary>
    internal readonly struct NinoCodec<T, TDeclared>() : ICodec<T>
        where T : class
        where TDeclared : class
    {
        private readonly NinoArrayBufferWriter _output = new(1024);

        public ReadOnlySpan<byte> Write(T value)
        {
            _output.ResetWrittenCount();
            NinoSerializer.Serialize(Unsafe.As<TDeclared>(value), _output);
            return _output.WrittenSpan;
        }

        public T Read(ReadOnlySpan<byte> payload) => (T)(object)NinoDeserializer.Deserialize<TDeclared>(payload);
    }

    // Where a message takes nanoseconds, the codecs name its class, as those of Wire do: generic code would look it up each time.

    internal readonly struct PocoNinoCodec() : ICodec<Poco>
    {
        private readonly NinoArrayBufferWriter _output = new(1024);

        public ReadOnlySpan<byte> Write(Poco value)
        {
            _output.ResetWrittenCount();
            NinoSerializer.Serialize(value, _output);
            return _output.WrittenSpan;
        }

        public Poco Read(ReadOnlySpan<byte> payload) => NinoDeserializer.Deserialize<Poco>(payload);
    }

    internal readonly struct PocoNinoPolymorphicCodec() : ICodec<Poco>
    {
        private readonly NinoArrayBufferWriter _output = new(1024);

        public ReadOnlySpan<byte> Write(Poco value)
        {
            _output.ResetWrittenCount();
            NinoSerializer.Serialize<IMessage>(value, _output);
            return _output.WrittenSpan;
        }

        public Poco Read(ReadOnlySpan<byte> payload) => (Poco)NinoDeserializer.Deserialize<IMessage>(payload);
    }

    internal readonly struct OneIntNinoCodec() : ICodec<OneInt>
    {
        private readonly NinoArrayBufferWriter _output = new(1024);

        public ReadOnlySpan<byte> Write(OneInt value)
        {
            _output.ResetWrittenCount();
            NinoSerializer.Serialize(value, _output);
            return _output.WrittenSpan;
        }

        public OneInt Read(ReadOnlySpan<byte> payload) => NinoDeserializer.Deserialize<OneInt>(payload);
    }

    internal readonly struct OneIntNinoPolymorphicCodec() : ICodec<OneInt>
    {
        private readonly NinoArrayBufferWriter _output = new(1024);

        public ReadOnlySpan<byte> Write(OneInt value)
        {
            _output.ResetWrittenCount();
            NinoSerializer.Serialize<IMessage>(value, _output);
            return _output.WrittenSpan;
        }

        public OneInt Read(ReadOnlySpan<byte> payload) => (OneInt)NinoDeserializer.Deserialize<IMessage>(payload);
    }

    /// <summary>Code is generated for the types of these members too.</summary>
    [NinoType]
    public sealed class NinoRoots
    {
        public List<Poco>? List { get; set; }

        public Poco[]? Array { get; set; }

        public Dictionary<string, Poco>? Dictionary { get; set; }

        public List<Figure>? Figures { get; set; }

        public int[]? Ints { get; set; }
    }
}

namespace Bench
{
    [NinoType]
    public partial interface IMessage;

    [NinoType]
    public partial class Poco;

    [NinoType]
    public sealed partial class OneInt;

    [NinoType]
    public sealed partial class Order;

    [NinoType]
    public sealed partial class Figure;

    [NinoType]
    public partial interface IShape;

    [NinoType]
    public sealed partial class Dot;

    [NinoType]
    public sealed partial class Circle;

    [NinoType]
    public sealed partial class Box;

    [NinoType]
    public sealed partial class Label;

    [NinoType]
    public sealed partial class Switch;
}
