namespace Wire.RabbitMQ.Streams.Links;

/// <summary>Creates exceptions for refused requests, with what to do.</summary>
internal static class ResponseErrors
{
    /// <exception cref="StreamException">The code is not Ok.</exception>
    public static void ThrowUnlessOk(StreamResponseCode code, string what)
    {
        if (code != StreamResponseCode.Ok)
        {
            throw Create(code, what);
        }
    }

    public static StreamException Create(StreamResponseCode code, string what) =>
        new(code, $"The broker refuses {what}: {Reason(code)} ({code}).");

    private static string Reason(StreamResponseCode code) => code switch
    {
        StreamResponseCode.StreamDoesNotExist => "there is no such stream; create it first",
        StreamResponseCode.StreamAlreadyExists => "one of this name exists already",
        StreamResponseCode.StreamNotAvailable => "it has no leader, or no member on this node, at the moment; try again",
        StreamResponseCode.AccessRefused => "the user has no permission for it",
        StreamResponseCode.PreconditionFailed =>
            "an argument is not valid, the name is taken on this connection, or the broker is short of disk space",
        StreamResponseCode.VirtualHostAccessFailure => "there is no such virtual host, or the user may not use it",
        StreamResponseCode.AuthenticationFailure => "name and password, or the certificate, are not right",
        StreamResponseCode.SaslAuthenticationFailureLoopback => "this user may connect only from the broker's own machine",
        StreamResponseCode.UnknownFrame => "it does not know this command; a newer version may",
        StreamResponseCode.InternalError => "something went wrong in it; its log says what",
        StreamResponseCode.NoOffset => "nothing is stored under this name",
        _ => "see its answer",
    };
}
