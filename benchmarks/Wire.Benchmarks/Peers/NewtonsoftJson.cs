using System.Collections.Immutable;
using System.Text;
using Bench.FSharp;
using Microsoft.FSharp.Collections;
using Newtonsoft.Json;

namespace Wire.Benchmarks.Peers;

/// <summary>
/// Newtonsoft.Json, from and to UTF-8 by streams and with a serializer and buffers that are used again, as its notes on performance advise.
/// </summary>
internal sealed class NewtonsoftJson : Peer
{
    private static readonly HashSet<Type> Types =
    [
        typeof(Poco), typeof(OneInt), typeof(Order), typeof(List<Poco>), typeof(Poco[]), typeof(Dictionary<string, Poco>),
        typeof(ImmutableList<Poco>), typeof(int[]), typeof(string), typeof(FSharpList<Event>),
    ];

    public override string Name => "Newtonsoft.Json";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario)
    {
        var named = new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.All };
        if (scenario is Scenario<TreeNode>)
        {
            yield return Row(
                scenario,
                Typing.Static,
                "references",
                typeof(T),
                new() { PreserveReferencesHandling = PreserveReferencesHandling.Objects });
            named.PreserveReferencesHandling = PreserveReferencesHandling.Objects;
            yield return Row(scenario, Typing.Polymorphic, "TypeNameHandling.All, references", typeof(object), named);
        }
        else if (scenario is Scenario<List<Figure>> or Scenario<List<IShape>>)
        {
            yield return Row(scenario, Typing.Polymorphic, "TypeNameHandling.All", typeof(object), named);
        }
        else if (scenario is Scenario<Conversation> conversation)
        {
            yield return conversation.Row(
                $"{Name}, TypeNameHandling.All",
                Typing.Polymorphic,
                new ConversationOf<NewtonsoftCodec<object>>(new(named, typeof(object))));
        }
        else if (scenario is Scenario<object?[]>)
        {
            yield return scenario.Cannot(Name, Typing.Polymorphic, "reads an int as a long, and a Guid as a string");
        }
        else if (Types.Contains(typeof(T)))
        {
            yield return Row(scenario, Typing.Static, "TypeNameHandling.None", typeof(T), new());
            yield return Row(scenario, Typing.Polymorphic, "TypeNameHandling.All", typeof(object), named);
        }
    }

    public override IEnumerable<Row> Rows(Traffic traffic)
    {
        if (traffic.Name == Traffic.VariedText)
        {
            yield return traffic.Row(
                $"{Name}, TypeNameHandling.None", Typing.Static, new NewtonsoftCodec<object>(new(), typeof(Remark)));
        }

        if (traffic.Name is Traffic.MixedTypes or Traffic.VariedText)
        {
            yield return traffic.Row(
                $"{Name}, TypeNameHandling.All",
                Typing.Polymorphic,
                new NewtonsoftCodec<object>(new() { TypeNameHandling = TypeNameHandling.All }, typeof(object)));
        }
    }

    private Row Row<T>(Scenario<T> scenario, Typing typing, string what, Type root, JsonSerializerSettings settings)
        where T : class => scenario.Row($"{Name}, {what}", typing, new NewtonsoftCodec<T>(settings, root));
}

internal readonly struct NewtonsoftCodec<T> : ICodec<T>
    where T : class
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    // A serializer numbers identities on from one graph to the next, so that each graph takes one of its own, as in JsonConvert.
    private readonly Func<JsonSerializer> _serializer;
    private readonly Type _root;
    private readonly MessageStreams _streams = new();
    private readonly StreamWriter _writer;
    private readonly StreamReader _reader;

    public NewtonsoftCodec(JsonSerializerSettings settings, Type root)
    {
        JsonSerializer serializer = JsonSerializer.Create(settings);
        _serializer = settings.PreserveReferencesHandling == PreserveReferencesHandling.None
            ? () => serializer
            : () => JsonSerializer.Create(settings);
        _root = root;
        _writer = new StreamWriter(_streams.Output(), Utf8);
        _reader = new StreamReader(_streams.Input([]), Utf8, detectEncodingFromByteOrderMarks: false);
    }

    public ReadOnlySpan<byte> Write(T value)
    {
        _streams.Output();
        using (var json = new JsonTextWriter(_writer) { CloseOutput = false, ArrayPool = CharacterPool.Shared })
        {
            _serializer().Serialize(json, value, _root);
        }

        _writer.Flush();
        return _streams.Written;
    }

    public T Read(ReadOnlySpan<byte> payload)
    {
        _streams.Input(payload);
        _reader.DiscardBufferedData();
        using var json = new JsonTextReader(_reader) { CloseInput = false, ArrayPool = CharacterPool.Shared };
        return (T)_serializer().Deserialize(json, _root)!;
    }

    /// <summary>The pool of the platform, in the library's terms.</summary>
    private sealed class CharacterPool : IArrayPool<char>
    {
        public static readonly CharacterPool Shared = new();

        public char[] Rent(int minimumLength) => System.Buffers.ArrayPool<char>.Shared.Rent(minimumLength);

        public void Return(char[]? array)
        {
            if (array is not null)
            {
                System.Buffers.ArrayPool<char>.Shared.Return(array);
            }
        }
    }
}

/// <summary>
/// For libraries that write to and read from streams: two in memory, used again for each message. The payload is copied into the one
/// that is read, which takes the time of a memory copy and nothing beside what such a library does.
/// </summary>
internal sealed class MessageStreams
{
    private readonly MemoryStream _output = new(1024);
    private readonly MemoryStream _input = new(1024);

    /// <summary>What the last message was written to.</summary>
    public ReadOnlySpan<byte> Written => _output.GetBuffer().AsSpan(0, (int)_output.Length);

    /// <summary>An empty stream for the next message.</summary>
    public MemoryStream Output()
    {
        _output.SetLength(0);
        return _output;
    }

    /// <summary>A stream at the beginning of a payload.</summary>
    public MemoryStream Input(ReadOnlySpan<byte> payload)
    {
        _input.SetLength(payload.Length);
        _input.Position = 0;
        payload.CopyTo(_input.GetBuffer());
        return _input;
    }
}
