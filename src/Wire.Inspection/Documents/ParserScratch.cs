using Wire.Format;
using Wire.Runtime;

namespace Wire.Documents;

/// <summary>The lists of a parser while it works, which each thread keeps for the next one. Not thread-safe.</summary>
internal sealed class ParserScratch
{
    [ThreadStatic]
    private static ParserScratch? _free;

    public Segments<OpenValue> OpenValues { get; } = new();

    public Segments<WalkLevel> Frames { get; } = new();

    public Segments<NumberedObject> Numbered { get; } = new();

    public Segments<TagChain> Chains { get; } = new();

    public List<PayloadType> Defined { get; } = [];

    public Dictionary<uint, PayloadType> Types { get; } = [];

    /// <summary>Gets empty lists. One that is not returned, because parsing has failed, is let go.</summary>
    public static ParserScratch Rent()
    {
        ParserScratch scratch = _free ?? new();
        _free = null;
        return scratch;
    }

    /// <summary>Gives the lists back.</summary>
    public void Return()
    {
        // A thread lives long, but most payloads are small.
        const int MostKept = Segments<OpenValue>.Size;
        if (OpenValues.Count > MostKept || Numbered.Count > MostKept || Chains.Count > MostKept || Defined.Count > MostKept
            || Types.Count > MostKept)
        {
            return;
        }

        Frames.Clear();
        OpenValues.Clear();
        Numbered.Clear();
        Chains.Clear();
        Defined.Clear();
        Types.Clear();
        _free = this;
    }
}
