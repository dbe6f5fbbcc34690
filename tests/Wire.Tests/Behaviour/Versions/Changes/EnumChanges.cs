namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>Enums with other members, numbers and types: the names of values count.</summary>
internal static class EnumChanges
{
    private const WireFormatError Mismatch = WireFormatError.SchemaMismatch;
    private const string Occurs = "where the value occurs";

    public static IEnumerable<Change> All =>
    [
        Change.OfMember<State, New.Added>("enum member added")
            .BothRead(State.Paid, New.Added.Paid)
            .OldReads(New.Added.Shipped, (State)3, "the number of a new member, without a name"),
        Change.OfMember<State, New.Fewer>("enum member removed")
            .BothRead(State.Open, New.Fewer.Open)
            .NewReads(State.Paid, (New.Fewer)2, "the number of the removed member, without a name"),
        Change.OfMember<State, New.Renamed>("enum member renamed")
            .BothRead(State.Open, New.Renamed.Open)
            .NewRefuses(State.Paid, Occurs, Mismatch, "Paid", "Settled", "[WireName")
            .OldRefuses(New.Renamed.Settled, Occurs, Mismatch, "Paid", "Settled", "[WireName"),
        Change.OfMember<State, New.RenamedWithWireName>("enum member renamed, with `[WireName]` of the old name")
            .BothRead(State.Paid, New.RenamedWithWireName.Settled),
        Change.OfMember<State, New.Renumbered>("enum members renumbered, or one inserted in between")
            .BothRead(State.Paid, New.Renumbered.Paid)
            .NewReads((State)77, (New.Renumbered)77, "a number without a name, as it is")
            .OldRefuses(New.Renumbered.New, "where a new member has the number of an old one", Mismatch, "New", "Open"),
        Change.OfMember<State, New.Replaced>("enum member removed, and its number given to another")
            .BothRead(State.Open, New.Replaced.Open)
            .NewRefuses(State.Paid, Occurs, Mismatch, "Paid", "Cancelled")
            .OldRefuses(New.Replaced.Cancelled, Occurs, Mismatch, "Cancelled", "Paid"),
        Change.OfMember<Access, New.MoreAccess>("flag added")
            .BothRead(Access.Read | Access.Write, New.MoreAccess.Read | New.MoreAccess.Write)
            .OldReads(New.MoreAccess.Read | New.MoreAccess.Delete, Access.Read | (Access)4, "the bit of a new flag, without a name"),
        Change.OfMember<Access, New.OtherBits>("flags renumbered")
            .BothRead(Access.Read | Access.Write, New.OtherBits.Read | New.OtherBits.Write),
        Change.OfMember<Access, New.RenamedFlag>("flag renamed")
            .BothRead(Access.Read, New.RenamedFlag.Read)
            .NewRefuses(Access.Read | Access.Write, Occurs, Mismatch, "Write", "Change")
            .OldRefuses(New.RenamedFlag.Change, Occurs, Mismatch, "Write", "Change"),
        Change.OfMember<State, New.Wide>("enum to one of a wider integer type")
            .BothRead(State.Paid, New.Wide.Paid)
            .OldRefuses((New.Wide)(1L << 40), "where it does not fit", Mismatch, "1099511627776"),
        Change.OfMember<State, New.Narrow>("enum to one of a narrower integer type")
            .BothRead(State.Paid, New.Narrow.Paid)
            .NewRefuses((State)300, "where it does not fit", Mismatch, "300"),
        Change.OfMember<State, int>("enum to an integer, and back").BothRead(State.Paid, 2, "the number"),
        Change.OfMember<State, byte>("enum to a narrower integer, and back")
            .BothRead(State.Paid, 2, "the number").NewRefuses((State)300, "where it does not fit", Mismatch, "300"),
        Change.OfMember<State, string>("enum to `string`").BothRefuse(State.Paid, "Paid", Mismatch, "Value"),
        Change.OfMember<State?, New.Renumbered?>("enum that may be null, renumbered")
            .BothRead(State.Paid, New.Renumbered.Paid).NewReads(null, null),
        Change.OfMember<State[], New.Renumbered[]>("renumbered enum in an array")
            .BothRead([State.Paid, State.Open], [New.Renumbered.Paid, New.Renumbered.Open]),
        Change.OfMember<List<State>, List<New.Renumbered>>("renumbered enum in a list")
            .BothRead([State.Paid, State.Open], [New.Renumbered.Paid, New.Renumbered.Open]),
        Change.OfMember<Dictionary<State, int>, Dictionary<New.Renumbered, int>>("renumbered enum as the key of a map")
            .BothRead(new() { [State.Paid] = 7 }, new() { [New.Renumbered.Paid] = 7 }),
        Change.OfMember<object, object>("renumbered enum in a variable of `object`")
            .With(options => options with { TypeAliases = TypeAliases.None.Alias<State>("Shop.State") },
                options => options with { TypeAliases = TypeAliases.None.Alias<New.Renumbered>("Shop.State") })
            .BothRead(State.Paid, New.Renumbered.Paid),
        Change.OfMember<State, New.Added>("enum member added at the end, with `EnumsByName` off")
            .With(options => options with { EnumsByName = false })
            .BothRead(State.Paid, New.Added.Paid)
            .OldReads(New.Added.Shipped, (State)3, "the number of a new member, without a name"),
        Change.OfMember<State, State>("`EnumsByName` switched off, and nothing else")
            .With(options => options, options => options with { EnumsByName = false })
            .BothRead(State.Paid, State.Paid),
        Change.OfMember<State, New.Renumbered>("enum renumbered, with `VersionTolerance` off")
            .With(options => options with { VersionTolerance = false })
            .BothRefuse(State.Paid, New.Renumbered.Paid, Mismatch, "VersionTolerance"),
        Change.OfMember<State, New.Renumbered>("enum renumbered, in a typed root").Typed()
            .BothRefuse(State.Paid, New.Renumbered.Paid, Mismatch, "Holder"),
    ];

    public enum State
    {
        Unknown,
        Open,
        Paid,
    }

    [Flags]
    public enum Access
    {
        None,
        Read = 1,
        Write = 2,
    }

    public static class New
    {
        public enum Added
        {
            Unknown,
            Open,
            Paid,
            Shipped,
        }

        public enum Fewer
        {
            Unknown,
            Open,
        }

        public enum Renamed
        {
            Unknown,
            Open,
            Settled,
        }

        public enum RenamedWithWireName
        {
            Unknown,
            Open,
            [WireName("Paid")]
            Settled,
        }

        public enum Renumbered
        {
            Unknown,
            New,
            Open,
            Paid,
        }

        public enum Replaced
        {
            Unknown,
            Open,
            Cancelled,
        }

        [Flags]
        public enum MoreAccess
        {
            None,
            Read = 1,
            Write = 2,
            Delete = 4,
        }

        [Flags]
        public enum OtherBits
        {
            None,
            Write = 1,
            Read = 2,
        }

        [Flags]
        public enum RenamedFlag
        {
            None,
            Read = 1,
            Change = 2,
        }

        public enum Wide : long
        {
            Unknown,
            Open,
            Paid,
        }

        public enum Narrow : byte
        {
            Unknown,
            Open,
            Paid,
        }
    }
}
