using System.Buffers;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client;

/// <summary>
/// A message that the broker has brought: to a consumer, as the answer to basic.get, or back because it could not be routed. Its body and
/// texts are views of what was received, nothing is copied.
/// </summary>
/// <remarks>
/// Valid until the handler has ended that it was handed to, or, where that has called <see cref="Keep"/>, and for one that no handler was
/// called with, until
/// <see cref="Dispose"/>. Then every member throws <see cref="ObjectDisposedException"/>; only <see cref="Dispose"/> may be called again. A
/// handle: copies of it mean the same message, and are over with it. A view that was taken before, such as the body, must not be used
/// after: its memory is reused for receiving. One thread reads at a time; settling, <see cref="Keep"/> and <see cref="Dispose"/> are
/// thread-safe.
/// </remarks>
public readonly struct AmqpDelivery : IDisposable, IEquatable<AmqpDelivery>
{
    private readonly PooledDelivery? _delivery;
    private readonly long _generation;

    internal AmqpDelivery(PooledDelivery delivery, long generation)
    {
        _delivery = delivery;
        _generation = generation;
    }

    /// <summary>The consumer that it was brought to; no text where it was not brought to a consumer.</summary>
    public AmqpString ConsumerTag => Message.DeliveryMethod.ConsumerTag;

    /// <summary>
    /// The number of the delivery on its channel, counted on where the connection was lost and came back; 0 for a message that has come
    /// back.
    /// </summary>
    public ulong DeliveryTag => Message.DeliveryTag;

    /// <summary>Gets whether it may have been delivered before.</summary>
    public bool Redelivered => Message.DeliveryMethod.Redelivered;

    /// <summary>The exchange that it was published to; empty for the default exchange.</summary>
    public AmqpString Exchange => Message.DeliveryMethod.Exchange;

    /// <summary>The routing key that it was published with.</summary>
    public AmqpString RoutingKey => Message.DeliveryMethod.RoutingKey;

    /// <summary>Gets the number of messages that are left in the queue; 0 where it is no answer to basic.get.</summary>
    public uint MessageCount => Message.DeliveryMethod.MessageCount;

    /// <summary>Gets the reply code of a returned message: 312 when no queue was bound; 0 if it was not returned.</summary>
    public ushort ReplyCode => Message.DeliveryMethod.ReplyCode;

    /// <summary>Gets the reply text of a returned message; empty if it was not returned.</summary>
    public AmqpString ReplyText => Message.DeliveryMethod.ReplyText;

    /// <summary>The properties that it was published with.</summary>
    /// <exception cref="AmqpFormatException">They are damaged.</exception>
    public BasicProperties Properties => Message.Properties;

    /// <summary>The body, in as many parts as it was received in.</summary>
    /// <exception cref="AmqpFormatException">It is too large (<see cref="IsTooLarge"/>).</exception>
    public ReadOnlySequence<byte> Body => Message.Body;

    /// <summary>Gets the number of bytes that the body has, as it was published.</summary>
    public long BodySize => Message.BodySize;

    /// <summary>
    /// Gets whether the body is larger than <see cref="AmqpConnectionOptions.MaxBodySize"/>: it was skipped, and there is only what else
    /// belongs to the message. A handler that asks for the body fails with that, and the message is then rejected, and not requeued
    /// whatever <see cref="AmqpConsumeOptions.OnFailure"/> says, as it would come again and again.
    /// </summary>
    public bool IsTooLarge => Message.IsTooLarge;

    /// <summary>
    /// Gets a token that fires, on the thread pool, when the message cannot be settled any more, because the channel or the connection that
    /// it came on has ended: where it was not settled, the broker brings it again, perhaps to another consumer. Never for a message that
    /// was returned. The token may be used after the delivery.
    /// </summary>
    public CancellationToken Lost => Message.Lost;

    private PooledDelivery Message => _delivery is { } delivery && delivery.Generation == _generation
        ? delivery
        : throw AlreadyReleased();

    /// <summary>Reads the object that the body holds.</summary>
    /// <exception cref="AmqpFormatException">
    /// The content type is given and another, the content encoding unknown, the compressed body damaged, or the body too large.
    /// </exception>
    /// <exception cref="WireFormatException">The body is not a Wire payload, or contains a refused type or value.</exception>
    public T? Read<T>() => Message.Read<T>();

    /// <summary>Acknowledges the message. The first decision for a message counts; others are not sent.</summary>
    /// <exception cref="InvalidOperationException">The message was returned by the broker.</exception>
    public void Ack() => Settle(Settlement.Ack);

    /// <summary>Tells the broker that the message cannot be handled.</summary>
    /// <param name="requeue">True if it goes back to the queue; otherwise to the dead-letter exchange, if the queue has one.</param>
    /// <exception cref="InvalidOperationException">The message was returned by the broker.</exception>
    public void Nack(bool requeue) => Reject(requeue);

    /// <inheritdoc cref="Nack"/>
    public void Reject(bool requeue) => Settle(requeue ? Settlement.Requeue : Settlement.Reject);

    /// <summary>
    /// Keeps it beyond the end of the handler: then its holder disposes of it. As long as it is kept, so is the memory that was received
    /// along with it, 64 KiB at a time.
    /// </summary>
    public void Keep()
    {
        if (_delivery?.TryKeep(_generation) != true)
        {
            throw AlreadyReleased();
        }
    }

    /// <summary>Gives it back. This does not acknowledge it. Another time it does nothing.</summary>
    public void Dispose() => _delivery?.Release(_generation);

    /// <inheritdoc/>
    public bool Equals(AmqpDelivery other) => _delivery == other._delivery && _generation == other._generation;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is AmqpDelivery other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_delivery, _generation);

    /// <summary>Returns whether both are the same delivery.</summary>
    public static bool operator ==(AmqpDelivery left, AmqpDelivery right) => left.Equals(right);

    /// <summary>Returns whether they are two deliveries.</summary>
    public static bool operator !=(AmqpDelivery left, AmqpDelivery right) => !left.Equals(right);

    /// <summary>Gets whether it is kept, and has not been given back.</summary>
    internal bool IsKept => _delivery?.IsKept(_generation) == true;

    /// <inheritdoc cref="PooledDelivery.Wait"/>
    internal void Wait() => _delivery?.Wait();

    /// <summary>The handler that it was handed to has ended.</summary>
    internal void EndHandler() => _delivery?.EndHandler(_generation);

    private static ObjectDisposedException AlreadyReleased() => new(
        nameof(AmqpDelivery),
        "The delivery is not valid any more, and its memory is used again: it is valid until its handler ends or, if the handler called " +
        "Keep, until it is disposed of.");

    private void Settle(Settlement settlement)
    {
        if (_delivery?.TrySettle(_generation, settlement) != true)
        {
            throw AlreadyReleased();
        }
    }
}
