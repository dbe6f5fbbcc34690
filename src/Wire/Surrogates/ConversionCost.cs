namespace Wire.Surrogates;

/// <summary>
/// The cost of making a value from its stand-in. Stand-ins can share arrays and objects that values have copies of, so that these cost
/// more than their bytes.
/// </summary>
/// <param name="Bytes">The memory, which counts for <see cref="Limits.MaxAllocation"/>.</param>
/// <param name="Collisions">
/// The work that grows with the square of what it is made of, which counts for <see cref="Limits.MaxCollisions"/>.
/// </param>
internal readonly record struct ConversionCost(long Bytes, long Collisions = 0);
