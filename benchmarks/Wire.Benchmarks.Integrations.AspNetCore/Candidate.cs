namespace Wire.Benchmarks.Integrations;

/// <summary>One way to write and read the message through an interface of the framework.</summary>
/// <param name="Through">The interface.</param>
/// <param name="Name">What is behind it.</param>
/// <param name="Write">Writes the message, and returns the number of bytes.</param>
/// <param name="Read">Reads the message that was written.</param>
internal sealed record Candidate(string Through, string Name, Func<int> Write, Func<OrderEvent> Read);
