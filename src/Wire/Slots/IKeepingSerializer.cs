using Wire.Unknown;

namespace Wire.Slots;

/// <summary>A value serializer that writes objects member by member, in a schema of their class.</summary>
internal interface IKeepingSerializer
{
    /// <summary>Gets whether the objects keep unknown members, so that the schema of an object is not that of its class alone.</summary>
    bool Keeps { get; }

    /// <summary>Makes the value serializer that writes the objects that have kept some.</summary>
    /// <exception cref="InvalidOperationException">The class has a member of the name of one.</exception>
    ValueSerializer With(UnknownLayout layout);
}
