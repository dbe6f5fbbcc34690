namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>Types that get another name, another kind or another place among their bases.</summary>
internal static class TypeChanges
{
    private const WireFormatError Mismatch = WireFormatError.SchemaMismatch;
    private const WireFormatError Refused = WireFormatError.TypeRefused;

    private static readonly TypeAliases OldThing = TypeAliases.None.Alias<Old.Thing>("Shop.Thing");

    public static IEnumerable<Change> All =>
    [
        Change.OfMember<object, object>("type renamed or moved, where the payload names it")
            .With(o => o with { TypeAliases = OldThing }, o => o with { TypeAliases = TypeAliases.None.Alias<New.Thing>("Shop.Other") })
            .NewRefuses(new Old.Thing { X = 1 }, Refused, "Shop.Thing").OldRefuses(new New.Thing { X = 1 }, Refused, "Shop.Other"),
        Change.OfMember<object, object>("type renamed or moved, with one `[WireName]` or alias")
            .With(o => o with { TypeAliases = OldThing }, o => o with { TypeAliases = TypeAliases.None.Alias<New.Thing>("Shop.Thing") })
            .BothRead(new Old.Thing { X = 1 }, new New.Thing { X = 1 }, "the object"),
        Change.OfMember<object, object>("type renamed or moved, with a redirect from the old name")
            .With(
                o => o with { TypeAliases = OldThing },
                o => o with { TypeAliases = TypeAliases.None.Alias<New.Thing>("Shop.Other").Redirect("Shop.Thing", typeof(New.Thing)) })
            .NewReads(new Old.Thing { X = 1 }, new New.Thing { X = 1 }, "the object")
            .OldRefuses(new New.Thing { X = 1 }, Refused, "Shop.Other"),
        Change.Of<Old.Thing, New.Named>("type gets a `[WireName]`").Named()
            .NewRefuses(new() { X = 1 }, Refused, "Old+Thing").OldRefuses(new() { X = 1 }, Refused, "Shop.Named"),
        Change.Of<Old.Thing, New.Named>("type gets a `[WireName]`, with a redirect from the old name").Named()
            .With(o => o, o => o with { TypeAliases = TypeAliases.None.Redirect(typeof(Old.Thing).FullName!, typeof(New.Named)) })
            .NewReads(new() { X = 1 }, new() { X = 1 }, "the object").OldRefuses(new() { X = 1 }, Refused, "Shop.Named"),
        Change.OfMember<Old.Closed, New.Closed>("sealed class renamed, the type of a member")
            .BothRead(new() { X = 1 }, new() { X = 1 }, "the object"),
        Change.OfMember<Old.Point, New.Point>("struct renamed, the type of a member").BothRead(new(1), new(1)),
        Change.OfMember<Old.Point, New.Pixel>("struct renamed, and all its members")
            .BothRefuse(new(1), new(1), Mismatch, "no member in common", "[WireName]"),
        Change.OfMember<Old.Nothing, Old.Point>("struct without members gets its first")
            .NewReads(default, default, "zero or null").OldRefuses(new(1), Mismatch, "no member in common"),
        Change.OfMember<Old.Mark, Old.Closed>("sealed class without members gets its first, the type of a member")
            .NewReads(new(), new(), "zero or null").OldRefuses(new() { X = 1 }, Mismatch, "no member in common"),
        Change.Of<Old.Mark, Old.Closed>("class without members gets its first, and the payload names it")
            .NewReads(new(), new(), "zero or null").OldReads(new() { X = 1 }, new(), "the rest"),
        Change.OfMember<Old.Closed, New.NothingInCommon>("sealed class becomes one with other members")
            .BothRefuse(new() { X = 1 }, new() { Y = 1 }, Mismatch, "no member in common", "[WireName]"),
        Change.Of<Old.Thing, New.NothingInCommon>("type that the payload names gets other members only")
            .BothRefuse(new() { X = 1 }, new() { Y = 1 }, Mismatch, "no member in common", "[WireName]"),
        Change.OfMember<object, object>("new class of messages; class deleted")
            .With(o => o with { TypeFilter = WireTypeFilter.Default.Allow<Old.Thing>() }, o => o)
            .NewRefuses(new Old.Thing { X = 1 }, Refused, "Old+Thing", "Allow"),
        Change.Of<Old.Thing, New.Record>("class becomes a record").BothRead(new() { X = 1 }, new(1), "the object"),
        Change.Of<Old.Thing, Old.Point>("class becomes a struct: root").BothRead(new() { X = 1 }, new(1)),
        Change.OfMember<object, object>("class becomes a struct: variable of `object`")
            .With(o => o with { TypeAliases = OldThing }, o => o with { TypeAliases = TypeAliases.None.Alias<Old.Point>("Shop.Thing") })
            .BothRead(new Old.Thing { X = 1 }, new Old.Point(1)),
        Change.OfMember<Old.Closed, Old.Point>("class becomes a struct: member of that type")
            .BothRefuse(new() { X = 1 }, new(1), Mismatch, "Value"),
        Change.OfMember<Old.Shared, New.Shared>("class sealed")
            .NewReads(new() { X = 1 }, new() { X = 1 }, "the object")
            .OldRefuses(new() { X = 1 }, "where no value had a name before", WireFormatError.Manifest, "Shared"),
        Change.OfMember<New.Shared, Old.Shared>("class unsealed")
            .NewRefuses(new() { X = 1 }, "in a member or element of its own type", WireFormatError.Manifest, "Shared")
            .OldReads(new() { X = 1 }, new() { X = 1 }, "the object"),
        Change.OfMember<Old.Named, New.AbstractNamed>("class becomes abstract")
            .NewRefuses(new() { X = 1 }, "for an object of that very class", Refused, "Shop.Open"),
        Change.OfMember<Old.Derived, Old.Thing>("member's class becomes its base class, an interface or `object`")
            .With(
                o => o with { TypeFilter = WireTypeFilter.Default.Allow<Old.Thing>() },
                o => o with { TypeFilter = WireTypeFilter.Default.Allow<Old.Derived>() })
            .NewReads(new() { X = 1, Z = 2 }, new Old.Derived { X = 1, Z = 2 }, "the object, where its class is allowed")
            .OldReads(new Old.Derived { X = 1, Z = 2 }, new() { X = 1, Z = 2 }, "the object")
            .OldRefuses(new Old.Thing { X = 1 }, "where it is of another class", WireFormatError.TypeMismatch, "Thing"),
        Change.OfMember<Old.Closed, object>("member's sealed class becomes `object`")
            .NewRefuses(new() { X = 1 }, WireFormatError.Manifest, "Value"),
        Change.OfMember<object, object>("class begins to derive from a collection")
            .With(o => o with { TypeAliases = OldThing }, o => o with { TypeAliases = TypeAliases.None.Alias<New.Things>("Shop.Thing") })
            .NewReads(new Old.Thing { X = 1 }, new New.Things { X = 1 }, "the members")
            .OldReads(new New.Things { X = 1 }, new Old.Thing { X = 1 }, "the members"),
        Change.OfMember<object, object>("class ceases to derive from a collection, which had elements")
            .With(o => o with { TypeAliases = TypeAliases.None.Alias<New.Things>("Shop.Thing") }, o => o with { TypeAliases = OldThing })
            .NewReads(WithElements, new Old.Thing { X = 1 }, "the members; the elements are passed over"),
    ];

