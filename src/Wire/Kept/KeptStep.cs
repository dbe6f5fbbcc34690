using Wire.Messages;

namespace Wire.Kept;

/// <summary>The reading of one unknown member.</summary>
/// <param name="Schema">The unknown members of the schema.</param>
/// <param name="Index">The index of the member among them.</param>
/// <param name="Above">The layouts around the member, for recursions.</param>
internal sealed record KeptStep(KeptSchema Schema, int Index, Skipper.Levels? Above)
{
    /// <summary>Gets whether it is the last one of an object.</summary>
    public bool IsLast => Index == Schema.Members.Length - 1;
}
