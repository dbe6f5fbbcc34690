namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>
/// A message of a run. Its number is the program's: a message that failed is published again with the same one, and the same message id.
/// Its copy is the ledger's: no two publishes have the same, so that each is accounted for by itself.
/// </summary>
public abstract record Numbered(int Number, int Copy);

/// <summary>One kind of message.</summary>
public sealed record Plain(int Number, int Copy, string Text) : Numbered(Number, Copy);

/// <summary>Another kind, which is larger.</summary>
public sealed record Large(int Number, int Copy, byte[] Data) : Numbered(Number, Copy);
