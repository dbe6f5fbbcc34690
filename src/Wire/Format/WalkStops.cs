namespace Wire.Format;

/// <summary>
/// The values at which a <see cref="LayoutWalker"/> stops beside objects, references, levels and frames; it passes over the others.
/// </summary>
internal enum WalkStops : byte
{
    /// <summary>All.</summary>
    All,

    /// <summary>Those with parts of varying size, and those of a fixed size of which not all bytes are a value.</summary>
    Checked,

    /// <summary>Those with parts of varying size.</summary>
    Parts,
}
