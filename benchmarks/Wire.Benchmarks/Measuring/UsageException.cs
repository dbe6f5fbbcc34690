namespace Wire.Benchmarks;

/// <summary>The command line asks for what cannot be done; the message says what.</summary>
internal sealed class UsageException(string message) : Exception(message);
