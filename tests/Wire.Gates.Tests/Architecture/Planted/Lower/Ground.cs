namespace Wire.Gates.Tests.Architecture.Planted.Lower;

/// <summary>Knows nothing above it.</summary>
internal sealed class Ground;
