using System.Runtime.Serialization;

// Short, so that the name in a manifest is about as long as that of a user's own type.
namespace Bench;

/// <summary>The small message that all rows write and read.</summary>
[DataContract]
public partial class Poco
{
    /// <summary>A short text.</summary>
    [DataMember(Order = 0)]
    public string? StringProp { get; set; }

    /// <summary>A number.</summary>
    [DataMember(Order = 1)]
    public int IntProp { get; set; }

    /// <summary>An identifier.</summary>
    [DataMember(Order = 2)]
    public Guid GuidProp { get; set; }

    /// <summary>A point in time, always UTC.</summary>
    [DataMember(Order = 3)]
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
