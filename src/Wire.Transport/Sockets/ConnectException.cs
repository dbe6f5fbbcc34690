namespace Wire.Transport.Sockets;

/// <summary>The exception for a broker that cannot be reached; each client wraps it in its own exception.</summary>
internal sealed class ConnectException(string message, Exception inner) : IOException(message, inner);
