namespace Wire.Paths;

/// <summary>The kinds of instructions of a path's program.</summary>
internal enum PathCode
{
    /// <summary>Passes over text or null.</summary>
    Text,

    /// <summary>Passes over a value of fixed size, or null.</summary>
    Nullable,

    /// <summary>Passes over any value.</summary>
    Value,

    /// <summary>Goes on where a value is not null.</summary>
    Present,

    /// <summary>Passes over the comparer of a set or map.</summary>
    Comparer,

    /// <summary>Goes to an element.</summary>
    Element,

    /// <summary>Goes to the value of a key.</summary>
    Key,
}

/// <summary>The kinds of ends of a part of a path's program.</summary>
internal enum PathEnd
{
    /// <summary>The value.</summary>
    Value,

    /// <summary>The tag of the value, or null.</summary>
    TaggedValue,

    /// <summary>An object, whose layout its tag says: another part goes on inside of it.</summary>
    Object,

    /// <summary>The number of a union's case: another part goes on inside of it.</summary>
    Case,

    /// <summary>There is no such value.</summary>
    Missing,

    /// <summary>Something that is left to the general way.</summary>
    Other,
}

/// <summary>The outcomes of a walk along a path.</summary>
internal enum PathOutcome
{
    /// <summary>It is out of the ordinary, or damaged: the general way says what it is.</summary>
    Other,

    /// <summary>There is no such value.</summary>
    Missing,

    /// <summary>The value is there.</summary>
    Found,

    /// <summary>It is null, behind a tag.</summary>
    Null,
}
