using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using MemoryPack;
using MemoryPack.Formatters;
using Nerdbank.MessagePack;
using PolyType;
using PolyType.Abstractions;
using Shop;
using Wire;

// Four serializers behind one class, each set up as its documentation says for the most that it can.
internal abstract class Peer
{
    public static Peer[] All { get; } = [new WirePeer(), new JsonPeer(), new MemoryPackPeer(), new NerdbankPeer()];

    public abstract string Name { get; }

    // sharing: objects that are met twice stay one, where there is an option for it.
    public abstract byte[] Write<T>(T value, bool sharing);

    public abstract T? Read<T>(byte[] payload, bool sharing);

    // What TOld has written, as another version of that class.
    public virtual TNew? ReadAs<TOld, TNew>(byte[] payload) => Read<TNew>(payload, false);
}

internal sealed class WirePeer : Peer
{
    private static readonly SerializerOptions Options = new()
    {
        TypeFilter = WireTypeFilter.Default.AllowNamespace("Shop").AllowNamespace("Foreign"),
        Types = Messages.Default,
    };

    private readonly Serializer _tree = new(Options);
    private readonly Serializer _graph = new(Options with { PreserveObjectReferences = true });

    public override string Name => "Wire";

    public override byte[] Write<T>(T value, bool sharing) => (sharing ? _graph : _tree).Serialize(value);

    public override T? Read<T>(byte[] payload, bool sharing)
        where T : default => (sharing ? _graph : _tree).Deserialize<T>(payload);

    public override TNew? ReadAs<TOld, TNew>(byte[] payload)
        where TNew : default
    {
        string old = $"{typeof(TOld).FullName}, {typeof(TOld).Assembly.GetName().Name}";
        return new Serializer(Options with { TypeAliases = TypeAliases.None.Redirect(old, typeof(TNew)) }).Deserialize<TNew>(payload);
    }
}

internal sealed class JsonPeer : Peer
{
    private readonly JsonSerializerOptions _tree = Create(null);
    private readonly JsonSerializerOptions _graph = Create(ReferenceHandler.Preserve);

    public override string Name => "System.Text.Json";

    public override byte[] Write<T>(T value, bool sharing) => JsonSerializer.SerializeToUtf8Bytes(value, Info<T>(sharing));

    public override T? Read<T>(byte[] payload, bool sharing)
        where T : default => JsonSerializer.Deserialize(payload, Info<T>(sharing));

    private JsonTypeInfo<T> Info<T>(bool sharing) => (JsonTypeInfo<T>)(sharing ? _graph : _tree).GetTypeInfo(typeof(T));

    private static JsonSerializerOptions Create(ReferenceHandler? references) => new()
    {
        IncludeFields = true,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        ReferenceHandler = references,
        TypeInfoResolver = JsonContext.Default.WithAddedModifier(AddPlugins),
    };

    private static void AddPlugins(JsonTypeInfo info)
    {
        if (info.Type == typeof(IPlugin))
        {
            info.PolymorphismOptions = new()
            {
                DerivedTypes = { new JsonDerivedType(typeof(Zip), nameof(Zip)), new JsonDerivedType(typeof(Crypt), nameof(Crypt)) },
            };
        }
    }
}

internal sealed class MemoryPackPeer : Peer
{
    // Its own of collections, which it finds by reflection elsewhere.
    static MemoryPackPeer()
    {
        MemoryPackFormatterProvider.Register(new DynamicUnionFormatter<IPlugin>((0, typeof(Zip)), (1, typeof(Crypt))));
        MemoryPackFormatterProvider.Register(new StackFormatter<int>());
        MemoryPackFormatterProvider.Register(new TwoDimensionalArrayFormatter<int>());
        MemoryPackFormatterProvider.Register(new FrozenDictionaryFormatter<string, int>());
        MemoryPackFormatterProvider.Register(new FrozenSetFormatter<string>());
    }

    public override string Name => "MemoryPack";

    public override byte[] Write<T>(T value, bool sharing) => MemoryPackSerializer.Serialize(value);

    public override T? Read<T>(byte[] payload, bool sharing)
        where T : default => MemoryPackSerializer.Deserialize<T>(payload);
}

internal sealed class NerdbankPeer : Peer
{
    private readonly MessagePackSerializer _tree = Create(ReferencePreservationMode.Off);
    private readonly MessagePackSerializer _graph = Create(ReferencePreservationMode.AllowCycles);

    public override string Name => "Nerdbank.MessagePack";

    public override byte[] Write<T>(T value, bool sharing) => (sharing ? _graph : _tree).Serialize(value, Shape<T>());

    public override T? Read<T>(byte[] payload, bool sharing)
        where T : default => (sharing ? _graph : _tree).Deserialize(payload, Shape<T>());

    public static ITypeShape<T> Shape<T>() => Witness.GeneratedTypeShapeProvider.GetTypeShapeOrThrow<T>();

    private static MessagePackSerializer Create(ReferencePreservationMode references)
    {
        var plugins = new DerivedShapeMapping<IPlugin>();
        plugins.Add(0, Shape<Zip>());
        plugins.Add(1, Shape<Crypt>());
        MessagePackSerializer serializer = new() { PreserveReferences = references, DerivedTypeUnions = [plugins] };
        return serializer.WithHiFiDateTime().WithObjectConverter(new ObjectConverterOptions { PreserveIntegerTypes = true });
    }
}
