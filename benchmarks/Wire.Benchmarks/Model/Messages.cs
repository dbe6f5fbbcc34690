namespace Bench;

/// <summary>A conversation: many messages of small types, one after the other over one connection.</summary>
public sealed class Conversation(object[] messages)
{
    /// <summary>In the order in which they are sent.</summary>
    public object[] Messages { get; } = messages;

    internal static Conversation Create(int count)
    {
        var random = new Random(1);
        return new Conversation([.. Enumerable.Range(0, count).Select(i => Message(i, random))]);
    }

    private static object Message(int number, Random random) => random.Next(6) switch
    {
        0 => new Ping { Sequence = number },
        1 => new Ack { Message = random.Guid(), IsAccepted = true },
        2 => new Reading { Sensor = random.Next(100), Value = random.NextDouble(), At = random.Date() },
        3 => new Notice { Topic = "prices", Text = random.Text(20) },
        4 => new Move { From = random.Next(64), To = random.Next(64), Color = (Color)random.Next(3) },
        _ => Poco.Create(number),
    };
}

public sealed partial class Ping
{
    public long Sequence { get; set; }
}

public sealed partial class Ack
{
    public Guid Message { get; set; }

    public bool IsAccepted { get; set; }
}

public sealed partial class Reading
{
    public int Sensor { get; set; }

    public double Value { get; set; }

    public DateTime At { get; set; }
}

public sealed partial class Notice
{
    public string Topic { get; set; } = "";

    public string Text { get; set; } = "";
}

public sealed partial class Move
{
    public int From { get; set; }

    public int To { get; set; }

    public Color Color { get; set; }
}
