using Wire.Format;
using Wire.Runtime;

namespace Wire.Documents;

/// <summary>
/// An open value of a payload: one with parts, of varying size. In the order in which values begin, so that those inside it follow it.
/// </summary>
/// <param name="Start">The position of its first byte.</param>
/// <param name="End">The position behind it.</param>
/// <param name="Next">The number of the first open value that begins behind it.</param>
internal record struct OpenValue(int Start, int End, int Next);

/// <summary>An open value of which not all parts are there.</summary>
/// <param name="Open">Its number among the open values.</param>
/// <param name="Parts">The number of its parts that can be read; of a map, its keys and values.</param>
internal readonly record struct CutValue(int Open, long Parts);

/// <summary>An object that has a number.</summary>
/// <param name="Start">The position of its tag.</param>
/// <param name="OpenValues">The number of open values before it.</param>
/// <param name="Position">The layout of the variable that holds it; null for one inside of bytes that only its serializer can read.</param>
/// <param name="Outer">The number of the object that stands for it in the same place, or its own.</param>
internal record struct NumberedObject(int Start, int OpenValues, Shape? Position, int Outer)
{
    /// <summary>Gets or sets whether something refers to it, or to one for which it stands.</summary>
    public bool IsReferredTo { get; set; }
}

/// <summary>Many tags in one place, as of objects that stand for each other: whoever reads the value begins at the last one.</summary>
/// <param name="Start">The position of the first tag.</param>
/// <param name="Last">The position of the last tag.</param>
/// <param name="Position">The layout of the variable that the last tag is in.</param>
/// <param name="Type">The type that was named last in front of it; null for none.</param>
internal readonly record struct TagChain(int Start, int Last, Shape Position, PayloadType? Type);

/// <summary>The findings of the parser, which make it possible to pass over any value at once.</summary>
internal sealed class DocumentIndex
{
    /// <summary>Gets the open values.</summary>
    public required Segments<OpenValue> OpenValues { get; init; }

    /// <summary>Gets the objects, by number; none without references.</summary>
    public required Segments<NumberedObject> Objects { get; init; }

    /// <summary>Gets the places with many tags, in order.</summary>
    public required Segments<TagChain> Chains { get; init; }

    /// <summary>Gets the types that the payload defines, in the order of their positions.</summary>
    public required PayloadType[] Defined { get; init; }

    /// <summary>
    /// Gets the types that a message of a session defines or uses, by identifier; null for others, which define all in order.
    /// </summary>
    public required Dictionary<uint, PayloadType>? Types { get; init; }

    /// <summary>Gets whether the header announces references.</summary>
    public required bool HasReferences { get; init; }

    /// <summary>Gets the number of objects.</summary>
    public required int ObjectCount { get; init; }

    /// <summary>Gets the most objects inside each other.</summary>
    public required int Depth { get; init; }

    /// <summary>
    /// Gets the values in which the payload ends too early, from the outermost one on; none where it is whole. The last part of each is the
    /// next one, and that of the last is not there.
    /// </summary>
    public required CutValue[] Cut { get; init; }

    /// <summary>Gets the position of the root.</summary>
    public required int Root { get; init; }

    /// <summary>Gets the number of parts that are there of an open value; null where all are.</summary>
    public long? CutAt(int open)
    {
        int at = LowerBound.Find(Cut, Cut.Length, open, static (cut, i) => cut[i].Open);
        return at < Cut.Length && Cut[at].Open == open ? Cut[at].Parts : null;
    }

    /// <summary>Returns whether the open value with a number is the one that begins at a position.</summary>
    public bool IsOpenAt(int number, int start) => number < OpenValues.Count && OpenValues[number].Start == start;

    /// <summary>Gets the type with an identifier.</summary>
    public PayloadType TypeOf(uint id) => Types is null ? Defined[id] : Types[id];

    /// <summary>Finds the type that is defined at a position.</summary>
    public PayloadType TypeAt(int offset) =>
        Defined[LowerBound.Find(Defined, Defined.Length, offset, static (types, i) => types[i].Offset)];

    /// <summary>Finds the number of the object that begins at a position; -1 for none.</summary>
    public int NumberAt(int offset)
    {
        int number = LowerBound.Find(Objects, Objects.Count, offset, static (objects, i) => objects[i].Start);
        return number < Objects.Count && Objects[number].Start == offset && Objects[number].Position is not null ? number : -1;
    }

    /// <summary>Finds the many tags that begin at a position.</summary>
    public bool TryFindChain(int offset, out TagChain chain)
    {
        int number = Chains.Count == 0 ? 0 : LowerBound.Find(Chains, Chains.Count, offset, static (chains, i) => chains[i].Start);
        bool isFound = number < Chains.Count && Chains[number].Start == offset;
        chain = isFound ? Chains[number] : default;
        return isFound;
    }

    /// <summary>Returns whether something refers to the object with a number, or to one for which it stands.</summary>
    public bool IsReferredTo(int number) => Objects[number].IsReferredTo;
}
