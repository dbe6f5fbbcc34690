namespace Wire.Compilation;

/// <summary>
/// A value serializer that works member by member, so that the members of a value type can be compiled into the code of the enclosing type.
/// </summary>
internal interface IMemberwise
{
    /// <summary>The members to write.</summary>
    TypePlan Plan { get; }

    /// <summary>The steps for reading them.</summary>
    IReadOnlyList<ReadStep> Steps { get; }
}
