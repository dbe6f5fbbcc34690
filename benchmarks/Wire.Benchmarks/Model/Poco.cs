// Short, so that the name in a manifest is about as long as that of a user's own type.
namespace Bench;

/// <summary>The small message that all rows write and read.</summary>
public partial class Poco
{
    /// <summary>A short text.</summary>
    public string? StringProp { get; set; }

    /// <summary>A number.</summary>
    public int IntProp { get; set; }

    /// <summary>An identifier.</summary>
    public Guid GuidProp { get; set; }

    /// <summary>A point in time, always UTC.</summary>
    public DateTime DateProp { get; set; }

    /// <summary>Makes the message that belongs to a seed.</summary>
    public static Poco Create(int seed)
    {
        var random = new Random(seed);
        Span<byte> guid = stackalloc byte[16];
        random.NextBytes(guid);
        return new Poco
        {
            StringProp = "hello",
            IntProp = random.Next(),
            GuidProp = new Guid(guid),
            DateProp = new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddTicks(random.NextInt64(TimeSpan.TicksPerDay * 3650)),
        };
    }

    /// <summary>Whether every member is the same, down to the kind of the date.</summary>
    public bool HasSameMembers(Poco other) =>
        StringProp == other.StringProp
        && IntProp == other.IntProp
        && GuidProp == other.GuidProp
        && DateProp == other.DateProp
        && DateProp.Kind == other.DateProp.Kind;
}
