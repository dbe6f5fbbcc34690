namespace Wire.RabbitMQ.Streams;

/// <summary>The broker's answer to a request (the stream protocol's response codes).</summary>
public enum StreamResponseCode : ushort
{
    /// <summary>The request has succeeded.</summary>
    Ok = 0x01,

    /// <summary>There is no such stream.</summary>
    StreamDoesNotExist = 0x02,

    /// <summary>The number of the subscription is taken on this connection.</summary>
    SubscriptionIdAlreadyExists = 0x03,

    /// <summary>There is no such subscription on this connection.</summary>
    SubscriptionIdDoesNotExist = 0x04,

    /// <summary>The stream exists already, perhaps with other arguments.</summary>
    StreamAlreadyExists = 0x05,

    /// <summary>The stream has no leader, or no member on this node, at the moment.</summary>
    StreamNotAvailable = 0x06,

    /// <summary>The broker does not offer this way to authenticate.</summary>
    SaslMechanismNotSupported = 0x07,

    /// <summary>Name and password, or the certificate, are not right.</summary>
    AuthenticationFailure = 0x08,

    /// <summary>The broker cannot read what was sent to authenticate.</summary>
    SaslError = 0x09,

    /// <summary>The broker asks for another step of authentication.</summary>
    SaslChallenge = 0x0a,

    /// <summary>The user may connect from the broker's own machine only, as guest.</summary>
    SaslAuthenticationFailureLoopback = 0x0b,

    /// <summary>There is no such virtual host, or the user may not use it.</summary>
    VirtualHostAccessFailure = 0x0c,

    /// <summary>The broker does not know the command: it is older than that.</summary>
    UnknownFrame = 0x0d,

    /// <summary>A frame was larger than agreed on.</summary>
    FrameTooLarge = 0x0e,

    /// <summary>Something went wrong in the broker, whose log says what.</summary>
    InternalError = 0x0f,

    /// <summary>The user may not do this.</summary>
    AccessRefused = 0x10,

    /// <summary>An argument has a value that it cannot have, or the broker is short of disk space.</summary>
    PreconditionFailed = 0x11,

    /// <summary>There is no such publisher on this connection.</summary>
    PublisherDoesNotExist = 0x12,

    /// <summary>No offset has been stored under this name.</summary>
    NoOffset = 0x13,
}
