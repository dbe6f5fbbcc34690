using System.Diagnostics.Metrics;
using System.Globalization;
using Wire.Amqp.Client.Channels;
using Wire.Transport;
using Wire.Transport.Diagnostics;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>
/// The spans and numbers of connections, and of channels that a program uses by itself; names outside the semantic conventions of
/// OpenTelemetry begin with <c>wire.amqp.client</c>. All of it is free while no one listens, and a listener that throws costs its span or
/// number, and nothing else.
/// </summary>
internal static class ClientTelemetry
{
    /// <summary>The spans and numbers of messages, under the name of the library.</summary>
    public static readonly MessageTelemetry Messages = new("Wire.Amqp.Client", typeof(ClientTelemetry));

    /// <summary>Connections that have ended, and not by the program.</summary>
    public static readonly Counter<long> ConnectionsLost = Messages.Meter.CreateCounter<long>(
        "wire.amqp.client.connections.lost", Connection, "Connections that were lost, and not closed by the program.");

    /// <summary>Attempts to connect again.</summary>
    public static readonly Counter<long> Recoveries = Messages.Meter.CreateCounter<long>(
        "wire.amqp.client.connections.recoveries", "{attempt}", "Attempts to connect again after a loss.");

    /// <summary>Channels that a program uses by itself that have ended, and not by the program.</summary>
    public static readonly Counter<long> ChannelsLost = Messages.Meter.CreateCounter<long>(
        "wire.amqp.client.channels.lost", Channel, "Channels of the client by itself, closed by the broker or with their connection.");

    /// <summary>The time for which brokers have taken no messages.</summary>
    public static readonly BlockedTime BlockedTime = new(Messages.Meter);

    private const string Connection = "{connection}";
    private const string Channel = "{channel}";
    private const string Message = "{message}";

    private static readonly LiveNumbers ConnectionsOpen =
        LiveNumbers.Sum(Messages.Meter, "wire.amqp.client.connections.open", Connection, "Connections that are open.");

    private static readonly LiveNumbers ConnectionsBlocked = LiveNumbers.Sum(
        Messages.Meter, "wire.amqp.client.connections.blocked", Connection, "Connections on which the broker takes no messages for now.");

    private static readonly LiveNumbers ChannelsOpen =
        LiveNumbers.Sum(Messages.Meter, "wire.amqp.client.channels.open", Channel, "Channels that are open or come back.");

    private static readonly LiveNumbers PublishesInFlight = LiveNumbers.Sum(
        Messages.Meter,
        "wire.amqp.client.publish.in_flight",
        Message,
        "Messages published that wait or that the broker has not answered yet.");

    private static readonly LiveNumbers ProcessesInFlight = LiveNumbers.Sum(
        Messages.Meter, "wire.amqp.client.process.in_flight", Message, "Messages that are being handled or wait for it.");

    /// <summary>Shows the numbers of a connection with the broker that it has now, until it is collected or hidden.</summary>
    public static void Show(AmqpConnection connection)
    {
        BlockedTime.Show(connection.Endpoint);
        Array.ForEach([ConnectionsLost, Recoveries, ChannelsLost], counter => Count(counter, 0, connection.Endpoint, null));
        KeyValuePair<string, object?>[] tags = TagsOf(connection.Endpoint);
        ConnectionsOpen.Add(connection, tags, static connection => connection.IsOpen ? 1 : 0);
        ConnectionsBlocked.Add(connection, tags, static connection => connection.BlockedReason is null ? 0 : 1);
        ChannelsOpen.Add(connection, tags, static connection => connection.Channels.Length);
        PublishesInFlight.Add(connection, tags, static connection => Sum(connection, channel => channel.Publisher.InFlight));
        ProcessesInFlight.Add(
            connection, tags, static connection => Sum(connection, channel => channel.Consumers.All.Sum(each => each.Running)));
    }

    /// <summary>Shows the numbers of a connection no more.</summary>
    public static void Hide(AmqpConnection connection)
    {
        foreach (LiveNumbers numbers in
            (LiveNumbers[])[ConnectionsOpen, ConnectionsBlocked, ChannelsOpen, PublishesInFlight, ProcessesInFlight])
        {
            numbers.Remove(connection);
        }
    }

    /// <summary>Counts what has happened to a connection, or to a channel of it.</summary>
    /// <param name="counter">The counter.</param>
    /// <param name="server">The broker that it is connected to, or was last.</param>
    /// <param name="error">The reason; null where it is no failure.</param>
    public static void Count(Counter<long> counter, BrokerEndpoint server, Exception? error) => Count(counter, 1, server, error);

    /// <summary>The tags of what is of a broker.</summary>
    public static KeyValuePair<string, object?>[] TagsOf(BrokerEndpoint server) =>
    [
        new(Attributes.System, Attributes.RabbitMQ),
        new(Attributes.ServerAddress, server.Host),
        new(Attributes.ServerPort, server.Port),
    ];

    /// <summary>Writes to the trace that a listener has thrown.</summary>
    public static void Report(Exception error) => Spans.Report(Messages.Name, error);

    // None are counted so that there is a series before the first: a reader sees an increase only where it has seen what was before.
    private static void Count(Counter<long> counter, long count, BrokerEndpoint server, Exception? error)
    {
        if (counter.Enabled)
        {
            try
            {
                counter.Add(
                    count, error is null ? TagsOf(server) : [.. TagsOf(server), new(Attributes.ErrorType, NameOf(error))]);
            }
            catch (Exception e)
            {
                Report(e);
            }
        }
    }

    // Those of the plugin have its numbers.
    private static long Sum(AmqpConnection connection, Func<RecoveringChannel, int> count) =>
        connection.Channels.Where(channel => channel.Telemetry is not null).Sum(channel => (long)count(channel));

    // The broker's reply code, or otherwise the type of the exception.
    private static string NameOf(Exception error) =>
        ((error as AmqpChannelException)?.Reason ?? (error as AmqpConnectionException)?.Reason) is { } reason
            ? reason.ReplyCode.ToString(CultureInfo.InvariantCulture)
            : Failures.GetName(error);
}
