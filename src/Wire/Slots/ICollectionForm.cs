namespace Wire.Slots;

/// <summary>
/// A value serializer of one of the library's collections, or of arrays. Where the payload has elements in another form, such as a list
/// for an array, it reads them from that.
/// </summary>
internal interface ICollectionForm
{
    /// <summary>Gets whether the type is such a form; a class of this kind may also serve others.</summary>
    bool IsForm => true;

    /// <summary>
    /// Gets the value serializer for values that are parts of an object: the payload has no number for them, and they do not take the
    /// place of the object around them.
    /// </summary>
    ValueSerializer AsPart();
}
