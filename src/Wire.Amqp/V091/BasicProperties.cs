using System.Runtime.CompilerServices;
using Wire.Amqp.V091.Content;

namespace Wire.Amqp.V091;

/// <summary>
/// The properties of a message (AMQP 0-9-1 section 1.8.1, class basic). Each may be absent: a text, a table or a number that is null. An
/// empty table is written as such.
/// </summary>
/// <remarks>
/// Those that were read are views of the input and valid as long as that is: nothing has been decoded yet. Not thread-safe while it is
/// changed.
/// </remarks>
public struct BasicProperties
{
    /// <summary>The MIME type of the body.</summary>
    public AmqpString ContentType;

    /// <summary>The MIME encoding of the body, such as a compression.</summary>
    public AmqpString ContentEncoding;

    /// <summary>Fields of the application, which an exchange of type headers routes by.</summary>
    public FieldTable Headers;

    /// <summary>1 for a message that a broker may lose when it restarts, 2 for one that it keeps.</summary>
    public byte? DeliveryMode;

    /// <summary>0 to 9, or as many as the queue was declared with.</summary>
    public byte? Priority;

    /// <summary>The id by which a reply is matched with its request.</summary>
    public AmqpString CorrelationId;

    /// <summary>The queue to reply to.</summary>
    public AmqpString ReplyTo;

    /// <summary>The milliseconds after which the message expires, as decimal digits.</summary>
    public AmqpString Expiration;

    /// <summary>The application's name of the message.</summary>
    public AmqpString MessageId;

    /// <summary>The time at which the message was created, to the second.</summary>
    public Timestamp? Timestamp;

    /// <summary>The application's name for the kind of message.</summary>
    public AmqpString Type;

    /// <summary>The user who published it; a broker that checks it refuses any but the user of the connection.</summary>
    public AmqpString UserId;

    /// <summary>The application that published it.</summary>
    public AmqpString AppId;

    /// <summary>Reserved by the protocol: leave it absent.</summary>
    public AmqpString ClusterId;

    /// <summary>The number of properties.</summary>
    internal const int Count = 14;

    /// <summary>Visits the properties in the order in which they are written, including absent ones.</summary>
    /// <param name="properties">The properties, which are handed over by reference.</param>
    /// <param name="visitor">What is done with them.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Properties<TProperties>(ref BasicProperties properties, ref TProperties visitor)
        where TProperties : struct, IProperties, allows ref struct
    {
        visitor.ShortString(ref properties.ContentType);
        visitor.ShortString(ref properties.ContentEncoding);
        visitor.Table(ref properties.Headers);
        visitor.Number(ref properties.DeliveryMode);
        visitor.Number(ref properties.Priority);
        visitor.ShortString(ref properties.CorrelationId);
        visitor.ShortString(ref properties.ReplyTo);
        visitor.ShortString(ref properties.Expiration);
        visitor.ShortString(ref properties.MessageId);
        visitor.Timestamp(ref properties.Timestamp);
        visitor.ShortString(ref properties.Type);
        visitor.ShortString(ref properties.UserId);
        visitor.ShortString(ref properties.AppId);
        visitor.ShortString(ref properties.ClusterId);
    }
}

/// <summary>The content header, between a method and the body of its message (AMQP 0-9-1 section 4.2.6.1).</summary>
public struct ContentHeader
{
    /// <summary>The only class whose methods carry a message: basic.</summary>
    internal const ushort ClassId = 60;

    /// <summary>Not used by the protocol.</summary>
    internal const ushort Weight = 0;

    /// <summary>Class, weight and body size.</summary>
    internal const int FixedSize = sizeof(ushort) + sizeof(ushort) + sizeof(ulong);

    /// <summary>The number of bytes of body that follow, in all frames.</summary>
    public ulong BodySize;

    /// <summary>The properties of the message.</summary>
    public BasicProperties Properties;
}
