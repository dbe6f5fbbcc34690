using System.Globalization;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client;

/// <summary>The broker's reason for closing a connection or a channel.</summary>
/// <param name="ReplyCode">
/// The code, for programs: for example 404 for not found, 403 for access refused, 406 for precondition failed.
/// </param>
/// <param name="ReplyText">The text, for people: the broker's own words.</param>
/// <param name="Cause">The method that was at fault; 0 when it was none.</param>
public sealed record AmqpCloseReason(int ReplyCode, string ReplyText, MethodId Cause)
{
    // What RabbitMQ, from 3.10 to 4.3, says of a queue that is there and does not answer: 404, and 406 where it is a stream.
    private static readonly string[] OfQueuesThatAreDown =
    [
        " is down or inaccessible", "failed to perform operation on ", " is stopped by supervisor", " has crashed and failed to restart",
        " replica on the local node", " running local replica",
    ];

    /// <summary>Gets whether there is no such queue or exchange.</summary>
    internal bool IsMissing => ReplyCode == ReplyCodes.NotFound && !IsOfQueueThatIsDown;

    /// <summary>
    /// Gets whether the queue is there and does not answer, as when the node that has it is down or has not started it yet. RabbitMQ uses
    /// the codes for missing queues and wrong arguments, and differs in the text only.
    /// </summary>
    internal bool IsOfQueueThatIsDown =>
        ReplyCode is ReplyCodes.NotFound or ReplyCodes.PreconditionFailed
        && Array.Exists(OfQueuesThatAreDown, text => ReplyText.Contains(text, StringComparison.Ordinal));

    /// <summary>Gets whether a consumer may not have an offset, as its queue is no stream.</summary>
    internal bool IsOfStreamOffset =>
        ReplyCode == ReplyCodes.PreconditionFailed && ReplyText.Contains($"'{StreamPosition.OffsetKey}'", StringComparison.Ordinal);

    /// <summary>Gets whether the queue belongs to another connection, or another consumer has it for itself.</summary>
    internal bool IsOfQueueThatIsLocked =>
        ReplyCode == ReplyCodes.ResourceLocked
        || (ReplyCode == ReplyCodes.AccessRefused && ReplyText.Contains("exclusive use", StringComparison.Ordinal));

    /// <summary>
    /// Gets whether the broker has refused the next secret of a user on the open connection: nothing else that was sent is the reason.
    /// </summary>
    internal bool IsOfSecret => Cause == MethodId.ConnectionUpdateSecret;

    /// <summary>The reason for people to read.</summary>
    public override string ToString() => Cause == 0
        ? string.Create(CultureInfo.InvariantCulture, $"{ReplyCode} {ReplyText}")
        : string.Create(CultureInfo.InvariantCulture, $"{ReplyCode} {ReplyText} (caused by {Cause})");

    internal static AmqpCloseReason From(in ConnectionClose close) =>
        new(close.ReplyCode, close.ReplyText.ToString(), CauseOf(close.ClassId, close.MethodId));

    internal static AmqpCloseReason From(in ChannelClose close) =>
        new(close.ReplyCode, close.ReplyText.ToString(), CauseOf(close.ClassId, close.MethodId));

    private static MethodId CauseOf(ushort classId, ushort methodId) => (MethodId)((classId << 16) | methodId);
}
