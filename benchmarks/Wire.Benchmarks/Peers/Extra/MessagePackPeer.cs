using System.Buffers;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Bench;
using MessagePack;
using MessagePack.Resolvers;

namespace Wire.Benchmarks
{
    /// <summary>
    /// MessagePack for C#, members by number, with the resolvers that write Guid, DateTime and decimal in the fewest bytes. Polymorphic
    /// means a union, or "typeless": the payload carries the names of types.
    /// </summary>
    internal sealed class MessagePackPeer : Peer
    {
        private static readonly MessagePackSerializerOptions Native = Options(StandardResolver.Instance);
        private static readonly MessagePackSerializerOptions Typeless = Options(TypelessContractlessStandardResolver.Instance);

        public override string Name => "MessagePack";

        public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
        {
            Scenario<Poco> poco =>
            [
                poco.Row(Name, Typing.Static, new PocoMessagePackCodec(Native)),
                poco.Row($"{Name}, union", Typing.Polymorphic, new PocoMessagePackPolymorphicCodec(Native)),
                scenario.Row($"{Name}, typeless", Typing.Polymorphic, new MessagePackCodec<T, object>(Typeless)),
            ],
            Scenario<OneInt> number =>
            [
                number.Row(Name, Typing.Static, new OneIntMessagePackCodec(Native)),
                number.Row($"{Name}, union", Typing.Polymorphic, new OneIntMessagePackPolymorphicCodec(Native)),
                scenario.Row($"{Name}, typeless", Typing.Polymorphic, new MessagePackCodec<T, object>(Typeless)),
            ],
            Scenario<Order> =>
            [
                Static(scenario),
                scenario.Row($"{Name}, union", Typing.Polymorphic, new MessagePackCodec<T, IMessage>(Native)),
                scenario.Row($"{Name}, typeless", Typing.Polymorphic, new MessagePackCodec<T, object>(Typeless)),
            ],
            Scenario<List<Poco>> or Scenario<Poco[]> or Scenario<Dictionary<string, Poco>> =>
                [Static(scenario), scenario.Row($"{Name}, typeless", Typing.Polymorphic, new MessagePackCodec<T, object>(Typeless))],
            Scenario<ImmutableList<Poco>> or Scenario<ImmutableDictionary<string, Poco>> => [Static(scenario)],
            Scenario<List<Figure>> => [scenario.Row($"{Name}, union", Typing.Polymorphic, new MessagePackCodec<T, T>(Native))],
            Scenario<object?[]> => [scenario.Row($"{Name}, typeless", Typing.Polymorphic, new MessagePackCodec<T, object>(Typeless))],
            Scenario<TreeNode> => [scenario.Cannot(Name, Typing.Static, "trees only, without references")],
            _ => [],
        };

        private Row Static<T>(Scenario<T> scenario)
            where T : class => scenario.Row(Name, Typing.Static, new MessagePackCodec<T, T>(Native));

        private static MessagePackSerializerOptions Options(IFormatterResolver last) => MessagePackSerializerOptions.Standard.WithResolver(
            CompositeResolver.Create(NativeGuidResolver.Instance, NativeDateTimeResolver.Instance, NativeDecimalResolver.Instance, last));
    }

    /// <summary>A value, declared as <typeparamref name="TDeclared"/>.</summary>
    internal readonly struct MessagePackCodec<T, TDeclared>(MessagePackSerializerOptions options) : ICodec<T>
        where T : class
        where TDeclared : class
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);
        private readonly Reused _input = new();

        public ReadOnlySpan<byte> Write(T value)
        {
            _output.ResetWrittenCount();
            MessagePackSerializer.Serialize(_output, Unsafe.As<TDeclared>(value), options);
            return _output.WrittenSpan;
        }

        public T Read(ReadOnlySpan<byte> payload) => (T)(object)MessagePackSerializer.Deserialize<TDeclared>(_input.Copy(payload), options);
    }
    // Where a message takes nanoseconds, the codecs name its class, as those of Wire do: generic code would look it up each time.

    internal readonly struct PocoMessagePackCodec(MessagePackSerializerOptions options) : ICodec<Poco>
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);
        private readonly Reused _input = new();

        public ReadOnlySpan<byte> Write(Poco value)
        {
            _output.ResetWrittenCount();
            MessagePackSerializer.Serialize(_output, value, options);
            return _output.WrittenSpan;
        }

        public Poco Read(ReadOnlySpan<byte> payload) => MessagePackSerializer.Deserialize<Poco>(_input.Copy(payload), options);
    }

    internal readonly struct PocoMessagePackPolymorphicCodec(MessagePackSerializerOptions options) : ICodec<Poco>
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);
        private readonly Reused _input = new();

        public ReadOnlySpan<byte> Write(Poco value)
        {
            _output.ResetWrittenCount();
            MessagePackSerializer.Serialize<IMessage>(_output, value, options);
            return _output.WrittenSpan;
        }

        public Poco Read(ReadOnlySpan<byte> payload) => (Poco)MessagePackSerializer.Deserialize<IMessage>(_input.Copy(payload), options);
    }

    internal readonly struct OneIntMessagePackCodec(MessagePackSerializerOptions options) : ICodec<OneInt>
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);
        private readonly Reused _input = new();

        public ReadOnlySpan<byte> Write(OneInt value)
        {
            _output.ResetWrittenCount();
            MessagePackSerializer.Serialize(_output, value, options);
            return _output.WrittenSpan;
        }

        public OneInt Read(ReadOnlySpan<byte> payload) => MessagePackSerializer.Deserialize<OneInt>(_input.Copy(payload), options);
    }

    internal readonly struct OneIntMessagePackPolymorphicCodec(MessagePackSerializerOptions options) : ICodec<OneInt>
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);
        private readonly Reused _input = new();

        public ReadOnlySpan<byte> Write(OneInt value)
        {
            _output.ResetWrittenCount();
            MessagePackSerializer.Serialize<IMessage>(_output, value, options);
            return _output.WrittenSpan;
        }

        public OneInt Read(ReadOnlySpan<byte> payload) => (OneInt)MessagePackSerializer.Deserialize<IMessage>(_input.Copy(payload), options);
    }
}

namespace Bench
{
    [Union(0, typeof(Poco))]
    [Union(1, typeof(OneInt))]
    [Union(2, typeof(Order))]
    public partial interface IMessage;

    [Union(0, typeof(Dot))]
    [Union(1, typeof(Circle))]
    [Union(2, typeof(Box))]
    [Union(3, typeof(Label))]
    [Union(4, typeof(Switch))]
    public partial interface IShape;
}
