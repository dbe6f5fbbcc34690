using Wire.Generator.Diagnostics;

namespace Wire.Generator.Checking;

/// <summary>A row of a type that a native program does not have.</summary>
/// <param name="Words">What it needs, as a part of a sentence.</param>
/// <param name="Unseen">What is said of a type of another project; null where a row is missing.</param>
internal sealed record Lack(string Words, DiagnosticInfo? Unseen);
