namespace Wire.Transport.Sockets;

/// <summary>A broker cannot be connected to; each client wraps it in an exception of its own.</summary>
internal sealed class ConnectException(string message, Exception inner) : IOException(message, inner);
