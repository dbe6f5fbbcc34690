using System.Data.Common;
using System.Diagnostics;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Outbox.Messages;
using Wire.RabbitMQ.Publishing;

namespace Wire.RabbitMQ.Outbox;

/// <summary>
/// Adds messages to the outbox in the transaction of the program: they are sent if it commits, and only then. An <see
/// cref="OutboxSender"/> of this or another process sends them. Thread-safe, though a transaction is not.
/// </summary>
public sealed class WireOutbox
{
    private readonly OutboxStore _store;
    private readonly WireBodySerializer _serializer;
    private readonly WireConventions _conventions;

    /// <summary>Makes an outbox.</summary>
    /// <param name="store">The database.</param>
    /// <param name="serializer">The serializer of the bodies.</param>
    /// <param name="conventions">
    /// The exchanges of messages that are added without one, which have to be those of the sender's publisher; <see
    /// cref="WireConventions.Default"/> when left out.
    /// </param>
    public WireOutbox(OutboxStore store, WireBodySerializer serializer, WireConventions? conventions = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(serializer);
        _store = store;
        _serializer = serializer;
        _conventions = conventions ?? WireConventions.Default;
    }

    /// <summary>
    /// Adds a message to the outbox in a transaction. It is serialized at once, and may be changed afterwards. Its id, time and trace are
    /// those of now, however often and late it is sent.
    /// </summary>
    /// <param name="transaction">The transaction, of the database of the store. The caller commits it.</param>
    /// <param name="exchange">The exchange; empty for the default one. It has to exist when the message is sent.</param>
    /// <param name="routingKey">The routing key, at most 255 bytes; the name of a queue with the default exchange.</param>
    /// <param name="message">The object; may be null.</param>
    /// <param name="options">
    /// The options of the message: mandatory and persistent where left out. Messages with one <see cref="PublishOptions.OrderingKey"/> are
    /// sent in the order in which they were added, in one transaction or in those that begin after the one before has committed.
    /// </param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="ArgumentException">
    /// The exchange or routing key is longer than 255 bytes or not valid UTF-16, or a header cannot be written.
    /// </exception>
    /// <exception cref="InvalidOperationException">The transaction has ended.</exception>
    /// <exception cref="DbException">The database refuses, as when the tables are not there.</exception>
    /// <exception cref="ObjectGraphException">The object refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The object contains a value of a type that the serializer does not support.</exception>
    public Task AddAsync<T>(
        DbTransaction transaction, string exchange, string routingKey, T message, PublishOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(transaction);
        return _store.Outbox.AddAsync(transaction, CreateMessage(exchange, routingKey, message, options), cancellationToken);
    }

    /// <summary>
    /// Adds a message to the outbox in a transaction, for the exchange of its type, which the sender declares before a first message of the
    /// type: as <see cref="WirePublisher.PublishAsync{T}(T, PublishOptions?, CancellationToken)"/> does.
    /// </summary>
    /// <param name="transaction">The transaction, of the database of the store. The caller commits it.</param>
    /// <param name="message">The object, not null.</param>
    /// <param name="options">The options of the message: mandatory and persistent where left out.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="InvalidOperationException">The transaction has ended, or there are no conventions.</exception>
    /// <inheritdoc cref="AddAsync{T}(DbTransaction, string, string, T, PublishOptions?, CancellationToken)" path="/exception"/>
    public Task AddAsync<T>(
        DbTransaction transaction, T message, PublishOptions? options = null, CancellationToken cancellationToken = default)
        where T : notnull
    {
        ArgumentNullException.ThrowIfNull(transaction);
        return _store.Outbox.AddAsync(transaction, CreateMessage(message, options), cancellationToken);
    }

    /// <summary>Makes the row of a message, for those who write it to the table by themselves.</summary>
    /// <param name="exchange">The exchange; empty for the default one.</param>
    /// <param name="routingKey">The routing key.</param>
    /// <param name="message">The object; may be null.</param>
    /// <param name="options">The options of the message.</param>
    /// <inheritdoc cref="AddAsync{T}(DbTransaction, string, string, T, PublishOptions?, CancellationToken)" path="/exception"/>
    public OutboxMessage CreateMessage<T>(string exchange, string routingKey, T message, PublishOptions? options = null) =>
        CreateMessage(exchange, routingKey, message, options, messageType: null);

    /// <summary>Makes the row of a message for the exchange of its type.</summary>
    /// <param name="message">The object, not null.</param>
    /// <param name="options">The options of the message.</param>
    /// <exception cref="InvalidOperationException">There are no conventions.</exception>
    /// <inheritdoc cref="AddAsync{T}(DbTransaction, string, string, T, PublishOptions?, CancellationToken)" path="/exception"/>
    public OutboxMessage CreateMessage<T>(T message, PublishOptions? options = null)
        where T : notnull
    {
        ArgumentNullException.ThrowIfNull(message);
        if (_conventions == WireConventions.None)
        {
            throw new InvalidOperationException(
                $"There are no conventions ({nameof(WireConventions)}.{nameof(WireConventions.None)}): add the message with an exchange.");
        }

        Type type = message.GetType();
        return CreateMessage(
            _conventions.ExchangeOf(type), _conventions.RoutingKeyOf(type), message, options, type.AssemblyQualifiedName);
    }

    private OutboxMessage CreateMessage<T>(string exchange, string routingKey, T message, PublishOptions? options, string? messageType)
    {
        ArgumentNullException.ThrowIfNull(exchange);
        ArgumentNullException.ThrowIfNull(routingKey);
        ShortStringLimit.Checked(exchange, nameof(exchange));
        ShortStringLimit.Checked(routingKey, nameof(routingKey));
        BasicProperties properties = PublishProperties.Create(options, isPersistent: true, Activity.Current);
        BodyBuffer? other = _serializer.WriteOther(message, ref properties);
        using BodyBuffer body = other ?? new BodyBuffer();
        if (other is null)
        {
            properties.ContentEncoding = _serializer.Body.Write(body, message);
            properties.ContentType = AmqpBody.ContentType;
            properties.Type = properties.Type.IsNull ? AmqpBody.TypeName(message?.GetType() ?? typeof(T)) : properties.Type;
        }

        return new OutboxMessage
        {
            MessageId = properties.MessageId.ToString(),
            Exchange = exchange,
            RoutingKey = routingKey,
            OrderingKey = options?.OrderingKey,
            MessageType = messageType,
            Properties = StoredProperties.Write(in properties, options?.Mandatory ?? true),
            Body = body.Written.ToArray(),
            CreatedAt = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds(),
        };
    }
}
