namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>Members that come, go, and get other names.</summary>
internal static class MemberChanges
{
    public static IEnumerable<Change> All =>
    [
        Change.Of<Old.One, New.Added>("member added")
            .NewReads(new() { X = 1 }, new() { X = 1, Name = null, Y = 0 }, "zero or null")
            .OldReads(new() { X = 1, Name = "a", Y = 2 }, new() { X = 1 }, "the rest"),
        Change.Of<Old.Two, New.Removed>("member removed")
            .NewReads(new() { First = 1, Second = "2" }, new() { First = 1 }, "the rest")
            .OldReads(new() { First = 1 }, new() { First = 1 }, "zero or null"),
        Change.Of<Old.WithGone, New.Removed>("member removed, and its type too")
            .NewReads(new() { First = 1, Lost = new() { Text = "lost", Next = new() } }, new() { First = 1 }, "the rest")
            .OldReads(new() { First = 1 }, new() { First = 1 }, "null"),
        Change.Of<Old.Sharing, New.Sharing>("member removed whose object another member shares")
            .With(options => options with { PreserveObjectReferences = true })
            .NewReads(Old.Sharing.Sample, New.Sharing.Sample, "the rest, with the object")
            .OldReads(New.Sharing.Sample, new() { B = new() { Text = "shared" } }, "null"),
        Change.Of<Old.Any, New.LeafAndAny>("member of a sealed class added whose object a member of `object` shares")
            .With(options => options with
            {
                PreserveObjectReferences = true,
                TypeFilter = options.TypeFilter.Allow<Leaf>(),
            })
            .NewReads(new() { Z = 5 }, new() { Z = 5 }, "null")
            .OldRefuses(New.LeafAndAny.Sample, WireFormatError.Reference, "was skipped", "Keep the member"),
        Change.Of<Old.Two, New.Reordered>("members reordered")
            .BothRead(new() { First = 1, Second = "2" }, new() { First = 1, Second = "2" }),
        Change.Of<Old.Two, New.Renamed>("member renamed")
            .NewReads(new() { First = 1, Second = "2" }, new() { Number = 0, Second = "2" }, "zero or null")
            .OldReads(new() { Number = 1, Second = "2" }, new() { First = 0, Second = "2" }, "zero or null"),
        Change.Of<Old.Two, New.LowerCase>("member's name gets another case")
            .NewReads(new() { First = 1, Second = "2" }, new() { first = 0, Second = "2" }, "zero or null")
            .OldReads(new() { first = 1, Second = "2" }, new() { First = 0, Second = "2" }, "zero or null"),
        Change.Of<Old.Two, New.RenamedWithWireName>("member renamed, with `[WireName]` of the old name")
            .BothRead(new() { First = 1, Second = "2" }, new() { Number = 1, Second = "2" }),
        Change.Of<Old.Pair, New.Swapped>("names of two members swapped, with `[WireName]` on both")
            .BothRead(new() { Left = 1, Right = 2 }, new() { Right = 1, Left = 2 }),
        Change.Of<Old.WithField, New.WithProperty>("field becomes an automatic property of its name")
            .BothRead(new() { X = 1 }, new() { X = 1 }),
        Change.Of<Old.Two, New.OwnField>("automatic property gets a field of its own, like `_first`")
            .NewReads(new() { First = 1, Second = "2" }, new() { First = 0, Second = "2" }, "zero or null: the field's name counts")
            .OldReads(new() { First = 1, Second = "2" }, new() { First = 0, Second = "2" }, "zero or null"),
        Change.Of<Old.Two, New.OwnFieldWithWireName>("automatic property gets a field with `[WireName]` of the property's name")
            .BothRead(new() { First = 1, Second = "2" }, new() { First = 1, Second = "2" }),
        Change.Of<Old.Two, New.FieldKeyword>("automatic property gets accessors with the keyword `field`")
            .BothRead(new() { First = 1, Second = "2" }, new() { First = 1, Second = "2" }),
        Change.Of<Old.Two, New.Computed>("property becomes a computed one")
            .NewReads(new() { First = 1, Second = "2" }, new() { Second = "2" }, "the rest")
            .OldReads(new() { Second = "2" }, new() { First = 0, Second = "2" }, "zero or null"),
        Change.Of<Old.Two, New.Record>("property becomes a record's parameter")
            .BothRead(new() { First = 1, Second = "2" }, new(1, "2")),
        Change.Of<Old.Two, New.Ignoring>("member gets `[IgnoreMember]`")
            .NewReads(new() { First = 1, Second = "2" }, new() { First = 0, Second = "2" }, "zero or null")
            .OldReads(new() { First = 1, Second = "2" }, new() { First = 0, Second = "2" }, "zero or null"),
    ];

