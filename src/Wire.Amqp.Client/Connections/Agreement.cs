namespace Wire.Amqp.Client.Connections;

/// <summary>The terms that client and server have agreed on in the handshake.</summary>
/// <param name="FrameMax">The largest frame in bytes, its envelope included; never 0.</param>
/// <param name="ChannelMax">The highest number of a channel; never 0.</param>
/// <param name="Heartbeat">The heartbeat interval; zero for no heartbeats.</param>
/// <param name="ServerProperties">What the server says about itself.</param>
internal sealed record Agreement(
    int FrameMax, ushort ChannelMax, TimeSpan Heartbeat, IReadOnlyDictionary<string, object?> ServerProperties)
{
    /// <summary>Gets a text that the server says about itself; null where it does not say.</summary>
    public string? ServerText(string name) => ServerProperties.GetValueOrDefault(name)?.ToString();
}
