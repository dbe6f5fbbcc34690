using Wire.Copying;

namespace Wire.Slots;

/// <summary>
/// A value serializer whose values can be a part of an object: the state of its .NET base class. The object is created uninitialized and
/// the part is constructed in place, so no code of the derived class runs.
/// </summary>
internal interface IBasePart
{
    /// <summary>
    /// The name of the part of a collection, among the members of a class that derives from it. No language can give a field this name.
    /// </summary>
    const string Items = "<items>";

    /// <summary>The part's name in the schema.</summary>
    string PartName { get; }

    /// <summary>Constructs the part and reads it.</summary>
    void ReadInto(ref WireReader reader, object target);

    /// <summary>Constructs the part when the writer's type had none.</summary>
    void ConstructEmpty(object target);

    /// <summary>Constructs the part of a copy, or gives the copy up.</summary>
    void CopyInto(ref GraphCopier copier, object source, object target);

    /// <summary>Called after <see cref="ConstructEmpty"/>, for checks that need the whole graph.</summary>
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
