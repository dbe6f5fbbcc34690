namespace Wire.Amqp.Client.Connections;

/// <summary>The codes that a connection or channel is closed with (AMQP 0-9-1 section 1.2, constants).</summary>
internal static class ReplyCodes
{
    public const ushort Success = 200;
    public const ushort AccessRefused = 403;
    public const ushort NotFound = 404;
    public const ushort ResourceLocked = 405;
    public const ushort PreconditionFailed = 406;
    public const ushort NotAllowed = 530;
    public const ushort InternalError = 541;

    /// <summary>The first of the codes by which an error of what was sent, or of the broker, ends the whole connection.</summary>
    public const ushort LeastOfConnectionErrors = 500;
}
