namespace Wire.Amqp.V091;

/// <summary>What a frame carries (AMQP 0-9-1 section 4.2.3).</summary>
public enum FrameType : byte
{
    /// <summary>A method with its arguments.</summary>
    Method = 1,

    /// <summary>The content header of a message: the size of its body, and its properties.</summary>
    Header = 2,

    /// <summary>The body of a message or a part of it.</summary>
    Body = 3,

    /// <summary>Nothing: a sign of life, on channel 0.</summary>
    Heartbeat = 8,
}
