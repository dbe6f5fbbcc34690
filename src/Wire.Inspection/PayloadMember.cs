namespace Wire;

/// <summary>A member of an object, or a field of a union's case.</summary>
/// <param name="Name">The name.</param>
/// <param name="Value">The value.</param>
public readonly record struct PayloadMember(string Name, PayloadNode Value);

/// <summary>A pair of a map.</summary>
/// <param name="Key">The key.</param>
/// <param name="Value">The value.</param>
public readonly record struct PayloadPair(PayloadNode Key, PayloadNode Value);
