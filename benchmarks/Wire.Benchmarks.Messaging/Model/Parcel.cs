namespace Bench;

/// <summary>A typed body: a few members and as many bytes as the scenario wants.</summary>
internal sealed class Parcel
{
    public Guid Id { get; set; }

    public string Sender { get; set; } = "";

    public int Number { get; set; }

    public byte[] Content { get; set; } = [];

    public static Parcel Create(int size)
    {
        var random = new Random(1);
        byte[] bytes = new byte[16 + size];
        random.NextBytes(bytes);
        return new Parcel
        {
            Id = new Guid(bytes.AsSpan(0, 16)),
            Sender = "warehouse 7, gate 3",
            Number = random.Next(),
            Content = bytes[16..],
        };
    }

    public bool HasSameMembers(Parcel other) =>
        Id == other.Id && Sender == other.Sender && Number == other.Number && Content.AsSpan().SequenceEqual(other.Content);
}
