using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Wire.RabbitMQ.Hosting;

namespace Wire.RabbitMQ;

/// <summary>
/// Collects the handlers of a queue's messages: <see cref="WireRabbitMQBuilder.AddConsumer(string, Action{WireConsumerBuilder})"/>.
/// </summary>
public sealed class WireConsumerBuilder
{
    private readonly IServiceCollection _services;
    private readonly WireConsumerOptions _options;
    private readonly HashSet<Type> _types = [];
    private readonly List<Type> _handlers = [];
    private readonly List<Action<WireConsumer>> _steps = [];

    internal WireConsumerBuilder(IServiceCollection services, WireConsumerOptions options) => (_services, _options) = (services, options);

    /// <summary>
    /// Adds a function that handles messages of a type: <see cref="WireConsumer.Handle{T}(Func{T, MessageContext, Task})"/>.
    /// </summary>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    public WireConsumerBuilder Handle<T>(Func<T, MessageContext, Task> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Add<T>(consumer => consumer.Handle(handler));
    }

    /// <summary>
    /// Adds a function that handles messages of a type, and decides on them by its result: <see cref="WireConsumer.Handle{T}(Func{T,
    /// MessageContext, Task{MessageOutcome}})"/>.
    /// </summary>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    public WireConsumerBuilder Handle<T>(Func<T, MessageContext, Task<MessageOutcome>> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Add<T>(consumer => consumer.Handle(handler));
    }

    /// <summary>Adds a service that handles messages of a type. It is registered as scoped if not registered yet.</summary>
    /// <typeparam name="T">The type of messages.</typeparam>
    /// <typeparam name="THandler">The service.</typeparam>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    public WireConsumerBuilder Handle<T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>()
        where THandler : class, IMessageHandler<T>
    {
        AddService<THandler>();
        return Add<T>(consumer => consumer.Handle<T>(
            static (message, context) => context.Services.GetRequiredService<THandler>().HandleAsync(message, context)));
    }

    /// <summary>
    /// Adds a function that replies to requests of a type: <see cref="WireConsumer.Reply{TRequest, TReply}(Func{TRequest, MessageContext,
    /// Task{TReply}})"/>.
    /// </summary>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    public WireConsumerBuilder Reply<TRequest, TReply>(Func<TRequest, MessageContext, Task<TReply>> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Add<TRequest>(consumer => consumer.Reply(handler));
    }

    /// <summary>
    /// Adds a service that replies to requests of a type. It is registered as scoped if not registered yet.
    /// </summary>
    /// <typeparam name="TRequest">The type of requests.</typeparam>
    /// <typeparam name="TReply">The type of replies.</typeparam>
    /// <typeparam name="THandler">The service.</typeparam>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    public WireConsumerBuilder Reply<
        TRequest, TReply, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>()
        where THandler : class, IRequestHandler<TRequest, TReply>
    {
        AddService<THandler>();
        return Add<TRequest>(consumer => consumer.Reply<TRequest, TReply>(
            static (request, context) => context.Services.GetRequiredService<THandler>().HandleAsync(request, context)));
    }

    /// <summary>
    /// Adds a function that handles many messages of a type at a time: <see cref="WireConsumer.HandleBatch{T}"/>.
    /// </summary>
    /// <exception cref="ArgumentException">
    /// There is a handler for this type already, an option is out of range, or the consumer does not handle as many at a time.
    /// </exception>
    public WireConsumerBuilder HandleBatch<T>(
        Func<IReadOnlyList<Delivery<T>>, CancellationToken, Task> handler, BatchOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(handler);
        (options ?? new BatchOptions()).Validate(_options);
        return Add<T>(consumer => consumer.HandleBatch(handler, options));
    }

    /// <summary>
    /// Adds a service that handles many messages of a type at a time. It is registered as scoped if not registered yet, and has a scope for
    /// each batch.
    /// </summary>
    /// <typeparam name="T">The type of messages.</typeparam>
    /// <typeparam name="THandler">The service.</typeparam>
    /// <param name="options">When a batch is full.</param>
    /// <exception cref="ArgumentException">
    /// There is a handler for this type already, an option is out of range, or the consumer does not handle as many at a time.
    /// </exception>
    public WireConsumerBuilder HandleBatch<T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        BatchOptions? options = null)
        where THandler : class, IBatchHandler<T>
    {
        AddService<THandler>();
        (options ?? new BatchOptions()).Validate(_options);
        return Add<T>(consumer => consumer.HandleBatch<T>(
            async (batch, cancellationToken) =>
            {
                AsyncServiceScope scope = consumer.Scopes!.CreateAsyncScope();
                await using (scope.ConfigureAwait(false))
                {
                    await scope.ServiceProvider.GetRequiredService<THandler>().HandleAsync(batch, cancellationToken).ConfigureAwait(false);
                }
            },
            options));
    }

    /// <summary>
    /// Reads messages of a type into objects of a pool: <see cref="WireConsumer.ReadInto{T}(Func{T}, Action{T})"/>.
    /// </summary>
    public WireConsumerBuilder ReadInto<T>(Func<T> rent, Action<T> giveBack)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(rent);
        ArgumentNullException.ThrowIfNull(giveBack);
        _steps.Add(consumer => consumer.ReadInto(rent, giveBack));
        return this;
    }

    /// <summary>
    /// Adds middleware as a function: <see cref="WireConsumer.Use(Func{object, MessageContext, MessageHandler, Task})"/>.
    /// </summary>
    public WireConsumerBuilder Use(Func<object, MessageContext, MessageHandler, Task> middleware)
    {
        ArgumentNullException.ThrowIfNull(middleware);
        _steps.Add(consumer => consumer.Use(middleware));
        return this;
    }

    /// <summary>
    /// Adds middleware as a service of the scope of each attempt, which the handler shares. It is registered as scoped if not registered
    /// yet.
    /// </summary>
    /// <typeparam name="TMiddleware">The service.</typeparam>
    public WireConsumerBuilder Use<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TMiddleware>()
        where TMiddleware : class, IConsumeMiddleware
    {
        AddService<TMiddleware>();
        return Use(static (message, context, next) =>
            context.Services.GetRequiredService<TMiddleware>().HandleAsync(message, context, next));
    }

    /// <summary>Returns the registration, which takes effect when the host starts.</summary>
    internal ConsumerRegistration Build() => _types.Count != 0
        ? new ConsumerRegistration(_options, _types, _handlers, _steps)
        : throw new ArgumentException($"The consumer of '{_options.Queue}' has no handler: add one with Handle or Reply.");

    private void AddService<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>()
        where THandler : class
    {
        _services.TryAddScoped<THandler>();
        _handlers.Add(typeof(THandler));
    }

    private WireConsumerBuilder Add<T>(Action<WireConsumer> step)
    {
        if (!_types.Add(typeof(T)))
        {
            throw new ArgumentException(
                $"The consumer of '{_options.Queue}' already has a handler for {typeof(T)}: each message goes to one handler.");
        }

        _steps.Add(step);
        return this;
    }
}
