using System.Numerics;
using Wire.Tool.Inputs;
using Wire.Tool.Walking;

namespace Wire.Tool.Checking;

/// <summary>The cost of payloads for a reader, as its limits count it.</summary>
/// <param name="isSession">Whether the payloads are messages of one session.</param>
internal sealed class Findings(bool isSession)
{
    private const int MostTypes = 10_000;

    private readonly HashSet<string> _types = [];
    private long _definitionsOfSession;
    private long _definitionBytesOfSession;

    public long Payloads { get; private set; }

    public long Refused { get; private set; }

    /// <summary>Gets the bytes of all payloads.</summary>
    public long Bytes { get; private set; }

    /// <summary>Gets whether the payloads are frames.</summary>
    public bool IsFramed { get; private set; }

    public long LargestPayload { get; private set; }

    public int Objects { get; private set; }

    public int Levels { get; private set; }

    public int Elements { get; private set; }

    public int StringLength { get; private set; }

    public long Definitions { get; private set; }

    public long DefinitionBytes { get; private set; }

    /// <summary>Gets the names of types, as the payloads have them.</summary>
    public IEnumerable<string> Types => _types;

    /// <summary>Gets the identifiers of known types.</summary>
    public SortedSet<int> KnownTypes { get; } = [];

    /// <summary>Gets the names of the types whose objects a surrogate has replaced.</summary>
    public SortedSet<string> Surrogates { get; } = new(StringComparer.Ordinal);

    /// <summary>Gets whether there are unions or other types of F#.</summary>
    public bool HasFSharp { get; private set; }

    /// <summary>Gets whether there are more types than <see cref="Types"/> has.</summary>
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
    public void Add(InputPayload payload, PayloadDocument document)
    {
        Count(payload);
        Levels = Math.Max(Levels, document.Depth);
        Objects = Math.Max(Objects, document.ObjectCount);
        var walk = new NodeWalk(document.Root);
        while (walk.MoveNext())
        {
            Measure(walk.Node);
        }

        long bytes = document.Types.Sum(type => (long)type.Length);
        _definitionsOfSession += document.Types.Count;
        _definitionBytesOfSession += bytes;
        Definitions = Math.Max(Definitions, isSession ? _definitionsOfSession : document.Types.Count);
        DefinitionBytes = Math.Max(DefinitionBytes, isSession ? _definitionBytesOfSession : bytes);
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

    private void Measure(PayloadNode node)
    {
        HasFSharp |= node.Kind == PayloadKind.Union;
        if (node.Kind is PayloadKind.Sequence or PayloadKind.Set or PayloadKind.Map or PayloadKind.Array)
        {
            Elements = Math.Max(Elements, node.Count);
        }
        else if (node.Kind == PayloadKind.Scalar && node.ScalarType == typeof(BigInteger) && node.Length > Elements)
        {
            Elements = Math.Max(Elements, node.GetValue<BigInteger>().GetByteCount());
        }
        else if (node.Kind == PayloadKind.Scalar && node.ScalarType == typeof(string) && node.Length > StringLength)
        {
            StringLength = Math.Max(StringLength, node.GetValue<string>()!.Length);
        }
    }

    private void Keep(PayloadType type)
    {
        HasFSharp |= type.Name?.Contains("Microsoft.FSharp.", StringComparison.Ordinal) == true;
        if (type.IsSurrogate && Surrogates.Count < MostTypes)
        {
            Surrogates.Add(type.Name ?? (type.KnownType is { } number ? $"known type {number}" : "a type without a name"));
        }

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
