using System.Runtime.CompilerServices;
using Wire.Amqp.Bodies;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;
using Wire.Transport.Diagnostics;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>
/// Publishes, handles and fetches the messages of a channel with a span and numbers for each, which is called while someone listens. A
/// listener that throws costs its span, and no message. Thread-safe.
/// </summary>
internal sealed class ChannelTelemetry(AmqpConnection connection)
{
    private static readonly MessageTelemetry Messages = ClientTelemetry.Messages;

    /// <summary>Gets whether someone wants to know of messages that are published.</summary>
    public static bool IsOfSending => Messages.IsOfSending;

    /// <summary>Gets whether someone wants to know of messages that are handled.</summary>
    public static bool IsOfProcessing => Messages.IsOfProcessing;

    /// <summary>Gets whether someone wants to know of messages that are fetched.</summary>
    public static bool IsOfReceiving => Messages.IsOfReceiving;

    /// <summary>Publishes a message.</summary>
    // Out of line: without a listener, nothing is copied for it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public ValueTask Publish<TContent>(
        Publisher publisher, in TContent content, in BasicPublish method, in BasicProperties properties, FrameWriting writing,
        IAmqpPublishObserver? observer, CancellationToken cancellationToken)
        where TContent : struct, IContent =>
        PublishAsync(publisher, content, method, properties, writing, observer, cancellationToken);

    /// <summary>Calls a handler with a message.</summary>
    public async ValueTask HandleAsync(string queue, AmqpDelivery delivery, Func<AmqpDelivery, ValueTask> handler)
    {
        ProcessTelemetry telemetry = default;
        Try(() => telemetry = ProcessTelemetry.Start(Messages, queue, connection.Endpoint, new ArrivedMessage(delivery)));
        try
        {
            await handler(delivery).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Try(() => telemetry.Stop(Failures.GetName(e), e.Message));
            throw;
        }

        Try(() => telemetry.Stop());
    }

    /// <inheritdoc cref="ConsumerSet.GetAsync"/>
    public async Task<AmqpDelivery?> GetAsync(ConsumerSet consumers, string queue, bool noAck, CancellationToken cancellationToken)
    {
        ReceiveTelemetry telemetry = default;
        Try(() => telemetry = new ReceiveTelemetry(Messages, queue));
        AmqpDelivery? delivery;
        try
        {
            delivery = await consumers.GetAsync(queue, noAck, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Try(() => telemetry.Stop(connection.Endpoint, null, e));
            throw;
        }

        Try(() => telemetry.Stop(connection.Endpoint, delivery is { } got ? new ArrivedMessage(got) : null));
        return delivery;
    }

    private async ValueTask PublishAsync<TContent>(
        Publisher publisher, TContent content, BasicPublish method, BasicProperties properties, FrameWriting writing,
        IAmqpPublishObserver? observer, CancellationToken cancellationToken)
        where TContent : struct, IContent
    {
        SendTelemetry? telemetry = null;
        Try(() =>
        {
            telemetry = SendTelemetry.TryStart(
                Messages, Attributes.Publish, method.Exchange.ToString(), method.RoutingKey.ToString(), observer);
            telemetry?.Prepare(in properties);
            if (telemetry?.Current is { } span && Messages.Source.HasListeners())
            {
                properties.Headers = TraceContext.Inject(span, properties.Headers);
            }
        });
        try
        {
            await publisher.Publish(
                in content, in method, in properties, writing, telemetry ?? observer, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Try(() => telemetry?.Stop(connection.Endpoint, Failures.GetName(e), e.Message));
            throw;
        }

        Try(() => telemetry?.Stop(connection.Endpoint));
    }

    private static void Try(Action tell)
    {
        try
        {
            tell();
        }
        catch (Exception e)
        {
            ClientTelemetry.Report(e);
        }
    }
}
