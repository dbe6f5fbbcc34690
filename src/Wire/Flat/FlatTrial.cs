namespace Wire.Flat;

/// <summary>
/// The decision whether the elements of one collection are tried in flat code: not any more after some in a row were not for it.
/// </summary>
internal struct FlatTrial
{
    private const int MaxOthers = 3;

    private int _others;

    public readonly bool IsTried => _others < MaxOthers;

    /// <summary>Takes note of a trial.</summary>
    /// <param name="done">The number of elements that flat code has done.</param>
    public void Note(int done) => _others = done == 0 ? _others + 1 : 0;
}
