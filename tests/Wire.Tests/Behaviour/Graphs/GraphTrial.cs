using System.Diagnostics;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Graphs;

/// <summary>How something that was made by choices broke a promise.</summary>
/// <param name="Kind">Which promise, in one word.</param>
/// <param name="Place">Where, so that violations of one cause are one.</param>
/// <param name="Text">What has happened.</param>
internal sealed record Violation(string Kind, string Place, string Text);

/// <summary>Writes and reads graphs that are made by choices, in all ways, and compares them with what they were.</summary>
internal sealed class GraphTrial
{
    private readonly Serializer _serializer;
    private readonly Serializer _reader;
    private readonly bool _isProjected;

    private GraphTrial(string name, bool references, bool tolerance, bool dynamicCode, bool isProjected = false)
    {
        var options = new SerializerOptions
        {
            PreserveObjectReferences = references,
            VersionTolerance = tolerance,
            DynamicCode = dynamicCode,
            TypeFilter = Configuration.Types,
            Surrogates =
            [
                Surrogate.Create<Kid, KidName>(
                    kid => new KidName { Parent = kid.Parent, Id = kid.Id },
                    stand => new Kid(stand.Parent, stand.Id)),
            ],
            ValueSerializerFactories = [ValueSerializerFactory.For(new FramedSerializer())],
        };
        Name = $"{name}, {(dynamicCode ? "emitted" : "reflected")}";
        _isProjected = isProjected;
        (_serializer, _reader) = (new Serializer(options), new Serializer(options));
    }

    public static IReadOnlyList<GraphTrial> All { get; } = [.. new[] { true, false }.SelectMany(dynamicCode => new GraphTrial[]
    {
        new("references", references: true, tolerance: true, dynamicCode),
        new("references schemaless", references: true, tolerance: false, dynamicCode),
        new("plain", references: false, tolerance: true, dynamicCode),
        new("plain schemaless", references: false, tolerance: false, dynamicCode),
        new("removed members", references: true, tolerance: true, dynamicCode, isProjected: true),
    })];

    public string Name { get; }

    public override string ToString() => Name;

    /// <summary>How the graph of some choices does not come back; null when all is well.</summary>
    public Violation? Violation(byte[] bytes)
    {
        var choices = new Choices(bytes);
        int way = choices.Pick(7);
        var graph = new RandomGraph(choices, cycles: _serializer.Options.PreserveObjectReferences);
        object? value = _isProjected ? CaseOf(graph, choices) : graph.Any();
        object? expected = value is WrittenCase written ? Projected(written, []) : value;

        // What is made has to be what the comparison can be asked about.
        GraphAssert.Same(expected, expected, sharing: true);
        object? actual;
        try
        {
            actual = _isProjected ? Projection(way, value) : Through(way, value);
        }
        catch (Exception e) when (graph.IsRightRefusal(e))
        {
            return null;
        }
        catch (Exception e)
        {
            return new Violation("refused", $"{e.GetType().Name} {PlaceOf(e)}", $"An honest graph is refused in the way {way}: {e}");
        }

        try
        {
            GraphAssert.Same(expected, actual, _serializer.Options.PreserveObjectReferences);
            return null;
        }
        catch (GraphDifferenceException e)
        {
            return new Violation("different", e.Kind, $"What came back in the way {way} is not what was sent: {e.Message}");
        }
    }

    private ReadCase? Projection(int way, object? value)
    {
        byte[] payload = _serializer.Serialize(value);
        using DeserializerSession session = _reader.GetDeserializerSession();
        switch (way)
        {
            case 0:
                return _reader.Deserialize<ReadCase>(Fragments.Every(payload, 3));
            case 1:
                return _reader.Deserialize<ReadCase>(new SeekableStream(payload));
            case 2:
                // What stands alone leaves nothing in a session for what comes next.
                _reader.Deserialize<ReadCase>(payload, session);
                return _reader.Deserialize<ReadCase>(payload, session);
            case 3:
                using (SerializerSession writing = _serializer.GetSerializerSession())
                {
                    _reader.Deserialize<ReadCase>(_serializer.Serialize(value, writing), session);
                    return _reader.Deserialize<ReadCase>(_serializer.Serialize(value, writing), session);
                }

            default:
                return _reader.Deserialize<ReadCase>(payload);
        }
    }

    private object? Through(int way, object? value)
    {
        switch (way)
        {
            case 0:
                return _reader.Deserialize<object>(_serializer.Serialize(value));
            case 1:
                return _serializer.Clone(value);
            case 2:
                using (SerializerSession writing = _serializer.GetSerializerSession())
                using (DeserializerSession reading = _reader.GetDeserializerSession())
                {
                    _reader.Deserialize<object>(_serializer.Serialize(value, writing), reading);
                    return _reader.Deserialize<object>(_serializer.Serialize(value, writing), reading);
                }

            case 3:
                using (var stream = new MemoryStream())
                {
                    _serializer.SerializeFramedAsync(value, stream).AsTask().GetAwaiter().GetResult();
                    return _reader.DeserializeFramedAsync<object>(new TrickleStream(stream.ToArray(), 5)).AsTask().GetAwaiter().GetResult();
                }

            case 4:
                return _reader.Deserialize<object>(Fragments.Every(_serializer.Serialize(value), 3));
            case 5:
                return _reader.DeserializeTyped<Box<object>>(_serializer.SerializeTyped(new Box<object> { Value = value }))!.Value;
            default:
                return _reader.Deserialize<object>(new TrickleStream(_serializer.Serialize(value), 1));
        }
    }

    // What the kept members share with each other and with removed ones.
    private static WrittenCase CaseOf(RandomGraph graph, Choices choices)
    {
        WrittenCase? next = null;
        for (int i = choices.Pick(3); i >= 0; i--)
        {
            object? archived = graph.Any(3);
            object? kept = graph.Any(2);
            next = new WrittenCase
            {
                Archive = choices.OneIn(2) ? archived : new object?[] { 1, kept, archived },
                Before = choices.OneIn(2) ? [kept, "between"] : null,
                Cell = new Cell { Any = choices.OneIn(2) ? kept : null },
                Kept = kept,
                Next = next,
                Rest = choices.OneIn(2) ? [archived, kept, graph.Any(3)] : null,
            };
        }

        return next!;
    }

    private static ReadCase? Projected(WrittenCase? written, Dictionary<WrittenCase, ReadCase> known)
    {
        if (written is null || known.TryGetValue(written, out ReadCase? projected))
        {
            return written is null ? null : known[written];
        }

        known.Add(written, projected = new ReadCase { Kept = written.Kept, Rest = written.Rest });
        projected.Next = Projected(written.Next, known);
        return projected;
    }

    private static string PlaceOf(Exception e) => string.Join(" < ", new StackTrace(e).GetFrames()
        .Select(frame => frame.GetMethod())
        .Where(method => method?.DeclaringType?.Assembly == typeof(Serializer).Assembly
            && method.DeclaringType.Name is not ("Throw" or nameof(WireFormatException)))
        .Take(2)
        .Select(method => $"{method!.DeclaringType!.Name}.{method.Name}"));
}
