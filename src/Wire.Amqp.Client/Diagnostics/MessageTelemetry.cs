using System.Diagnostics;
using System.Diagnostics.Metrics;
using Wire.Transport;
using Wire.Transport.Diagnostics;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>
/// The source of spans and the numbers that a library has of its messages, after the semantic conventions of OpenTelemetry for messaging.
/// All of it is free while no one listens.
/// </summary>
/// <remarks>
/// Numbers and the names of spans have only the low-cardinality part of a destination (<see cref="Destination.Name"/>): routing keys
/// often hold an identifier, and every new value would be a new series. The whole destination is an attribute of the span.
/// </remarks>
internal sealed class MessageTelemetry
{
    /// <param name="name">The name of the source of spans and of the meter.</param>
    /// <param name="library">A type of the library.</param>
    public MessageTelemetry(string name, Type library)
    {
        string version = Instruments.VersionOf(library);
        Name = name;
        Source = new ActivitySource(name, version);
        Meter = new Meter(name, version);
        OperationDuration = Instruments.OperationDuration(Meter);
        Sent = Instruments.Sent(Meter);
        Consumed = Instruments.Consumed(Meter);
        ProcessDuration = Instruments.ProcessDuration(Meter);
    }

    /// <summary>Gets the name of the source of spans and of the meter.</summary>
    public string Name { get; }

    /// <summary>Gets the source of spans.</summary>
    public ActivitySource Source { get; }

    /// <summary>Gets the meter.</summary>
    public Meter Meter { get; }

    /// <summary>From the call that publishes a message to the broker's answer.</summary>
    public Histogram<double> OperationDuration { get; }

    /// <summary>Messages handed to the broker, counted when their outcome is known.</summary>
    public Counter<long> Sent { get; }

    /// <summary>Messages handed to a handler, each once, however often it is tried.</summary>
    public Counter<long> Consumed { get; }

    /// <summary>From the arrival of a message at its handler to the end of the last attempt.</summary>
    public Histogram<double> ProcessDuration { get; }

    /// <summary>Gets whether someone wants to know of messages that are sent.</summary>
    public bool IsOfSending => Source.HasListeners() || OperationDuration.Enabled || Sent.Enabled;

    /// <summary>Gets whether someone wants to know of messages that are handled.</summary>
    public bool IsOfProcessing => Source.HasListeners() || ProcessDuration.Enabled || Consumed.Enabled;

    /// <summary>Gets whether someone wants to know of messages that are fetched.</summary>
    public bool IsOfReceiving => Source.HasListeners() || OperationDuration.Enabled || Consumed.Enabled;

    /// <summary>Tells the numbers of a message. A listener that throws costs those behind it, which the trace tells.</summary>
    public void Tell<T>(T message, Action<MessageTelemetry, T> tell)
    {
        try
        {
            tell(this, message);
        }
        catch (Exception e)
        {
            Spans.Report(Name, e);
        }
    }

    /// <summary>The tags that every number of an operation has, and the reason where it failed.</summary>
    public static TagList Tags(string operation, string type, string destination, BrokerEndpoint? server, string? error)
    {
        var tags = new TagList
        {
            { Attributes.System, Attributes.RabbitMQ },
            { Attributes.OperationName, operation },
            { Attributes.OperationType, type },
            { Attributes.DestinationName, destination },
        };
        if (server is not null)
        {
            tags.Add(Attributes.ServerAddress, server.Host);
            tags.Add(Attributes.ServerPort, server.Port);
        }

        if (error is not null)
        {
            tags.Add(Attributes.ErrorType, error);
        }

        return tags;
    }
}
