namespace Wire.Amqp.Client;

/// <summary>The way of writing to the socket, and the time at which the task of a publish without a confirm is complete.</summary>
public enum FrameWriting
{
    /// <summary>
    /// A background writer, which sends with one call what many messages have written: the task is complete when the frames are in memory
    /// of the connection's own. Bodies in the caller's memory are copied. The one with the higher throughput.
    /// </summary>
    Background,

    /// <summary>
    /// The caller, unless someone writes already: the task is complete when the socket has taken the bytes. Bodies in the caller's memory
    /// are sent from there, without a copy, and have to stay as they are until the task ends. For one publisher, or large bodies: several
    /// that publish small messages at once wait for each other.
    /// </summary>
    Inline,
}
