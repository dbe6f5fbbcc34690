namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>Members that move between a class and its base, and private fields of one name in both.</summary>
internal static class BaseClassChanges
{
    private static readonly TypeAliases OldBase = TypeAliases.None.Alias<Old.Base>("Shop.Base");

    public static IEnumerable<Change> All =>
    [
        Change.Of<Old.Flat, New.OnBase>("member moved to a new base class")
            .BothRead(new() { First = 1, Second = "2" }, new() { First = 1, Second = "2" }),
        Change.Of<New.OnBase, Old.Flat>("member of the base class moved into the class")
            .BothRead(new() { First = 1, Second = "2" }, new() { First = 1, Second = "2" }),
        Change.Of<New.NoBase, New.OnBase>("base class with members added")
            .NewReads(new() { Second = "2" }, new() { First = 0, Second = "2" }, "zero or null in the new members")
            .OldReads(new() { First = 1, Second = "2" }, new() { Second = "2" }, "the rest"),
        Change.Of<New.OnBase, New.NoBase>("base class removed")
            .NewReads(new() { First = 1, Second = "2" }, new() { Second = "2" }, "the class's own members")
            .OldReads(new() { Second = "2" }, new() { First = 0, Second = "2" }, "zero or null in the base's members"),
        Change.Of<New.OnBase, New.OnOther>("base class replaced, or renamed, with other names than the class's")
            .BothRead(new() { First = 1, Second = "2" }, new() { First = 1, Second = "2" }),
        Change.Of<Old.OneName, Old.TwoNames>("class gets a private field of a name that its base has")
            .NewRefuses(new("base"), WireFormatError.SchemaMismatch, "_name", "[WireName")
            .OldReads(new("base", "derived"), new("base"), "the base's value"),
        Change.Of<Old.TwoNames, Old.OneName>("class loses a private field of a name that its base has")
            .NewReads(new("base", "derived"), new("base"), "the base's value")
            .OldRefuses(new("base"), WireFormatError.SchemaMismatch, "_name", "[WireName"),
        Change.Of<New.Own, New.Hiding>("base class gets a field of a name that the class has")
            .NewRefuses(new() { X = 1 }, WireFormatError.SchemaMismatch, "X", "[WireName")
            .OldReads(New.Hiding.Of(1, 2), new() { X = 1 }, "the class's own value"),
        Change.Of<Old.TwoNames, New.TwoNames>("base class renamed; base and class have private fields of one name")
            .NewRefuses(new("base", "derived"), WireFormatError.SchemaMismatch, "_name", "[WireName")
            .OldRefuses(new("base", "derived"), WireFormatError.SchemaMismatch, "_name", "[WireName"),
        Change.Of<Old.TwoNames, New.TwoNames>("base class renamed, with one alias or `[WireName]`; private fields of one name")
            .With(
                options => options with { TypeAliases = OldBase },
                options => options with { TypeAliases = TypeAliases.None.Alias<New.Base>("Shop.Base") })
            .BothRead(new("base", "derived"), new("base", "derived")),
        Change.Of<Old.TwoNames, New.TwoNames>("base class renamed, with a redirect; private fields of one name")
            .With(
                options => options with { TypeAliases = OldBase },
                options => options with { TypeAliases = TypeAliases.None.Redirect("Shop.Base", typeof(New.Base)) })
            .NewReads(new("base", "derived"), new("base", "derived"))
            .OldRefuses(new("base", "derived"), WireFormatError.SchemaMismatch, "_name", "[WireName"),
        Change.Of<Old.GivenNames, New.GivenNames>("base class renamed; one of the private fields of one name has a `[WireName]`")
            .BothRead(new("base", "derived"), new("base", "derived")),
    ];

    public static class Old
    {
        public sealed class Flat
        {
            public int First { get; init; }

            public string? Second { get; init; }
        }

        public class Base(string? name)
        {
            private readonly string? _name = name;

            public override string ToString() => $"{_name}";
        }

        public sealed class OneName(string? name) : Base(name);

        public sealed class TwoNames(string? name, string? own) : Base(name)
        {
            private readonly string? _name = own;

            public override string ToString() => $"{base.ToString()}, {_name}";
        }

        public class GivenBase(string? name)
        {
            [WireName("BaseName")]
            private readonly string? _name = name;

            public override string ToString() => $"{_name}";
        }

        public sealed class GivenNames(string? name, string? own) : GivenBase(name)
        {
            private readonly string? _name = own;

            public override string ToString() => $"{base.ToString()}, {_name}";
        }
    }

    public static class New
    {
        public class WithFirst
        {
            public int First { get; init; }
        }

        public class OtherFirst
        {
            public int First { get; init; }
        }

        public sealed class OnBase : WithFirst
        {
            public string? Second { get; init; }
        }

        public sealed class OnOther : OtherFirst
        {
            public string? Second { get; init; }
        }

        public sealed class NoBase
        {
            public string? Second { get; init; }
        }

        public sealed class Own
        {
            public int X { get; init; }
        }

        public class HiddenBase
        {
            public int X { get; set; }
        }

        public sealed class Hiding : HiddenBase
        {
            public new int X { get; init; }

            public static Hiding Of(int own, int hidden)
            {
                Hiding made = new() { X = own };
                ((HiddenBase)made).X = hidden;
                return made;
            }
        }

        public class Base(string? name)
        {
            private readonly string? _name = name;

            public override string ToString() => $"{_name}";
        }

        public sealed class TwoNames(string? name, string? own) : Base(name)
        {
            private readonly string? _name = own;

            public override string ToString() => $"{base.ToString()}, {_name}";
        }

        public class GivenBase(string? name)
        {
            [WireName("BaseName")]
            private readonly string? _name = name;

            public override string ToString() => $"{_name}";
        }

        public sealed class GivenNames(string? name, string? own) : GivenBase(name)
        {
            private readonly string? _name = own;

            public override string ToString() => $"{base.ToString()}, {_name}";
        }
    }
}
