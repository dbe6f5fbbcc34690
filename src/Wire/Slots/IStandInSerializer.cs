namespace Wire.Slots;

/// <summary>
/// Marks the value serializers whose objects keep their class, although they are written as a base class.
/// </summary>
internal interface IStandInSerializer;
