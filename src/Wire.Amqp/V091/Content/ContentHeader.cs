namespace Wire.Amqp.V091;

/// <summary>What stands between a method and the body of its message (AMQP 0-9-1 section 4.2.6.1).</summary>
public struct ContentHeader
{
    /// <summary>The only class whose methods carry a message: basic.</summary>
    internal const ushort ClassId = 60;

    /// <summary>Not used by the protocol.</summary>
    internal const ushort Weight = 0;

    /// <summary>Class, weight and body size.</summary>
    internal const int FixedSize = sizeof(ushort) + sizeof(ushort) + sizeof(ulong);

    /// <summary>How many bytes of body follow, in all frames.</summary>
    public ulong BodySize;

    /// <summary>The properties of the message.</summary>
    public BasicProperties Properties;
}
