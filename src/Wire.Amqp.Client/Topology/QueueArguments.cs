using System.Globalization;

namespace Wire.Amqp.Client.Topology;

/// <summary>Makes the arguments of a queue from its options.</summary>
internal static class QueueArguments
{
    /// <summary>Returns the arguments; null for none.</summary>
    /// <exception cref="ArgumentException">A value is out of range, or is set twice.</exception>
    public static IReadOnlyDictionary<string, object?>? Of(AmqpQueueOptions options)
    {
        Dictionary<string, object?>? made = null;
        foreach ((string property, string key, object? value) in Typed(options))
        {
            if (value is null)
            {
                continue;
            }

            made ??= new Dictionary<string, object?>(options.Arguments ?? new Dictionary<string, object?>());
            if (!made.TryAdd(key, value))
            {
                throw new ArgumentException(
                    $"The argument '{key}' of the queue is set twice: by {property} and in {nameof(AmqpQueueOptions.Arguments)}. Set one.");
            }
        }

        if (options.DeadLettersAtLeastOnce && made?.GetValueOrDefault("x-overflow") is not "reject-publish")
        {
            throw new ArgumentException(
                $"{nameof(AmqpQueueOptions.DeadLettersAtLeastOnce)} needs {nameof(AmqpQueueOptions.Overflow)} = " +
                $"{nameof(AmqpOverflow)}.{nameof(AmqpOverflow.RejectPublish)}: the broker would ignore it.");
        }

        return made ?? options.Arguments;
    }

    private static IEnumerable<(string Property, string Key, object? Value)> Typed(AmqpQueueOptions options)
    {
        yield return (nameof(options.Type), "x-queue-type", TypeOf(options.Type, nameof(options.Type)));
        yield return (nameof(options.MessageTtl), "x-message-ttl", Milliseconds(options.MessageTtl, nameof(options.MessageTtl), 0));
        yield return (nameof(options.Expires), "x-expires", Milliseconds(options.Expires, nameof(options.Expires), 1));
        yield return (nameof(options.MaxLength), "x-max-length", Number(options.MaxLength, nameof(options.MaxLength), 0));
        yield return (
            nameof(options.MaxLengthBytes), "x-max-length-bytes", Number(options.MaxLengthBytes, nameof(options.MaxLengthBytes), 0));
        yield return (nameof(options.Overflow), "x-overflow", OverflowOf(options.Overflow, nameof(options.Overflow)));
        yield return (nameof(options.MaxPriority), "x-max-priority", Number(options.MaxPriority, nameof(options.MaxPriority), 1));
        yield return (nameof(options.SingleActiveConsumer), "x-single-active-consumer", options.SingleActiveConsumer ? true : null);
        yield return (nameof(options.DeliveryLimit), "x-delivery-limit", Number(options.DeliveryLimit, nameof(options.DeliveryLimit), -1));
        yield return (nameof(options.DeadLetterExchange), "x-dead-letter-exchange", options.DeadLetterExchange);
        yield return (nameof(options.DeadLetterRoutingKey), "x-dead-letter-routing-key", options.DeadLetterRoutingKey);
        yield return (
            nameof(options.DeadLettersAtLeastOnce), "x-dead-letter-strategy", options.DeadLettersAtLeastOnce ? "at-least-once" : null);
        yield return (nameof(options.MaxAge), "x-max-age", Age(options.MaxAge, nameof(options.MaxAge)));
        yield return (
            nameof(options.MaxSegmentBytes), "x-stream-max-segment-size-bytes",
            Number(options.MaxSegmentBytes, nameof(options.MaxSegmentBytes), 1));
    }

    private static string? TypeOf(AmqpQueueType? type, string property) => type switch
    {
        null => null,
        AmqpQueueType.Classic => "classic",
        AmqpQueueType.Quorum => "quorum",
        AmqpQueueType.Stream => "stream",
        _ => throw new ArgumentOutOfRangeException(property, type, "The value is not one of the types."),
    };

    private static string? OverflowOf(AmqpOverflow? overflow, string property) => overflow switch
    {
        null => null,
        AmqpOverflow.DropHead => "drop-head",
        AmqpOverflow.RejectPublish => "reject-publish",
        AmqpOverflow.RejectPublishToDeadLetters => "reject-publish-dlx",
        _ => throw new ArgumentOutOfRangeException(property, overflow, "The value is not one of the ways."),
    };

    private static long? Milliseconds(TimeSpan? time, string property, long least)
    {
        if (time is not { } set)
        {
            return null;
        }

        double milliseconds = Math.Ceiling(set.TotalMilliseconds);
        return milliseconds >= least && milliseconds <= uint.MaxValue
            ? (long)milliseconds
            : throw new ArgumentOutOfRangeException(property, set, $"The value must be from {least} to {uint.MaxValue} ms.");
    }

    private static long? Number(long? number, string property, long least) => number is not { } set ? null
        : set >= least ? set
        : throw new ArgumentOutOfRangeException(property, set, $"The value must be at least {least}.");

    private static string? Age(TimeSpan? age, string property) => age is not { } set ? null
        : set > TimeSpan.Zero ? string.Create(CultureInfo.InvariantCulture, $"{Math.Ceiling(set.TotalSeconds):0}s")
        : throw new ArgumentOutOfRangeException(property, set, "The value must be more than zero.");
}
