namespace Wire.ValueSerializers;

/// <summary>A value serializer of a type whose one-dimensional arrays have a tag in the format.</summary>
internal interface IVectorElement
{
    /// <summary>Makes the serializer of these arrays.</summary>
    ValueSerializer CreateVectorSerializer();
}
