using System.Buffers;
using System.Collections.Immutable;
using Bench;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Serialization;

namespace Wire.Benchmarks
{
    /// <summary>Orleans.Serialization, with its generator. Declared as an object, a value carries the name of its type.</summary>
    internal sealed class OrleansPeer : Peer
    {
        private readonly IServiceProvider _services = new ServiceCollection()
            .AddSerializer(static builder => builder.AddAssembly(typeof(Poco).Assembly))
            .BuildServiceProvider();

        public override string Name => "Orleans.Serialization";

        public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
        {
            Scenario<Poco> or Scenario<OneInt> or Scenario<Order> or Scenario<List<Poco>> or Scenario<Poco[]>
                or Scenario<Dictionary<string, Poco>> or Scenario<ImmutableList<Poco>> or Scenario<ImmutableDictionary<string, Poco>>
                or Scenario<TreeNode> =>
            [
                scenario.Row(Name, Typing.Static, new OrleansCodec<T, T>(Serializer<T>())),
                scenario.Row($"{Name}, object", Typing.Polymorphic, new OrleansCodec<T, object>(Serializer<object>())),
            ],
            Scenario<List<Figure>> or Scenario<object?[]> =>
                [scenario.Row($"{Name}, object", Typing.Polymorphic, new OrleansCodec<T, object>(Serializer<object>()))],
            _ => [],
        };

        private Serializer<T> Serializer<T>() => _services.GetRequiredService<Serializer<T>>();
    }

    /// <summary>A value, declared as <typeparamref name="TDeclared"/>.</summary>
    internal readonly struct OrleansCodec<T, TDeclared>(Serializer<TDeclared> serializer) : ICodec<T>
        where T : class, TDeclared
        where TDeclared : class
    {
        private readonly ArrayBufferWriter<byte> _output = new(1024);

        public ReadOnlySpan<byte> Write(T value)
        {
            _output.ResetWrittenCount();
            serializer.Serialize(value, _output);
            return _output.WrittenSpan;
        }

        public T Read(ReadOnlySpan<byte> payload) => (T)serializer.Deserialize(payload);
    }
}

namespace Bench
{
    [GenerateSerializer(GenerateFieldIds = GenerateFieldIds.PublicProperties)]
    public partial class Poco;

    [GenerateSerializer(GenerateFieldIds = GenerateFieldIds.PublicProperties)]
    public sealed partial class OneInt;

    [GenerateSerializer(GenerateFieldIds = GenerateFieldIds.PublicProperties)]
    public sealed partial class Order;

    [GenerateSerializer(GenerateFieldIds = GenerateFieldIds.PublicProperties)]
    public sealed partial class TreeNode;

    [GenerateSerializer(GenerateFieldIds = GenerateFieldIds.PublicProperties)]
    public sealed partial class Figure;

    [GenerateSerializer(GenerateFieldIds = GenerateFieldIds.PublicProperties)]
    public sealed partial class Dot;

    [GenerateSerializer(GenerateFieldIds = GenerateFieldIds.PublicProperties)]
    public sealed partial class Circle;

    [GenerateSerializer(GenerateFieldIds = GenerateFieldIds.PublicProperties)]
    public sealed partial class Box;

    [GenerateSerializer(GenerateFieldIds = GenerateFieldIds.PublicProperties)]
    public sealed partial class Label;

    [GenerateSerializer(GenerateFieldIds = GenerateFieldIds.PublicProperties)]
    public sealed partial class Switch;
}