    public static class Old
    {
        public sealed class One
        {
            public int X { get; init; }
        }

        public sealed class Two
        {
            public int First { get; init; }

            public string? Second { get; init; }
        }

        public sealed class Pair
        {
            public int Left { get; init; }

            public int Right { get; init; }
        }

        public sealed class WithField
        {
            public int X;
        }

        public sealed class WithGone
        {
            public int First { get; init; }

            public Gone? Lost { get; init; }
        }

        // No release after this one has it.
        public class Gone
        {
            public string? Text { get; init; }

            public Gone? Next { get; init; }
        }

        public sealed class Any
        {
            public object? Z { get; init; }
        }

        public sealed class Sharing
        {
            public Leaf? A { get; init; }

            public Leaf? B { get; init; }

            public static Sharing Sample
            {
                get
                {
                    var leaf = new Leaf { Text = "shared" };
                    return new() { A = leaf, B = leaf };
                }
            }
        }
    }

    public static class New
    {
        public sealed class Added
        {
            public string? Name { get; init; } = "an initializer";

            public int X { get; init; }

            public int Y { get; init; } = 5;
        }

        public sealed class Removed
        {
            public int First { get; init; }
        }

        public sealed class Sharing
        {
            public Leaf? B { get; init; }

            public static Sharing Sample => new() { B = new() { Text = "shared" } };
        }

        public sealed class LeafAndAny
        {
            public Leaf? U { get; init; }

            public object? Z { get; init; }

            public static LeafAndAny Sample
            {
                get
                {
                    var leaf = new Leaf { Text = "shared" };
                    return new() { U = leaf, Z = leaf };
                }
            }
        }

        public sealed class Reordered
        {
            public string? Second { get; init; }

            public int First { get; init; }
        }

        public sealed class Renamed
        {
            public int Number { get; init; }

            public string? Second { get; init; }
        }

        public sealed class LowerCase
        {
            public int first;

            public string? Second { get; init; }
        }

        public sealed class RenamedWithWireName
        {
            [WireName("First")]
            public int Number { get; init; }

            public string? Second { get; init; }
        }

        public sealed class Swapped
        {
            [WireName("Left")]
            public int Right { get; init; }

            [WireName("Right")]
            public int Left { get; init; }
        }

        public sealed class WithProperty
        {
            public int X { get; init; }
        }

        public sealed class OwnField
        {
            private readonly int _first;

            public int First { get => _first; init => _first = value; }

            public string? Second { get; init; }
        }

        public sealed class OwnFieldWithWireName
        {
            [WireName("First")]
            private readonly int _first;

            public int First { get => _first; init => _first = value; }

            public string? Second { get; init; }
        }

        public sealed class FieldKeyword
        {
            public int First { get => field; init => field = value; }

            public string? Second { get; init; }
        }

        public sealed class Computed
        {
            public int First => Second?.Length ?? 0;

            public string? Second { get; init; }
        }

        public sealed record Record(int First, string? Second);

        public sealed class Ignoring
        {
            [IgnoreMember]
            public int First { get; init; }

            public string? Second { get; init; }
        }
    }

    /// <summary>What both releases have.</summary>
    public sealed class Leaf
    {
        public string? Text { get; init; }
    }
}