    private static New.Things WithElements
    {
        get
        {
            New.Things things = new() { X = 1 };
            things.Add(7);
            return things;
        }
    }

    public static class Old
    {
        public class Thing
        {
            public int X { get; init; }
        }

        public class Derived : Thing
        {
            public int Z { get; init; }
        }

        public sealed class Closed
        {
            public int X { get; init; }
        }

        [WireName("Shop.Shared")]
        public class Shared
        {
            public int X { get; init; }
        }

        [WireName("Shop.Open")]
        public class Named
        {
            public int X { get; init; }
        }

        public readonly record struct Nothing;

        public sealed class Mark;

        public record struct Point(int X);
    }

    public static class New
    {
        public class Thing
        {
            public int X { get; init; }
        }

        [WireName("Shop.Named")]
        public class Named
        {
            public int X { get; init; }
        }

        public sealed class Closed
        {
            public int X { get; init; }
        }

        [WireName("Shop.Shared")]
        public sealed class Shared
        {
            public int X { get; init; }
        }

        [WireName("Shop.Open")]
        public abstract class AbstractNamed
        {
            public int X { get; init; }
        }

        public sealed class NothingInCommon
        {
            public int Y { get; init; }
        }

        public record Record(int X);

        public record struct Point(int X);

        public record struct Pixel(int Column);

        public sealed class Things : List<int>
        {
            public int X { get; init; }
        }
    }
}
