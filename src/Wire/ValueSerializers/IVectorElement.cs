namespace Wire.ValueSerializers;

/// <summary>A value serializer of a type that may have a tag in the format: its one-dimensional arrays then have one too.</summary>
internal interface IVectorElement
{
    /// <summary>Makes the serializer of these arrays.</summary>
    ValueSerializer CreateVectorSerializer();
}
