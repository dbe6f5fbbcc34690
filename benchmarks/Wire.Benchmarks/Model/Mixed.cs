namespace Bench;

/// <summary>Messages as a queue or an actor system has them: eight classes in random order, and no two alike.</summary>
internal static class Mixed
{
    // Latin, Greek, Cyrillic and Chinese letters.
    private const string Letters = "abcdefghijklmnopqrstuvwxyzαβγδεжзий你好世界";

    /// <summary>Makes messages of all eight classes.</summary>
    public static object[] Messages(int count)
    {
        var random = new Random(1);
        return [.. Enumerable.Range(0, count).Select(i => Message(i, random))];
    }

    /// <summary>Makes messages of one class, with texts of which a fifth has letters beyond Latin-1.</summary>
    public static object[] Texts(int count)
    {
        var random = new Random(2);
        return [.. Enumerable.Range(0, count).Select(i => new Remark
        {
            Id = i,
            Author = Name(random),
            Text = Name(random),
            At = random.Date(),
        })];
    }

    private static object Message(int number, Random random) => random.Next(8) switch
    {
        0 => new Ping { Sequence = number },
        1 => new Ack { Message = random.Guid(), IsAccepted = number % 3 != 0 },
        2 => new Reading { Sensor = random.Next(100), Value = random.NextDouble(), At = random.Date() },
        3 => new Notice { Topic = "prices", Text = random.Text(5 + random.Next(30)) },
        4 => Poco.Create(number),
        5 => new Transfer
        {
            Id = random.Guid(),
            From = new Account { Bank = random.Next(), Number = random.NextInt64() },
            To = new Account { Bank = random.Next(), Number = random.NextInt64() },
            Amount = random.Next(1_000_000) / 100m,
        },
        6 => new Samples { Sensor = random.Next(100), Values = [.. Enumerable.Range(0, random.Next(20)).Select(_ => random.Next())] },
        _ => new Basket
        {
            Id = random.Guid(),
            Customer = random.Text(12),
            Lines = [.. Enumerable.Range(0, 1 + random.Next(5)).Select(_ => new Line
            {
                Product = random.Next(100_000),
                Quantity = 1 + random.Next(9),
                Price = random.NextDouble() * 100,
            })],
        },
    };

    private static string Name(Random random)
    {
        Span<char> characters = stackalloc char[4 + random.Next(24)];
        random.GetItems(random.Next(5) == 0 ? Letters : Letters[..26], characters);
        return new string(characters);
    }
}

public sealed partial class Account
{
    public int Bank { get; set; }

    public long Number { get; set; }
}

public sealed partial class Transfer
{
    public Guid Id { get; set; }

    public Account From { get; set; } = new();

    public Account To { get; set; } = new();

    public decimal Amount { get; set; }
}

public sealed partial class Samples
{
    public int Sensor { get; set; }

    public List<int> Values { get; set; } = [];
}

public sealed partial class Line
{
    public int Product { get; set; }

    public int Quantity { get; set; }

    public double Price { get; set; }
}

public sealed partial class Basket
{
    public Guid Id { get; set; }

    public string Customer { get; set; } = "";

    public List<Line> Lines { get; set; } = [];
}

public sealed partial class Remark
{
    public long Id { get; set; }

    public string Author { get; set; } = "";

    public string Text { get; set; } = "";

    public DateTime At { get; set; }
}
