namespace Bench;

/// <summary>A conversation: many messages of small types, one after the other over one connection.</summary>
public sealed class Conversation(object[] messages)
{
    /// <summary>In the order in which they are sent.</summary>
    public object[] Messages { get; } = messages;
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
