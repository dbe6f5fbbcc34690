namespace Wire.Transport.Sockets;

/// <summary>A broker cannot be connected to; each client says so with an exception of its own.</summary>
internal sealed class ConnectException(string message, Exception inner) : IOException(message, inner);
