using Bench;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>A typed object in the frames of a message, and back: the table of seed 000, in bytes that are allocated.</summary>
internal sealed class BodyScenario : Scenario
{
    /// <summary>How much content the objects have, and what the scenarios are called.</summary>
    public static readonly (int Size, string Name)[] Sizes = [(512, "AMQP body of 512 B"), (16 << 10, "AMQP body of 16 KB"), (1 << 20, "AMQP body of 1 MB")];

    public const string Floor = "By hand, members and a copy into frames (floor)";
    public const string Own = "Wire.Amqp, AmqpBody";
    public const string Usual = "Wire.Amqp, by way of a byte[]";

    /// <summary>Bytes that the collector allocates for itself while it runs between objects of 1 MB, as measured: they are counted with what runs.</summary>
    public const int Disturbance = 256;

    private readonly Lazy<Parcel> _value;

    public BodyScenario(int size, string name)
        : base(name)
    {
        _value = new Lazy<Parcel>(() => Parcel.Create(size));
        Batch = size > 100_000 ? 1 : 10;
    }

    public override int Batch { get; }

    public override IEnumerable<Row> Rows() =>
    [
        Row(Floor, Typing.Floor, new BodyFloor(_value.Value)),
        Row(Own, Typing.Polymorphic, new BodyCodec(_value.Value)),
        Row(Usual, Typing.Polymorphic, new ArrayBodyCodec(_value.Value)),
    ];

    private AmqpRow<Parcel, TCodec> Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, IAmqpCodec<Parcel> =>
        new(name, typing, codec, read => !ReferenceEquals(read, _value.Value) && read.HasSameMembers(_value.Value));
}
