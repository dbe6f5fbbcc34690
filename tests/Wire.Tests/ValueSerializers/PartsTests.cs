using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

/// <summary>
/// Value types in value types that hold no objects, whose code is a part of their owner's: with fixed members, strings and nullable ones
/// between each other.
/// </summary>
public sealed class PartsTests : ValueTests<PartsTests.Order?>
{
    protected override IEnumerable<Order?> Samples =>
    [
        null,
        new(),
        new()
        {
            Day = DayOfWeek.Friday,
            First = new()
            {
                Flag = true,
                Name = "first",
                Place = new() { At = new(2024, 2, 29, 1, 2, 3, DateTimeKind.Utc), Count = -1, Text = "twenty characters xx" },
            },
            Id = new("00112233-4455-6677-8899-aabbccddeeff"),
            Last = true,
            Other = new() { Name = "\u0416", Place = new() { Text = "" }, Price = 1.50m },
            Rest = [1, 2],
            Second = new() { Name = new string('y', 63), Price = decimal.MinValue },
        },
    ];

    // More often than a foreign schema is interpreted before it is compiled.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_part_with_other_members_reads_into_its_place(bool dynamicCode)
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode);
        byte[] bytes = serializer.Serialize(new WrittenBefore { Box = new() { Gone = "gone", Kept = "kept", Number = 7 }, Last = 9 });
        for (int i = 0; i < 12; i++)
        {
            After read = serializer.Deserialize<After>(bytes)!;
            Assert.Equal(("kept", 7L, null, 9), (read.Box.Kept, read.Box.Number, read.Box.Added, read.Last));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_error_in_a_part_names_its_member(bool dynamicCode)
    {
        Serializer serializer = Configuration.Serializer(references: false, tolerance: false, dynamicCode);
        byte[] bytes = serializer.Serialize(new Order { First = new() { Place = new() { Count = 5 } } });

        // In front of the number stands the byte that says that there is one.
        int at = bytes.AsSpan().IndexOf((ReadOnlySpan<byte>)[1, 5, 0, 0, 0]);
        bytes[at] = 2;
        var e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Order>(bytes));
        Assert.Equal((WireFormatError.InvalidValue, "Count"), (e.Error, e.MemberPath));
    }

    [WireName("Parts.Order")]
    public sealed class WrittenBefore
    {
        public OldBox Box { get; set; }

        public int Last { get; set; }
    }

    [WireName("Parts.Order")]
    public sealed class After
    {
        public NewBox Box { get; set; }

        public int Last { get; set; }
    }

    [WireName("Parts.Box")]
    public struct OldBox
    {
        public string? Gone { get; set; }

        public string? Kept { get; set; }

        public int Number { get; set; }
    }

    [WireName("Parts.Box")]
    public struct NewBox
    {
        public DateTime? Added { get; set; }

        public string? Kept { get; set; }

        public long Number { get; set; }
    }

    public sealed class Order
    {
        public DayOfWeek? Day { get; set; }

        public Part First { get; set; }

        public Guid Id { get; set; }

        public bool Last { get; set; }

        public Part? Other { get; set; }

        public List<int>? Rest { get; set; }

        public Part Second { get; set; }
    }

    public struct Part
    {
        public bool Flag { get; set; }

        public string? Name { get; set; }

        public Place Place { get; set; }

        public decimal? Price { get; set; }
    }

    public struct Place
    {
        public DateTime At { get; set; }

        public int? Count { get; set; }

        public string? Text { get; set; }
    }
}
