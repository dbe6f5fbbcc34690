using Wire.Tool.Inputs;
using Wire.Tool.Walking;

namespace Wire.Tool.Checking;

/// <summary>The cost of payloads for a reader, as its limits count it.</summary>
/// <param name="settings">How the payloads are read.</param>
internal sealed class Findings(InputSettings settings)
{
    private const int MostTypes = 10_000;

    private readonly HashSet<string> _types = [];
    private readonly List<int> _levels = [];
    private long _definitionsOfSession;
    private long _definitionBytesOfSession;

    public long Payloads { get; private set; }

    public long Refused { get; private set; }

    /// <summary>Gets the bytes of all payloads.</summary>
    public long Bytes { get; private set; }

    /// <summary>Says whether the payloads are frames.</summary>
    public bool IsFramed { get; private set; }

    public long LargestPayload { get; private set; }

    public long Objects { get; private set; }

    public int Levels { get; private set; }

    public int Elements { get; private set; }

    public int StringLength { get; private set; }

    public long Definitions { get; private set; }

    public long DefinitionBytes { get; private set; }

    /// <summary>Gets the names of types, as the payloads have them.</summary>
    public IEnumerable<string> Types => _types;

    /// <summary>Gets the identifiers of known types.</summary>
    public SortedSet<int> KnownTypes { get; } = [];

    /// <summary>Says whether there are more types than <see cref="Types"/> has.</summary>
    public bool HasMoreTypes { get; private set; }

    /// <summary>Counts a payload that is refused.</summary>
    public void AddRefused(InputPayload payload)
    {
        Refused++;
        Count(payload);
    }

    /// <summary>Counts a payload.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="document">The same, parsed.</param>
    /// <param name="session">The messages up to it.</param>
    public void Add(InputPayload payload, PayloadDocument document, PayloadDocumentSession? session)
    {
        Count(payload);
        long objects = 0;
        var walk = new NodeWalk(document.Root);
        while (walk.MoveNext())
        {
            bool isObject = ObjectRule.IsObject(walk.Node);
            objects += isObject ? 1 : 0;
            Enter(walk.Depth, isObject);
            Measure(walk.Node);
        }

        Objects = CountObjects(payload, (int)Math.Max(Objects, objects), session);
        long bytes = document.Types.Sum(type => (long)type.Length);
        _definitionsOfSession += document.Types.Count;
        _definitionBytesOfSession += bytes;
        Definitions = Math.Max(Definitions, settings.IsSession ? _definitionsOfSession : document.Types.Count);
        DefinitionBytes = Math.Max(DefinitionBytes, settings.IsSession ? _definitionBytesOfSession : bytes);
        foreach (PayloadType type in document.Types)
        {
            Keep(type);
        }
    }

    private void Count(InputPayload payload)
    {
        Payloads++;
        IsFramed |= payload.Frame > 0;
        Bytes += payload.Bytes.Length;
        LargestPayload = Math.Max(LargestPayload, payload.Bytes.Length);
    }

    // Some objects are no nodes: comparers, and collections around another one. The limit counts them.
    private int CountObjects(InputPayload payload, int least, PayloadDocumentSession? session)
    {
        int most = least;
        for (int step = 1; !Fits(most); step *= 2)
        {
            least = most + 1;
            most += step;
        }

        while (least < most)
        {
            int middle = least + ((most - least) / 2);
            (least, most) = Fits(middle) ? (least, middle) : (middle + 1, most);
        }

        return most;

        bool Fits(int objects)
        {
            try
            {
                PayloadDocument.Parse(payload.Bytes, settings.Limits with { MaxObjects = objects }, session);
                return true;
            }
            catch (WireFormatException exception) when (exception.Error == WireFormatError.Limit)
            {
                return false;
            }
        }
    }

    // The number of objects around each open node.
    private void Enter(int depth, bool isObject)
    {
        int around = depth == 0 ? 0 : _levels[depth - 1];
        if (_levels.Count == depth)
        {
            _levels.Add(0);
        }

        _levels[depth] = around + (isObject ? 1 : 0);
        Levels = Math.Max(Levels, _levels[depth]);
    }

    private void Measure(PayloadNode node)
    {
        if (node.Kind is PayloadKind.Sequence or PayloadKind.Set or PayloadKind.Map or PayloadKind.Array)
        {
            Elements = Math.Max(Elements, node.Count);
        }
        else if (node.Kind == PayloadKind.Scalar && node.ScalarType == typeof(string) && node.Length > StringLength)
        {
            StringLength = Math.Max(StringLength, node.GetValue<string>()!.Length);
        }
    }

    private void Keep(PayloadType type)
    {
        if (type.KnownType is { } known)
        {
            KnownTypes.Add(known);
        }
        else if (type.Name is { } name && !_types.Contains(name))
        {
            HasMoreTypes |= _types.Count == MostTypes;
            if (_types.Count < MostTypes)
            {
                _types.Add(name);
            }
        }
    }
}
