using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Wire.RabbitMQ.Consuming;

namespace Wire.RabbitMQ;

/// <content>What handles the messages.</content>
public sealed partial class WireConsumer
{
    /// <summary>
    /// Adds a handler for messages of a type, its subclasses or implementations. Of several handlers the one for the most derived type gets
    /// a message: class, base classes, then interfaces (among unrelated ones the one added first), and <see cref="object"/> last.
    /// </summary>
    /// <typeparam name="T">
    /// The type. Payloads may name it from now on; derived types must be allowed by the serializer's filter.
    /// </typeparam>
    /// <param name="handler">
    /// Handles a message. When its task succeeds, the message is acknowledged; when it fails, the message is tried again or handled as a
    /// failure.
    /// </param>
    /// <returns>This consumer.</returns>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    /// <exception cref="InvalidOperationException">The consumer has been started.</exception>
    public WireConsumer Handle<T>(Func<T, MessageContext, Task> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Handle(typeof(T), (message, context) => handler((T)message, context));
    }

    /// <summary>
    /// Adds a handler that decides on its messages by its result; otherwise as <see cref="Handle{T}(Func{T, MessageContext, Task})"/>.
    /// </summary>
    /// <param name="handler">Handles a message. When its task fails, the message is tried again or handled as a failure.</param>
    /// <inheritdoc cref="Handle{T}(Func{T, MessageContext, Task})"/>
    public WireConsumer Handle<T>(Func<T, MessageContext, Task<MessageOutcome>> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Handle(typeof(T), async (message, context) =>
            context.Outcome = await handler((T)message, context).ConfigureAwait(false) ?? throw new InvalidOperationException(
                $"The handler of {message.GetType()} has returned null where an outcome is expected."));
    }

    /// <summary>
    /// Adds a handler of requests: its result is sent to the requester, to the address in <see cref="MessageContext.ReplyTo"/>, and then
    /// the request is acknowledged. It finds its requests as <see cref="Handle{T}(Func{T, MessageContext, Task})"/> says.
    /// </summary>
    /// <remarks>
    /// When the handler fails as often as <see cref="WireConsumerOptions.Retry"/> allows, the requester receives the type and message of
    /// the exception as a <see cref="RequestFailedException"/>, and the request counts as settled. A request whose requester is gone is
    /// still handled if it has not expired; the broker drops its reply. A message without a reply address is a failure. A request that
    /// cannot be decoded, or has no handler, gets an error reply too.
    /// </remarks>
    /// <typeparam name="TRequest">
    /// The type of requests. Payloads may name it from now on; derived types must be allowed by the serializer's filter.
    /// </typeparam>
    /// <typeparam name="TReply">The type of replies.</typeparam>
    /// <param name="handler">Handles a request.</param>
    /// <returns>This consumer.</returns>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    /// <exception cref="InvalidOperationException">The consumer has been started.</exception>
    public WireConsumer Reply<TRequest, TReply>(Func<TRequest, MessageContext, Task<TReply>> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        _isResponder = true;
        return Handle(
            typeof(TRequest),
            (request, context) => _replies.ReplyAsync(() => handler((TRequest)request, context), context, _options));
    }

    /// <summary>
    /// Adds a handler of many messages of a type at a time. They are gathered up to a number or a time, handled together, and settled one
    /// by one: when the handler succeeds, each is acknowledged or what its <see cref="MessageContext.Outcome"/> says; when it fails, each
    /// is tried again or handled as a failure by itself: further attempts are batches of one. It finds its messages as <see
    /// cref="Handle{T}(Func{T, MessageContext, Task})"/> says.
    /// </summary>
    /// <typeparam name="T">
    /// The type. Payloads may name it from now on; derived types must be allowed by the serializer's filter.
    /// </typeparam>
    /// <param name="handler">
    /// Handles a batch, on the thread pool. Its token fires as <see cref="MessageContext.CancellationToken"/> does.
    /// </param>
    /// <param name="options">When a batch is full.</param>
    /// <returns>This consumer.</returns>
    /// <exception cref="ArgumentException">
    /// There is a handler for this type already, an option is out of range, or the consumer does not handle as many at a time.
    /// </exception>
    /// <exception cref="InvalidOperationException">The consumer has been started.</exception>
    public WireConsumer HandleBatch<T>(
        Func<IReadOnlyList<Delivery<T>>, CancellationToken, Task> handler, BatchOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(handler);
        options ??= new BatchOptions();
        options.Validate(_options);
        var batches = new Batcher<T>(handler, options, _stopping.Token);
        return Handle(typeof(T), (message, context) => batches.AddAsync((T)message, context));
    }

    /// <summary>
    /// Reads messages of a type into objects of a pool, as <see cref="Serializer.Deserialize{T}(ReadOnlySpan{byte}, T, bool)"/> does. Each
    /// attempt has an object of its own, which goes back when its handler has ended, and that of its batch: nobody may keep it, or an
    /// object in it.
    /// </summary>
    /// <remarks>
    /// The first messages of a type, messages of derived types, and bodies that are no Wire payloads or arrive in several parts are new
    /// objects; an object that was taken for nothing goes back. One whose delivery is lost while it is handled does not go back, and what a
    /// pool throws is logged.
    /// </remarks>
    /// <typeparam name="T">The class of the messages; its objects can be read into.</typeparam>
    /// <param name="rent">Gives an object: <c>pool.Get</c> of an <c>ObjectPool</c>. Thread-safe.</param>
    /// <param name="giveBack">Takes it back: <c>pool.Return</c>. Thread-safe.</param>
    /// <returns>This consumer.</returns>
    /// <exception cref="ArgumentException">There is a pool for this type already.</exception>
    /// <exception cref="InvalidOperationException">The consumer has been started.</exception>
    public WireConsumer ReadInto<T>(Func<T> rent, Action<T> giveBack)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(rent);
        ArgumentNullException.ThrowIfNull(giveBack);
        lock (_gate)
        {
            ThrowIfStarted();
            if (!_pools.TryAdd(rent, giveBack))
            {
                throw new ArgumentException($"There is already a pool for {typeof(T)}.");
            }
        }

