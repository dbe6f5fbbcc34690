namespace Wire.Slots;

/// <summary>A value serializer whose objects take other memory than their fields.</summary>
internal interface IMeasured
{
    /// <summary>Estimates the memory of an object, without the objects it refers to.</summary>
    long MeasureObject();
}
