namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>A member that only the new release has, under the options that say what becomes of it.</summary>
internal static class AddedMemberChanges
{
    private const WireFormatError Mismatch = WireFormatError.SchemaMismatch;

    public static IEnumerable<Change> All =>
    [
        Change.Of<Old, WithInitializer>("member with an initializer added")
            .NewReads(new() { X = 1 }, new() { X = 1, Name = null!, Lines = null! }, "zero or null")
            .OldReads(new() { X = 1 }, new() { X = 1 }, "the rest"),
        Change.Of<Old, WithInitializer>("member with an initializer added, with `UseConstructors`")
            .With(o => o, o => o with { UseConstructors = true })
            .NewReads(new() { X = 1 }, new() { X = 1 }, "what the initializer gives")
            .OldReads(new() { X = 1 }, new() { X = 1 }, "the rest"),
        Change.Of<Old, WithRequired>("`required` member added")
            .NewReads(new() { X = 1 }, new() { X = 1, Name = null! }, "zero or null")
            .OldReads(new() { X = 1, Name = "a" }, new() { X = 1 }, "the rest"),
        Change.Of<Old, WithRequired>("`required` member added, with `MissingMembers.RequiredRefused`")
            .With(o => o, o => o with { MissingMembers = MissingMembers.RequiredRefused })
            .NewRefuses(new() { X = 1 }, Mismatch, "Name", "required")
            .OldReads(new() { X = 1, Name = "a" }, new() { X = 1 }, "the rest"),
        Change.Of<Old, WithInitializer>("member that may not be null added, with `MissingMembers.NonNullRefused`")
            .With(o => o, o => o with { MissingMembers = MissingMembers.NonNullRefused })
            .NewRefuses(new() { X = 1 }, Mismatch, "Lines", "null")
            .OldReads(new() { X = 1 }, new() { X = 1 }, "the rest"),
        Change.Of<Old, WithNullable>("member that may be null added, with `MissingMembers.NonNullRefused`")
            .With(o => o, o => o with { MissingMembers = MissingMembers.NonNullRefused })
            .NewReads(new() { X = 1 }, new() { X = 1 }, "null")
            .OldReads(new() { X = 1, Name = "a" }, new() { X = 1 }, "the rest"),
        Change.Of<Keeping, WithNullable>("member added, and the old class implements `IUnknownMembers`")
            .NewReads(new() { X = 1 }, new() { X = 1 }, "null")
            .NewReadsAgain(new() { X = 1, Name = "a" }, "the value, where an old release has sent it on"),
    ];

    public sealed class Old
    {
        public int X { get; init; }
    }

    public sealed class Keeping : IUnknownMembers
    {
        public int X { get; init; }

        public UnknownMembers? UnknownMembers { get; set; }
    }

    public sealed class WithInitializer
    {
        public int X { get; init; }

        public string Name { get; init; } = "an initializer";

        public List<int> Lines { get; init; } = [];
    }

    public sealed class WithRequired
    {
        public int X { get; init; }

        public required string Name { get; init; }
    }

    public sealed class WithNullable
    {
        public int X { get; init; }

        public string? Name { get; init; }
    }
}
