namespace Wire.RabbitMQ.Streams;

/// <summary>A connection could not be made, was lost, or was closed by the broker. The message says which, and what to look at.</summary>
public sealed class StreamConnectionException : IOException
{
    internal StreamConnectionException(string message, Exception? inner = null)
        : base(message, inner) => Code = (inner as StreamConnectionException)?.Code;

    internal StreamConnectionException(string message, StreamResponseCode code)
        : base(message) => Code = code;

    /// <summary>Gets the code of the broker's answer or close; null if there was none.</summary>
    public StreamResponseCode? Code { get; }

    /// <summary>Creates a copy to throw elsewhere: a thrown exception belongs to the code that caught it.</summary>
    internal StreamConnectionException Again() => new(Message, this);

    /// <summary>Returns whether the client is refused, which another attempt does not change.</summary>
    internal static bool IsRefusal(Exception exception) => exception is StreamConnectionException
    {
        Code: StreamResponseCode.AuthenticationFailure or StreamResponseCode.SaslAuthenticationFailureLoopback
            or StreamResponseCode.SaslMechanismNotSupported or StreamResponseCode.VirtualHostAccessFailure,
    };
}
