extern alias OriginalWire;

using System.Collections.Immutable;
using Bench.FSharp;
using Microsoft.FSharp.Collections;
using Wire.Benchmarks.Floors;
using Original = OriginalWire::Wire;

namespace Wire.Benchmarks.Peers;

/// <summary>
/// The Wire that this one is named after, which its author has archived. Its assembly has another name here, as it has the same namespace.
/// </summary>
internal sealed class OriginalWirePeer : SourcePeer
{
    private static readonly Type[] KnownTypes =
    [
        typeof(Poco), typeof(OneInt), typeof(Order), typeof(Ping), typeof(Ack), typeof(Reading), typeof(Notice), typeof(Move),
        typeof(Account), typeof(Transfer), typeof(Samples), typeof(Line), typeof(Basket), typeof(Remark),
    ];

    private const string InvalidReader = "the code that it makes for reading is not valid, and throws";

    public override string Name => "Original Wire";

    public override string Folder => "OriginalWire";

    private string WithReferences => $"{Name}, references";

    private string WithKnownTypes => $"{Name}, known types";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<Poco> or Scenario<OneInt> =>
        [
            scenario.Row(Name, Typing.Polymorphic, new OriginalWireCodec<T>(Create(false))),
            scenario.Row(WithReferences, Typing.Polymorphic, new OriginalWireCodec<T>(Create(true))),
            scenario.Row(WithKnownTypes, Typing.Polymorphic, new OriginalWireCodec<T>(Create(false, KnownTypes))),
        ],
        Scenario<Order> =>
        [
            scenario.Row(Name, Typing.Polymorphic, new OriginalWireCodec<T>(Create(false))),
            scenario.Cannot(WithReferences, Typing.Polymorphic, InvalidReader),
            scenario.Row(WithKnownTypes, Typing.Polymorphic, new OriginalWireCodec<T>(Create(false, KnownTypes))),
        ],
        Scenario<Dictionary<string, Poco>> =>
        [
            scenario.Row(Name, Typing.Polymorphic, new OriginalWireCodec<T>(Create(false))),
            scenario.Cannot(WithReferences, Typing.Polymorphic, InvalidReader),
        ],
        Scenario<TreeNode> => [scenario.Row(WithReferences, Typing.Polymorphic, new OriginalWireCodec<T>(Create(true)))],
        Scenario<Conversation> conversation =>
            [conversation.Row($"{Name}, one session", Typing.Polymorphic, new OriginalWireConversation(Create(false)))],
        Scenario<List<Poco>> or Scenario<Poco[]> or Scenario<ImmutableList<Poco>> or Scenario<List<Figure>> or Scenario<List<IShape>>
            or Scenario<object?[]> or Scenario<FSharpList<Event>> or Scenario<int[]> or Scenario<string> =>
        [
            scenario.Row(Name, Typing.Polymorphic, new OriginalWireCodec<T>(Create(false))),
            scenario.Row(WithReferences, Typing.Polymorphic, new OriginalWireCodec<T>(Create(true))),
        ],
        _ => [],
    };

    public override IEnumerable<Row> Rows(Traffic traffic)
    {
        if (traffic.Name is Traffic.MixedTypes or Traffic.VariedText)
        {
            yield return traffic.Row(Name, Typing.Polymorphic, new OriginalWireCodec<object>(Create(false)));
            yield return traffic.Row(WithReferences, Typing.Polymorphic, new OriginalWireCodec<object>(Create(true)));
            yield return traffic.Row(WithKnownTypes, Typing.Polymorphic, new OriginalWireCodec<object>(Create(false, KnownTypes)));
        }
    }

    private static Original.Serializer Create(bool references, params Type[] knownTypes) =>
        new(new Original.SerializerOptions(preserveObjectReferences: references, knownTypes: knownTypes));
}

internal readonly struct OriginalWireCodec<T>(Original.Serializer serializer) : ICodec<T>
    where T : class
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        serializer.Serialize(value, _streams.Output());
        return _streams.Written;
    }

    public T Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<T>(_streams.Input(payload));
}

/// <summary>A session of its own for each conversation.</summary>
internal readonly struct OriginalWireConversation(Original.Serializer serializer) : ICodec<Conversation>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(Conversation value)
    {
        MemoryStream output = _streams.Output();
        using Original.SerializerSession session = serializer.GetSerializerSession();
        foreach (object message in value.Messages)
        {
            serializer.Serialize(message, output, session);
        }

        return _streams.Written;
    }

    public Conversation Read(ReadOnlySpan<byte> payload)
    {
        MemoryStream input = _streams.Input(payload);
        using Original.DeserializerSession session = serializer.GetDeserializerSession();
        var messages = new object[ConversationFloor.Count];
        for (int i = 0; i < messages.Length; i++)
        {
            messages[i] = serializer.Deserialize(input, session);
        }

        return new Conversation(messages);
    }
}
