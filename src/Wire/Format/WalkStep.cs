namespace Wire.Format;

/// <summary>The thing that a <see cref="LayoutWalker"/> has come to.</summary>
internal enum WalkStep : byte
{
    /// <summary>The end: behind the value with which it has begun.</summary>
    End,

    /// <summary>A null.</summary>
    Null,

    /// <summary>A value of fixed size, at which the cursor is.</summary>
    Fixed,

    /// <summary>Elements or pairs of one size, at the first of which the cursor is; there are <see cref="LayoutWalker.Count"/>.</summary>
    FixedElements,

    /// <summary>A value of a built-in type of varying size, at which the cursor is.</summary>
    Scalar,

    /// <summary>A reference to the object with the number <see cref="LayoutWalker.Number"/>.</summary>
    Reference,

    /// <summary>
    /// An object, behind whose tag the cursor is. The caller reads the manifest where the tag says that there is one, and then either
    /// enters the object or passes over it.
    /// </summary>
    Object,

    /// <summary>The end of an object that was entered.</summary>
    ObjectEnd,

    /// <summary>A value of a shape around it, to which a recursion leads: it is entered as objects are.</summary>
    Level,

    /// <summary>The end of such a value.</summary>
    LevelEnd,

    /// <summary>
    /// A value with parts. The cursor is at the first of them, and at the comparer of a set or map. The caller opens it to walk through
    /// them.
    /// </summary>
    Parts,

    /// <summary>The end of a value that was opened.</summary>
    PartsEnd,

    /// <summary>Bytes that only the value serializer of a program can read, at whose length the cursor is.</summary>
    Framed,
}
