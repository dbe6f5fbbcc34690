using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Wire.Amqp;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Delays;
using Wire.RabbitMQ.Diagnostics;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// Processes a delivery: decodes it, calls the handler as often as the retry policy says, and settles it. Thread-safe.
/// </summary>
/// <param name="connection">The connection that it comes over.</param>
/// <param name="options">How the queue is consumed.</param>
/// <param name="position">Knows whether the queue is a stream.</param>
/// <param name="serializer">The serializer of messages.</param>
/// <param name="handlers">The handlers.</param>
/// <param name="pools">The objects that messages are read into.</param>
/// <param name="settler">Settles what was not simply handled.</param>
/// <param name="scopes">Makes the scopes of services; null where there are none.</param>
/// <param name="context">The execution context of handlers, so that none sees what another has left behind.</param>
/// <param name="logger">Where to log.</param>
/// <param name="stopping">Fires when no handlers may start any more.</param>
/// <param name="handlersEnd">Fires when handlers have to end.</param>
[SuppressMessage("Design", "CA1001", Justification = "Handlers that were abandoned may end after everything else.")]
internal sealed class MessageProcessor(
    WireConnection connection,
    WireConsumerOptions options,
    StreamPosition position,
    WireBodySerializer serializer,
    HandlerTable handlers,
    MessagePools pools,
    OutcomeSettler settler,
    IServiceScopeFactory? scopes,
    ExecutionContext context,
    ILogger logger,
    CancellationToken stopping,
    CancellationToken handlersEnd)
{
    private readonly HandlerTokens _tokens = new(handlersEnd);
    private readonly DuplicateWindow _duplicates = new(options.DuplicateWindow);

    // When a consumer begins again, handlers of the previous consumption may still run: the limit of the options applies to both together.
    private readonly HandlerSlots _slots = new(options.MaxConcurrency);
    private int _running;
    private long _begun;

    /// <summary>Gets a number that changes with each delivery that is begun with.</summary>
    public long Begun => Interlocked.Read(ref _begun);

    /// <summary>Gets the number of deliveries that are being handled.</summary>
    public int Running => Volatile.Read(ref _running);

    /// <summary>Gets or sets how many are handled at a time.</summary>
    public int Concurrency
    {
        get => _slots.Limit;
        set => _slots.Limit = value;
    }

    /// <summary>Returns the handler of deliveries that come one after the other, by their keys.</summary>
    public Func<IDelivery, ValueTask> ByKey(Func<MessageContext, string?> keyOf) => new KeyedDeliveries(
        delivery =>
        {
            if (!DeliveryProperties.TryRead(ref delivery, options.Queue, out string? id, out _, out Failure damaged))
            {
                throw damaged.Exception;
            }

            var asked = new MessageContext(options.Queue, delivery, id, 0, false, null, default);
            string? key = keyOf(asked);
            asked.Invalidate();
            return key;
        },
        HandleAsync,
        (delivery, reason) => HandleAsync(
            delivery,
            new Failure(
                FailureReason.HandlerFailed,
                new InvalidOperationException(
                    $"{nameof(WireConsumerOptions.OrderingKey)} of the consumer of '{options.Queue}' has thrown: {reason.Message}", reason),
                0)),
        stopping).AddAsync;

    /// <summary>Handles a delivery, and settles it. Does not throw.</summary>
    public ValueTask HandleAsync(IDelivery delivery) => HandleAsync(delivery, null);

    /// <summary>Handles a delivery, or does with one that was refused before what is done with those, and settles it.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask HandleAsync(IDelivery delivery, Failure? refusal)
    {
        try
        {
            if (!await TryBeginAsync().ConfigureAwait(false))
            {
                Settle(delivery, Settlement.Requeue);
                return;
            }

            Interlocked.Increment(ref _running);
            Interlocked.Increment(ref _begun);
            try
            {
                ExecutionContext.Restore(context);
                Settlement settlement;
                do
                {
                    settlement = await ProcessAsync(delivery, refusal).ConfigureAwait(false);
                }
                while (settlement == Settlement.Requeue && IsHandledAgain(delivery));

                Settle(delivery, settlement);
            }
            finally
            {
                Interlocked.Decrement(ref _running);
                _slots.Release();
            }
        }
        catch (Exception e)
        {
            // The channel has ended or is about to: the broker redelivers unsettled messages.
            ConsumerLog.NotTold(logger, options.Queue, e);
        }
    }

    /// <summary>Ends when no handler runs any more. Called once, when no more are started.</summary>
    public Task DrainAsync() => _slots.TakeAllAsync();

    // A stream takes no message back, and its broker closes the connection over one: it is kept here instead, as often as it would come.
    private bool IsHandledAgain(IDelivery delivery) =>
        !stopping.IsCancellationRequested
        && !delivery.Lost.IsCancellationRequested
        && IsOfStream(delivery);

    // A stream takes none back, and rejects none: RabbitMQ 3 closes the connection over either. It comes again with the next consumer.
    private void Settle(IDelivery delivery, Settlement settlement)
    {
        bool isOfStream = settlement != Settlement.Ack && IsOfStream(delivery);
        if (settlement != Settlement.Requeue || !isOfStream)
        {
            delivery.Settle(isOfStream ? Settlement.Ack : settlement);
        }
    }

    // A message whose properties are damaged is taken for none.
    private bool IsOfStream(IDelivery delivery)
    {
        try
        {
            return position.IsOfStream(delivery.Properties);
        }
        catch (AmqpFormatException)
        {
            return false;
        }
    }

    // False when no more handlers are started.
    private async ValueTask<bool> TryBeginAsync()
    {
        if (stopping.IsCancellationRequested)
        {
            return false;
        }

        try
        {
            await _slots.WaitAsync(stopping).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    private async ValueTask<Settlement> ProcessAsync(IDelivery delivery, Failure? refusal)
    {
        ProcessTelemetry telemetry = default;
        try
        {
            if (!DeliveryProperties.TryRead(ref delivery, options.Queue, out string? id, out TimeSpan? left, out Failure failure))
            {
                return await settler.FailAsync(delivery, null, failure, telemetry).ConfigureAwait(false);
            }

            if (left is { } early)
            {
                return await settler.SettleAsync(delivery, id, MessageOutcome.NotYet(Wait.AtMost(early)), null, 0, telemetry)
                    .ConfigureAwait(false);
            }

            telemetry = Telemetry.StartProcess(options.Queue, connection, delivery);
            bool duplicate = _duplicates.Contains(id);
            if (duplicate)
            {
                Telemetry.Count(Telemetry.Duplicates, options.Queue);
            }

            if ((refusal ?? Refusal(delivery)) is { } refused)
            {
                return await settler.FailAsync(delivery, id, refused, telemetry).ConfigureAwait(false);
            }

            if (!IsWanted(delivery, out failure))
            {
                return failure.Exception is null
                    ? await settler.LeaveOutAsync(delivery, telemetry).ConfigureAwait(false)
                    : await settler.FailAsync(delivery, id, failure, telemetry).ConfigureAwait(false);
            }

            CancellationToken over = _tokens.For(delivery.Lost);
            for (int attempt = 1; ; attempt++)
            {
                MessagePools.Loan? loan = pools.Begin(options.Queue, logger);
                if (!TryDecode(delivery, loan, out object? message, out MessageHandler? handler, out failure))
                {
                    loan?.End();
                    return await settler.FailAsync(delivery, id, failure with { Attempts = attempt - 1 }, telemetry).ConfigureAwait(false);
                }

                var context = new MessageContext(options.Queue, delivery, id, attempt, duplicate, scopes, over) { Loan = loan };
                MessageOutcome outcome;
                Exception? error = null;
                try
                {
                    Task task = handler(message, context) ?? throw new InvalidOperationException(
                        $"The handler of {message.GetType()} has returned null where a task is expected.");
                    await task.ConfigureAwait(false);
                    outcome = context.Outcome;
                }
                catch (Exception e)
                {
                    error = e;

                    // The second is so at once, the first a moment later.
                    if (over.IsCancellationRequested || delivery.Lost.IsCancellationRequested)
                    {
                        // It comes again.
                        return Requeue(id, e, telemetry);
                    }

                    outcome = context.Fail(options, ref error);
                }
                finally
                {
                    if (over.IsCancellationRequested || delivery.Lost.IsCancellationRequested)
                    {
                        // A loop may still have the message.
                        loan?.Forget();
                    }

                    await EndAsync(context, id).ConfigureAwait(false);
                }

                if (outcome.Kind == OutcomeKind.Ack)
                {
                    _duplicates.Add(id);
                    if (error is null)
                    {
                        telemetry.Stop();
                        return Settlement.Ack;
                    }
                }

                if (error is null || outcome.Kind != OutcomeKind.TryAgain)
                {
                    return await settler.SettleAsync(delivery, id, outcome, error, attempt, telemetry).ConfigureAwait(false);
                }

                TimeSpan pause = options.Retry.DelayBefore(attempt + 1);
                ConsumerLog.AttemptFailed(logger, options.Queue, id, attempt, pause, error);
                if (!await settler.PauseAsync(pause).ConfigureAwait(false))
                {
                    return Requeue(id, error, telemetry);
                }

                Telemetry.Count(Telemetry.Retries, options.Queue);
            }
        }
        catch (Exception e)
        {
            // For example, the propagator of the program threw. It is logged only here, and the message must be redelivered, but not at
            // once.
            ConsumerLog.Unexpected(logger, options.Queue, e);
            telemetry.Stop(FailureReason.HandlerFailed, e.Message);
            await settler.PauseAsync().ConfigureAwait(false);
            return Settlement.Requeue;
        }
    }

    // The work is done: that of a handler that has succeeded is not done again over this.
    private async ValueTask EndAsync(MessageContext context, string? id)
    {
        try
        {
            await context.EndScopeAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            ConsumerLog.ServicesFailed(logger, options.Queue, id, e);
        }

        context.Invalidate();
    }

    private Failure? Refusal(IDelivery delivery)
    {
        FieldTable headers = delivery.Properties.Headers;
        return !headers.IsEmpty && options.MaxDeliveries is { } most
            && headers.Integer(MessageContext.DeliveryCountKey) is { } before && before >= most
            ? new Failure(
                FailureReason.TooManyDeliveries,
                new InvalidOperationException(
                    $"It has come {before + 1} times without being settled, more than {nameof(WireConsumerOptions.MaxDeliveries)} of the " +
                    $"consumer, which are {most}: its handler, or that of a message beside it, may end the process, or return it each " +
                    "time."),
                0)
            : null;
    }

    // False where it is not, and where the condition has thrown.
    private bool IsWanted(IDelivery delivery, out Failure failure)
    {
        failure = default;
        if (options.Where is not { } where)
        {
            return true;
        }

        try
        {
            BasicProperties properties = delivery.Properties;
            return serializer.Meets(in properties, delivery.Body, where);
        }
        catch (Exception e)
        {
            failure = new Failure(ReasonOf(e), e, 0);
            return false;
        }
    }

    // An exception of a message's constructor or setter counts as well: the bytes do not become an object.
    private static string ReasonOf(Exception exception) => exception switch
    {
        TypeRefusedException or BodyTypeException => FailureReason.TypeRefused,
        AmqpFormatException { Error: AmqpFormatError.TooLarge } => FailureReason.TooLarge,
        _ => FailureReason.Undecodable,
    };

    private bool TryDecode(
        IDelivery delivery, MessagePools.Loan? loan,
        [NotNullWhen(true)] out object? message, [NotNullWhen(true)] out MessageHandler? handler, out Failure failure)
    {
        message = null;
        handler = null;
        failure = default;
        try
        {
            BasicProperties properties = delivery.Properties;
            message = loan is null
                ? serializer.Read<object>(in properties, delivery.Body)
                : serializer.Read(in properties, delivery.Body, loan.Take);
        }
        catch (Exception e)
        {
            failure = new Failure(ReasonOf(e), e, 0);
            return false;
        }

        if (message is not null && (handler = handlers.Find(message.GetType())) is not null)
        {
            return true;
        }

        string what =
            message is null ? "the body is null, which has no type" : $"its type is {message.GetType()}. Add one with Handle<T>";
        failure = new Failure(
            FailureReason.NoHandler,
            new InvalidOperationException($"No handler of the consumer of '{options.Queue}' handles this message: {what}."),
            0);
        return false;
    }

    private Settlement Requeue(string? id, Exception error, ProcessTelemetry telemetry)
    {
        telemetry.Stop(FailureReason.HandlerFailed, error.Message);
        ConsumerLog.MessageRequeued(logger, options.Queue, id, error);
        return Settlement.Requeue;
    }
}
