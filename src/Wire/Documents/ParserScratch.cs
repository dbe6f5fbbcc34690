namespace Wire.Documents;

/// <summary>The lists of a parser while it works, which each thread keeps for the next one. Not thread-safe.</summary>
internal sealed class ParserScratch
{
    // A thread lives long, but most payloads are small.
    private const int MostKept = 1024;

    [ThreadStatic]
    private static ParserScratch? _free;

    public List<OpenValue> OpenValues { get; } = [];

    public List<NumberedObject> Numbered { get; } = [];

    public HashSet<int> Referred { get; } = [];

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
        if (OpenValues.Capacity > MostKept || Numbered.Capacity > MostKept || Referred.Count > MostKept || Defined.Count > MostKept
            || Types.Count > MostKept)
        {
            return;
        }

        OpenValues.Clear();
        Numbered.Clear();
        Referred.Clear();
        Defined.Clear();
        Types.Clear();
        _free = this;
    }
}
