namespace Bench;

/// <summary>Values that are the same on every machine and in every run.</summary>
internal static class Seeded
{
    public static readonly DateTime Epoch = new(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    /// <summary>A number of POCOs, each of a seed of its own.</summary>
    public static IEnumerable<Poco> Pocos(int count) => Enumerable.Range(1, count).Select(Poco.Create);

    public static Guid Guid(this Random random)
    {
        Span<byte> bytes = stackalloc byte[16];
        random.NextBytes(bytes);
        return new Guid(bytes);
    }

    public static DateTime Date(this Random random) => Epoch.AddTicks(random.NextInt64(TimeSpan.TicksPerDay * 3650));

    /// <summary>Words of lower-case letters.</summary>
    public static string Text(this Random random, int length)
    {
        Span<char> characters = stackalloc char[length];
        random.GetItems("abcdefghijklmnopqrstuvwxyz    ", characters);
        return new string(characters);
    }

    public static Order Order(int seed)
    {
        var random = new Random(seed);
        return new Order
        {
            Number = random.Next(),
            CustomerNumber = random.Next(100_000),
            LineCount = 100,
            Priority = 3,
            Warehouse = 17,
            Revision = 2,
            Retries = 0,
            Flags = -1,
            Sequence = random.NextInt64(),
            Offset = random.NextInt64(1L << 32),
            TotalCents = random.Next(1_000_000),
            Version = 42,
            Weight = random.NextDouble(),
            Volume = random.NextDouble(),
            Distance = random.NextDouble() * 1000,
            Discount = random.NextSingle(),
            Score = random.NextSingle(),
            IsPaid = true,
            IsShipped = false,
            Channel = 4,
            Region = -276,
            Stage = 5,
            Checksum = (uint)random.Next(),
            Price = random.Next(1_000_000) / 100m,
            Customer = "Jane Q. Public",
            Street = "1600 Market Street, Suite 1200",
            City = "Göteborg",
            Comment = random.Text(60),
            Id = random.Guid(),
            Correlation = random.Guid(),
            Created = random.Date(),
            Changed = random.Date(),
            Timeout = TimeSpan.FromSeconds(30),
            Due = new DateTimeOffset(2026, 3, 4, 17, 0, 0, TimeSpan.FromHours(2)),
            Coupon = 4711,
            Rating = 4.5,
            Cancelled = null,
            Status = OrderStatus.Paid,
            Lines = [.. Enumerable.Range(0, 100).Select(_ => random.Next(1_000_000))],
            Document = random.Bytes(4096),
        };
    }

    public static byte[] Bytes(this Random random, int count)
    {
        byte[] bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }
}
