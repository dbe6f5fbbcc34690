namespace Wire.Tests.Errors.Mistakes;

/// <summary>A mistake of a program, and what its error has to name.</summary>
/// <param name="What">The mistake, in the words of somebody who makes it.</param>
/// <param name="Make">Makes it.</param>
/// <param name="Where">The place: a type, a member, an offset or an option.</param>
/// <param name="Next">What to do about it.</param>
internal sealed record Mistake(string What, Action Make, string Where, string Next)
{
    public static Serializer Default { get; } = new();

    /// <summary>Gets one that reads whatever a payload names.</summary>
    public static Serializer Trusting { get; } = new(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });

    public static Serializer With(SerializerOptions options) => new(options);

    public static Serializer Allowing(WireTypeFilter filter) => new(new SerializerOptions { TypeFilter = filter });

    public static Serializer Naming(TypeAliases aliases, WireTypeFilter? filter = null) =>
        new(new SerializerOptions { TypeAliases = aliases, TypeFilter = filter ?? WireTypeFilter.Default });

    public static void Wait(Task task) => task.GetAwaiter().GetResult();
}
