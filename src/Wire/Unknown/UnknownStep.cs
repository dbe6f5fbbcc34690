namespace Wire.Unknown;

/// <summary>The reading of one unknown member.</summary>
/// <param name="Schema">The unknown members of the schema.</param>
/// <param name="Index">The index of the member among them.</param>
internal sealed record UnknownStep(UnknownSchema Schema, int Index)
{
    /// <summary>Gets whether it is the last one of an object.</summary>
    public bool IsLast => Index == Schema.Members.Length - 1;
}
