using Wire.RabbitMQ.Streams.Diagnostics;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// The tasks of messages that are sent. Whatever is wrong with a message fails its task, so that one of many that are started together does
/// not keep its caller from the others.
/// </summary>
internal static class SendTasks
{
    /// <summary>Writes a message; the task ends when the broker has answered.</summary>
    public static ValueTask Send<TContent>(
        this Publisher publisher, in TContent content, in StreamSendOptions options, CancellationToken cancellationToken)
        where TContent : struct, IMessageContent
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        if (!TContent.IsTraced && Telemetry.Source.HasListeners())
        {
            return SendTracedAsync(publisher, content, options, cancellationToken);
        }

        try
        {
            PendingSend? send = publisher.Accept(
                in content, in options, untilConfirmed: true, cancellationToken, out _, out short token, out ValueTask shared);
            return send is null ? shared : new ValueTask(send, token);
        }
        catch (Exception e)
        {
            return ValueTask.FromException(e);
        }
    }

    /// <summary>Writes a message; the task ends when there is room for it.</summary>
    public static ValueTask<ulong> Enqueue<TContent>(
        this Publisher publisher, in TContent content, in StreamSendOptions options, CancellationToken cancellationToken)
        where TContent : struct, IMessageContent
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<ulong>(cancellationToken);
        }

        if (!TContent.IsTraced && Telemetry.Source.HasListeners())
        {
            return EnqueueTracedAsync(publisher, content, options, cancellationToken);
        }

        try
        {
            PendingSend? send = publisher.Accept(
                in content, in options, untilConfirmed: false, cancellationToken, out ulong id, out short token, out _);
            return send is null ? new ValueTask<ulong>(id) : new ValueTask<ulong>(send, token);
        }
        catch (Exception e)
        {
            return ValueTask.FromException<ulong>(e);
        }
    }

    private static async ValueTask SendTracedAsync<TContent>(
        Publisher publisher, TContent content, StreamSendOptions options, CancellationToken cancellationToken)
        where TContent : struct, IMessageContent
    {
        var span = new SendSpan(publisher.Stream);
        try
        {
            await publisher.Send(new TracedContent<TContent>(in content, span.Current), in options, cancellationToken)
                .ConfigureAwait(false);
            span.Stop();
        }
        catch (Exception e)
        {
            span.Stop(e);
            throw;
        }
    }

    // Its span ends when the message is written: what becomes of that is not known then.
    private static async ValueTask<ulong> EnqueueTracedAsync<TContent>(
        Publisher publisher, TContent content, StreamSendOptions options, CancellationToken cancellationToken)
        where TContent : struct, IMessageContent
    {
        var span = new SendSpan(publisher.Stream);
        try
        {
            ulong id = await publisher.Enqueue(new TracedContent<TContent>(in content, span.Current), in options, cancellationToken)
                .ConfigureAwait(false);
            span.Stop();
            return id;
        }
        catch (Exception e)
        {
            span.Stop(e);
            throw;
        }
    }
}
