namespace Wire.Slots;

/// <summary>A value serializer whose elements take another least number of bytes than its values of fixed size.</summary>
internal interface IElementSized
{
    /// <summary>The least number of bytes that an element of a collection takes: at least 1.</summary>
    int LeastSize { get; }
}
