using System.Globalization;
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
