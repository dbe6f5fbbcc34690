using Wire.Types;

namespace Wire.Slots;

/// <summary>A variable of a reference type, without that type.</summary>
internal interface IObjectSlot
{
    /// <summary>
    /// The entry of the declared type, whose objects can be compiled into the code around the variable; null where they cannot.
    /// </summary>
    TypeEntry? ExactEntry { get; }

    /// <summary>Gets whether the filter has allowed the declared type, which payloads need not name.</summary>
    bool IsExactJudged { get; }
}
