using System.Collections.Immutable;
using Apex.Serialization;
using Bench.FSharp;
using Microsoft.FSharp.Collections;

namespace Wire.Benchmarks.Peers;

/// <summary>
/// Apex.Serialization, which writes fields as they are in memory, without an identifier of their version. Classes that are not sealed say
/// which one they are also where both sides name the class, so that the rows in which they are the root are those of any type.
/// </summary>
internal sealed class ApexPeer : SourcePeer
{
    public override string Name => "Apex";

    private string OfObject => $"{Name}, object";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<OneInt> number =>
        [
            number.Row(Name, Typing.Static, new OneIntApexCodec(Create(Mode.Tree))),
            number.Row(OfObject, Typing.Polymorphic, new ApexObjectCodec<OneInt>(Create(Mode.Tree))),
        ],
        Scenario<Order> or Scenario<int[]> or Scenario<string> or Scenario<Poco[]> =>
        [
            scenario.Row(Name, Typing.Static, new ApexCodec<T>(Create(Mode.Tree))),
            scenario.Row(OfObject, Typing.Polymorphic, new ApexObjectCodec<T>(Create(Mode.Tree))),
        ],
        Scenario<TreeNode> =>
        [
            scenario.Row($"{Name}, graph", Typing.Static, new ApexCodec<T>(Create(Mode.Graph))),
            scenario.Row($"{OfObject}, graph", Typing.Polymorphic, new ApexObjectCodec<T>(Create(Mode.Graph))),
        ],
        Scenario<Conversation> conversation =>
            [conversation.Row(OfObject, Typing.Polymorphic, new ConversationOf<ApexObjectCodec<object>>(new(Create(Mode.Tree))))],
        Scenario<Poco> or Scenario<List<Poco>> or Scenario<ImmutableList<Poco>> or Scenario<List<Figure>> or Scenario<List<IShape>>
            or Scenario<object?[]> or Scenario<FSharpList<Event>> =>
            [scenario.Row(OfObject, Typing.Polymorphic, new ApexObjectCodec<T>(Create(Mode.Tree)))],
        Scenario<Dictionary<string, Poco>> =>
            [scenario.Cannot(Name, Typing.Polymorphic, "copies the hash codes of a dictionary, and therefore does not support it")],
        _ => [],
    };

    public override IEnumerable<Row> Rows(Traffic traffic)
    {
        if (traffic.Name == Traffic.VariedText)
        {
            yield return traffic.Row(Name, Typing.Static, new RemarkApexCodec(Create(Mode.Tree)));
        }

        if (traffic.Name is Traffic.MixedTypes or Traffic.VariedText)
        {
            yield return traffic.Row(OfObject, Typing.Polymorphic, new ApexObjectCodec<object>(Create(Mode.Tree)));
        }
    }

    private static IBinary Create(Mode mode) => Binary.Create(
        new Settings { SerializationMode = mode, UseSerializedVersionId = false }.MarkSerializable(IsOfModel));

    // The classes of the model, and those of the platform and of F# that they are made of.
    private static bool IsOfModel(Type type) =>
        type.Namespace is { } name
        && (name == nameof(Bench) || name.StartsWith("Bench.", StringComparison.Ordinal)
            || name == nameof(System) || name.StartsWith("System.Collections", StringComparison.Ordinal)
            || name == typeof(FSharpList<>).Namespace);
}

/// <summary>Both sides know which class it is.</summary>
internal readonly struct ApexCodec<T>(IBinary binary) : ICodec<T>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        binary.Write(value, _streams.Output());
        return _streams.Written;
    }

    public T Read(ReadOnlySpan<byte> payload) => binary.Read<T>(_streams.Input(payload));
}

/// <summary>The payload says which class it is.</summary>
internal readonly struct ApexObjectCodec<T>(IBinary binary) : ICodec<T>
    where T : class
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        binary.Write<object>(value, _streams.Output());
        return _streams.Written;
    }

    public T Read(ReadOnlySpan<byte> payload) => (T)binary.Read<object>(_streams.Input(payload));
}

// As ApexCodec, for the messages of nanoseconds: they name the class, for the same reason as the codecs of Wire do.

internal readonly struct OneIntApexCodec(IBinary binary) : ICodec<OneInt>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        binary.Write(value, _streams.Output());
        return _streams.Written;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => binary.Read<OneInt>(_streams.Input(payload));
}

internal readonly struct RemarkApexCodec(IBinary binary) : ICodec<object>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(object value)
    {
        binary.Write((Remark)value, _streams.Output());
        return _streams.Written;
    }

    public object Read(ReadOnlySpan<byte> payload) => binary.Read<Remark>(_streams.Input(payload));
}
