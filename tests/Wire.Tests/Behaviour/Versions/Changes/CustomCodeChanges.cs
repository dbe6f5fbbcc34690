namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>Options and code of the program that only one of the releases has.</summary>
internal static class CustomCodeChanges
{
    private const WireFormatError Mismatch = WireFormatError.SchemaMismatch;

    private static readonly Surrogate Number =
        Surrogate.Create<One, int>(value => value.X, number => new One { X = number });

    private static readonly Surrogate Wide =
        Surrogate.Create<One, Two>(value => new() { X = value.X, Y = 2 }, two => new One { X = two.X });

    private static readonly Surrogate Narrow =
        Surrogate.Create<One, Single>(value => new() { X = value.X }, single => new One { X = single.X });

    private static readonly ValueSerializerFactory Custom = ValueSerializerFactory.For(new OneSerializer());

    public static IEnumerable<Change> All =>
    [
        Change.Of<One, One>("surrogate added").With(o => o, o => o with { Surrogates = [Number] })
            .BothRefuse(new() { X = 1 }, new() { X = 1 }, Mismatch, "surrogate"),
        Change.Of<One, One>("surrogate removed").With(o => o with { Surrogates = [Number] }, o => o)
            .BothRefuse(new() { X = 1 }, new() { X = 1 }, Mismatch, "surrogate"),
        Change.Of<One, One>("surrogate type loses a member")
            .With(o => o with { Surrogates = [Wide] }, o => o with { Surrogates = [Narrow] })
            .BothRead(new() { X = 1 }, new() { X = 1 }, "the object, as the surrogate makes it of its members"),
        Change.Of<One, One>("value serializer added").With(o => o, o => o with { ValueSerializerFactories = [Custom] })
            .BothRefuse(new() { X = 1 }, new() { X = 1 }, Mismatch, "One"),
        Change.Of<One, One>("value serializer removed").With(o => o with { ValueSerializerFactories = [Custom] }, o => o)
            .BothRefuse(new() { X = 1 }, new() { X = 1 }, Mismatch, "One"),
        Change.Of<Single, Single>("type becomes a singleton").With(o => o, o => o with { Singletons = [Single.Instance] })
            .NewReads(new() { X = 1 }, Single.Instance, "the instance")
            .OldRefuses(Single.Instance, Mismatch, "singleton"),
        Change.Of<Single, Single>("singleton removed").With(o => o with { Singletons = [Single.Instance] }, o => o)
            .NewRefuses(Single.Instance, Mismatch, "singleton")
            .OldReads(new() { X = 1 }, Single.Instance, "the instance"),
        Change.Of<One, One>("known type's number added").Named()
            .With(o => o, o => o with { KnownTypes = [new(1, typeof(One))] })
            .NewReads(new() { X = 1 }, new() { X = 1 }, "the object")
            .OldRefuses(new() { X = 1 }, WireFormatError.UnknownKnownType, "1"),
        Change.Of<One, One>("known type's number changed").Named()
            .With(o => o with { KnownTypes = [new(1, typeof(One))] }, o => o with { KnownTypes = [new(2, typeof(One))] })
            .BothRefuse(new() { X = 1 }, new() { X = 1 }, WireFormatError.UnknownKnownType),
        Change.Of<One, Other>("known type's number given to a type with other members").Named()
            .With(o => o with { KnownTypes = [new(1, typeof(One))] }, o => o with { KnownTypes = [new(1, typeof(Other))] })
            .BothRefuse(new() { X = 1 }, new() { Y = 1 }, Mismatch, "no member in common"),
        Change.Of<One, Two>("member added, with `VersionTolerance` off on either side")
            .With(o => o with { VersionTolerance = false })
            .BothRefuse(new() { X = 1 }, new() { X = 1 }, Mismatch, "VersionTolerance"),
        Change.Of<One, Two>("member added, and the old release had `VersionTolerance` off")
            .With(o => o with { VersionTolerance = false }, o => o)
            .NewRefuses(new() { X = 1 }, Mismatch, "VersionTolerance")
            .OldRefuses(new() { X = 1 }, Mismatch, "VersionTolerance"),
        Change.Of<One, One>("`VersionTolerance` switched off, and nothing else")
            .With(o => o, o => o with { VersionTolerance = false })
            .BothRead(new() { X = 1 }, new() { X = 1 }, "the object"),
        Change.Of<One, Two>("member added, in a typed root").Typed()
            .BothRefuse(new() { X = 1 }, new() { X = 1 }, Mismatch, "CustomCodeChanges", "fingerprint"),
        Change.Of<Holder<One>, Holder<One>>("`PreserveObjectReferences` switched on, or off")
            .With(o => o, o => o with { PreserveObjectReferences = true })
            .BothRead(new() { Value = new() { X = 1 } }, new() { Value = new() { X = 1 } }, "the object"),
    ];

    public sealed class One
    {
        public int X { get; init; }
    }

    public sealed class Other
    {
        public int Y { get; init; }
    }

    public sealed class Two
    {
        public int X { get; init; }

        public int Y { get; init; }
    }

    public sealed class Single
    {
        public static Single Instance { get; } = new() { X = 7 };

        public int X { get; init; }
    }

    private sealed class OneSerializer : ValueSerializer<One>
    {
        public override void Write(ref WireWriter writer, One value) => writer.WriteFixed(value.X);

        public override One Read(ref WireReader reader) => new() { X = reader.ReadFixed<int>() };
    }
}
