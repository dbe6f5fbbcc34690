using Wire.Compilation;

namespace Wire.ValueSerializers;

/// <summary>
/// A value serializer that goes member by member, so that what a value type has can be compiled as a part of what it stands in.
/// </summary>
internal interface IMemberwise
{
    /// <summary>The members to write.</summary>
    TypePlan Plan { get; }

    /// <summary>The steps of reading them.</summary>
    IReadOnlyList<ReadStep> Steps { get; }
}
