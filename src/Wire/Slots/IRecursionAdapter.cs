namespace Wire.Slots;

/// <summary>
/// Marks the value serializers that a writer's recursion does not lead to: they adapt to it, or refuse it, as to any other layout.
/// </summary>
internal interface IRecursionAdapter;
