namespace Wire.Slots;

/// <summary>A variable whose values may stand in the window.</summary>
internal interface IWindowSlot
{
    /// <summary>The code for values in the window; null when there is none.</summary>
    IWindowSerializer? InWindow { get; }
}
