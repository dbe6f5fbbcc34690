namespace Wire.Tests.Behaviour.Histories;

/// <summary>What the messages of a history are. Several have one layout: a wrong number gives another one, and no error.</summary>
internal static class HistoryModel
{
    private static readonly Lazy<(Serializer Writer, Serializer Reader)>[] Pairs = [.. Enumerable.Range(0, 8).Select(i =>
        new Lazy<(Serializer, Serializer)>(() => Make(references: (i & 1) != 0, dynamicCode: (i & 2) == 0, tolerance: (i & 4) == 0)))];

    // The conversion of the message that is read now cannot find the actor.
    [ThreadStatic]
    private static bool _isMissing;

    public static bool IsMissing
    {
        set => _isMissing = value;
    }

    public static (Serializer Writer, Serializer Reader) Of(bool references, bool dynamicCode, bool tolerance) =>
        Pairs[(references ? 1 : 0) + (dynamicCode ? 0 : 2) + (tolerance ? 0 : 4)].Value;

    private static (Serializer Writer, Serializer Reader) Make(bool references, bool dynamicCode, bool tolerance)
    {
        var options = new SerializerOptions
        {
            PreserveObjectReferences = references,
            DynamicCode = dynamicCode,
            VersionTolerance = tolerance,
            TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(HistoryModel).Assembly),
            Surrogates =
            [
                Surrogate.Create<Actor, ActorName>(actor => new ActorName { Cents = actor.Cents, To = actor.To }, Find),
                Surrogate.Create<Faulty, string>(_ => throw new FaultyException(), text => new Faulty()),
            ],
            ValueSerializerFactories = [ValueSerializerFactory.For(new WrappedSerializer())],
        };
        WireTypeFilter known = WireTypeFilter.Default.Allow<Transfer>().Allow<Refund>().Allow<Deposit>().Allow<Fee>().Allow<Batch>()
            .Allow<Actor>().Allow<ActorName>().Allow<Wrapped>();
        return (new Serializer(options), new Serializer(options with { TypeFilter = known }));
    }

    private static Actor Find(ActorName name) =>
        _isMissing ? throw new ActorMissingException() : new Actor { Cents = name.Cents, To = name.To };

    public sealed class Transfer
    {
        public int Cents;
        public string? To;
    }

    public sealed class Refund
    {
        public int Cents;
        public string? To;
    }

    public sealed class Deposit
    {
        public int Cents;
        public string? To;
    }

    /// <summary>Refused by the reader.</summary>
    public sealed class Hidden
    {
        public int Cents;
        public string? To;
    }

    public struct Fee
    {
        public int Cents;
        public string? To;
    }

    public sealed class Batch
    {
        public object?[]? First;
        public List<object?>? Rest;
        public Transfer? Declared;
    }

    public sealed class Actor
    {
        public int Cents;
        public string? To;
    }

    public sealed class ActorName
    {
        public int Cents;
        public string? To;
    }

    /// <summary>Written by a user's value serializer, whose frame defines types of its own.</summary>
    public sealed class Wrapped
    {
        public object? Inside;
    }

    /// <summary>Cannot be written.</summary>
    public sealed class Faulty;

    public sealed class FaultyException : Exception;

    public sealed class ActorMissingException : Exception;

    private sealed class WrappedSerializer : ValueSerializer<Wrapped>
    {
        public override void Write(ref WireWriter writer, Wrapped value)
        {
            writer.WriteValue<object?>(value.Inside);
            writer.WriteVarUInt32(7);
        }

        public override Wrapped Read(ref WireReader reader)
        {
            var value = new Wrapped { Inside = reader.ReadValue<object?>() };
            reader.ReadVarUInt32();
            return value;
        }
    }
}
