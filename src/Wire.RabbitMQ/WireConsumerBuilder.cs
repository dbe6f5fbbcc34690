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
    private readonly List<Action<WireConsumer, IServiceScopeFactory>> _steps = [];

    internal WireConsumerBuilder(IServiceCollection services, WireConsumerOptions options) => (_services, _options) = (services, options);

    /// <summary>
    /// Adds a function that handles messages of a type: <see cref="WireConsumer.Handle{T}(Func{T, MessageContext, Task})"/>.
    /// </summary>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    public WireConsumerBuilder Handle<T>(Func<T, MessageContext, Task> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Add<T>((consumer, _) => consumer.Handle(handler));
    }

    /// <summary>
    /// Adds a function that handles messages of a type, and decides on them by its result: <see cref="WireConsumer.Handle{T}(Func{T,
    /// MessageContext, Task{MessageOutcome}})"/>.
    /// </summary>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    public WireConsumerBuilder Handle<T>(Func<T, MessageContext, Task<MessageOutcome>> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Add<T>((consumer, _) => consumer.Handle(handler));
    }

    /// <summary>Adds a service that handles messages of a type. It is registered as scoped if not registered yet.</summary>
    /// <typeparam name="T">The type of messages.</typeparam>
    /// <typeparam name="THandler">The service.</typeparam>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    public WireConsumerBuilder Handle<T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>()
        where THandler : class, IMessageHandler<T>
    {
        AddService<THandler>();
        return Add<T>((consumer, scopes) => consumer.Handle<T>(async (message, context) =>
        {
            AsyncServiceScope scope = scopes.CreateAsyncScope();
            await using (scope.ConfigureAwait(false))
            {
                await scope.ServiceProvider.GetRequiredService<THandler>().HandleAsync(message, context).ConfigureAwait(false);
            }
        }));
    }

    /// <summary>
    /// Adds a function that replies to requests of a type: <see cref="WireConsumer.Reply{TRequest, TReply}(Func{TRequest, MessageContext,
    /// Task{TReply}})"/>.
    /// </summary>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    public WireConsumerBuilder Reply<TRequest, TReply>(Func<TRequest, MessageContext, Task<TReply>> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Add<TRequest>((consumer, _) => consumer.Reply(handler));
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
        return Add<TRequest>((consumer, scopes) => consumer.Reply<TRequest, TReply>(async (request, context) =>
        {
            AsyncServiceScope scope = scopes.CreateAsyncScope();
            await using (scope.ConfigureAwait(false))
            {
                return await scope.ServiceProvider.GetRequiredService<THandler>().HandleAsync(request, context).ConfigureAwait(false);
            }
        }));
    }

    /// <summary>Returns the registration, which takes effect when the host starts.</summary>
    internal ConsumerRegistration Build() => _steps.Count != 0
        ? new ConsumerRegistration(_options, _types, _handlers, _steps)
        : throw new ArgumentException($"The consumer of '{_options.Queue}' has no handler: add one with Handle or Reply.");

    private void AddService<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>()
        where THandler : class
    {
        _services.TryAddScoped<THandler>();
        _handlers.Add(typeof(THandler));
    }

    private WireConsumerBuilder Add<T>(Action<WireConsumer, IServiceScopeFactory> step)
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
