namespace Wire.Slots;

/// <summary>
/// Marks the value serializers that also write the values of every derived class, so that the declared type determines the layout.
/// </summary>
internal interface IUnionSerializer;
