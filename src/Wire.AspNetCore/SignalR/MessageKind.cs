namespace Wire.AspNetCore.SignalR;

/// <summary>The kind of a message: the numbers that all protocols of SignalR have.</summary>
internal enum MessageKind : byte
{
    /// <summary>A call of a method, which may want an answer.</summary>
    Invocation = 1,

    /// <summary>An item of a stream, in either direction.</summary>
    StreamItem = 2,

    /// <summary>The answer to a call, or the end of a stream.</summary>
    Completion = 3,

    /// <summary>A call of a method that answers with a stream.</summary>
    StreamInvocation = 4,

    /// <summary>The wish for no more items of a stream.</summary>
    CancelInvocation = 5,

    /// <summary>A sign of life.</summary>
    Ping = 6,

    /// <summary>The end of the connection.</summary>
    Close = 7,

    /// <summary>The number of the last message received, with stateful reconnect.</summary>
    Ack = 8,

    /// <summary>The number of the next message sent, with stateful reconnect.</summary>
    Sequence = 9,
}
