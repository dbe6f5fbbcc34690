namespace Wire.ValueSerializers;

/// <summary>
/// A value serializer whose values can be a part of an object: what a class has from its base class of .NET. The part is constructed in
/// place, so that no code of the derived class runs.
/// </summary>
internal interface IBasePart
{
    /// <summary>
    /// The name of the part of a collection, among the members of a class that derives from it. No language gives a field such a name.
    /// </summary>
    const string Items = "<items>";

    /// <summary>The part's name in the schema.</summary>
    string PartName { get; }

    /// <summary>Constructs the part and reads it.</summary>
    void ReadInto(ref WireReader reader, object target);

    /// <summary>Constructs the part when the writer's type had none.</summary>
    void ConstructEmpty(object target);

    /// <summary>Called behind <see cref="ConstructEmpty"/>, for what can be said only when the whole graph has been read.</summary>
    void Finish(DeserializerSession session, object target)
    {
    }

    /// <summary>Constructs the part of an object whose writer had none.</summary>
    static void ConstructMissing(ref WireReader reader, object target, IBasePart part)
    {
        part.ConstructEmpty(target);
        part.Finish(reader.Session, target);
    }
}