        return this;
    }

    /// <summary>
    /// Adds middleware: it stands around the handlers, inside of what was added before, and is called for each attempt. Messages that
    /// cannot be decoded or have no handler do not reach it.
    /// </summary>
    /// <param name="middleware">
    /// Handles a message: <see cref="IConsumeMiddleware.HandleAsync"/>, which says what its arguments are.
    /// </param>
    /// <returns>This consumer.</returns>
    /// <exception cref="InvalidOperationException">The consumer has been started.</exception>
    public WireConsumer Use(Func<object, MessageContext, MessageHandler, Task> middleware)
    {
        ArgumentNullException.ThrowIfNull(middleware);
        lock (_gate)
        {
            ThrowIfStarted();
            _handlers.AddAround(middleware);
        }

        return this;
    }

    /// <inheritdoc cref="Use(Func{object, MessageContext, MessageHandler, Task})"/>
    public WireConsumer Use(IConsumeMiddleware middleware)
    {
        ArgumentNullException.ThrowIfNull(middleware);
        return Use(middleware.HandleAsync);
    }

    /// <summary>
    /// Starts the consumer, brings the messages of a type one by one, and stops it when the loop over them ends. A message is acknowledged,
    /// or what its <see cref="MessageContext.Outcome"/> says, when the next one is asked for. One at which the loop is left returns to the
    /// queue, unless its outcome was set, as do those behind it. It finds its messages as <see cref="Handle{T}(Func{T, MessageContext,
    /// Task})"/> says, beside other handlers.
    /// </summary>
    /// <remarks>
    /// Up to <see cref="MaxConcurrency"/> messages wait decoded; with 1 they come in the queue's order. The loop is not a handler: it is
    /// not tried again over an exception. Leave it to stop: a call of <see cref="StopAsync"/> within it waits for the message at hand, up
    /// to <see cref="WireConsumerOptions.StopTimeout"/>. Iterate over it once.
    /// </remarks>
    /// <typeparam name="T">
    /// The type. Payloads may name it from now on; derived types must be allowed by the serializer's filter.
    /// </typeparam>
    /// <param name="cancellationToken">Ends the loop, with an <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    /// <exception cref="Amqp.Client.AmqpConnectionException">The connection has ended permanently.</exception>
    /// <inheritdoc cref="StartAsync"/>
    public async IAsyncEnumerable<Delivery<T>> ReadAllAsync<T>([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var waiting = Channel.CreateUnbounded<Pending<T>>(new UnboundedChannelOptions { SingleReader = true });
        Handle(typeof(T), (message, context) =>
        {
            var pending = new Pending<T>(new Delivery<T>((T)message, context));
            if (!waiting.Writer.TryWrite(pending))
            {
                pending.GiveBack();
            }

            return pending.EndsWith(context.CancellationToken);
        });
        Pending<T>? current = null;
        try
        {
            await StartAsync(cancellationToken).ConfigureAwait(false);
            _ = Completion.ContinueWith(
                _ => waiting.Writer.TryComplete(),
                CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
            while (await waiting.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false))
            {
                while (waiting.Reader.TryRead(out current))
                {
                    if (current.IsOver)
                    {
                        current = null;
                        continue;
                    }

                    yield return current.Delivery;
                    current.Handled.TrySetResult();
                    current = null;
                    cancellationToken.ThrowIfCancellationRequested();
                }
            }

            await Completion.ConfigureAwait(false);
        }
        finally
        {
            // First no others come, then these return.
            waiting.Writer.TryComplete();
            Task stopped = StopAsync(CancellationToken.None);
            current?.GiveBack();
            while (waiting.Reader.TryRead(out Pending<T>? behind))
            {
                behind.GiveBack();
            }

            await stopped.ConfigureAwait(false);
        }
    }

    /// <summary>Adds a handler of any kind.</summary>
    internal WireConsumer Handle(Type type, MessageHandler handler)
    {
        lock (_gate)
        {
            ThrowIfStarted();
            _handlers.Add(type, handler);
            _types.Add(type);
        }

        return this;
    }

    private void ThrowIfStarted()
    {
        if (_started is not null)
        {
            throw new InvalidOperationException("The consumer has been started already: add handlers before.");
        }
    }

    /// <summary>A message for a loop, and its end.</summary>
    private sealed class Pending<T>(Delivery<T> delivery)
    {
        public Delivery<T> Delivery { get; } = delivery;

        public TaskCompletionSource Handled { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>Gets whether it comes again, or has.</summary>
        public bool IsOver => Handled.Task.IsCompleted || Delivery.Context.HasEnded;

        /// <summary>Ends with it, or when handlers have to.</summary>
        public async Task EndsWith(CancellationToken cancellationToken)
        {
            using CancellationTokenRegistration late = cancellationToken.UnsafeRegister(
                static pending => ((Pending<T>)pending!).Handled.TrySetCanceled(), this);
            await Handled.Task.ConfigureAwait(false);
        }

        /// <summary>The loop has ended at it or before.</summary>
        public void GiveBack()
        {
            if (!IsOver && !Delivery.Context.HasDecided)
            {
                Delivery.Context.Outcome = MessageOutcome.Requeue;
            }

            Handled.TrySetResult();
        }
    }
}
