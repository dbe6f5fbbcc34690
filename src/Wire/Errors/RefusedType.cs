namespace Wire;

/// <summary>A type that a payload names and that was refused, as <see cref="SerializerOptions.TypeRefused"/> gets it.</summary>
/// <param name="FullName">The type's full name, as the payload has it: at most 16,384 characters, and not to be trusted.</param>
/// <param name="AssemblyName">The simple name of its assembly; null when the payload has none.</param>
/// <param name="Reason">Why it was refused.</param>
/// <param name="RootType">The type that the caller asked for.</param>
public sealed record RefusedType(string FullName, string? AssemblyName, string Reason, Type RootType);
