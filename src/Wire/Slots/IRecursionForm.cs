namespace Wire.Slots;

/// <summary>
/// Marks the value serializers that are never the target of a writer's recursion themselves: how they read one, if at all, is for them to
/// say, as of any other layout.
/// </summary>
internal interface IRecursionForm;
