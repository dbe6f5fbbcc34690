using Microsoft.CodeAnalysis;

namespace Wire.Analyzers.Messages;

/// <summary>A type that is given to Wire.</summary>
/// <param name="type">The type.</param>
/// <param name="by">The call, option or attribute.</param>
/// <param name="place">The call; null where the type itself is not written.</param>
internal sealed class MessageRoot(ITypeSymbol type, string by, Location? place)
{
    // Calls that read, and what a filter allows: these alone ask for payloads.
    private static readonly string[] Reading = ["Deserialize", "Read", "TryRead", "Allow"];

    // By these, a payload that is read may name types.
    private static readonly string[] Naming = ["KnownTypes", "Alias", "Redirect"];

    /// <summary>Gets whether the program reads payloads by it.</summary>
    public bool IsReading => Reading.Any(word => by.StartsWith(word, StringComparison.Ordinal));

    /// <summary>Gets whether payloads that the program reads may have the type.</summary>
    public bool IsRead => IsReading || Naming.Any(word => by.StartsWith(word, StringComparison.Ordinal));

    /// <summary>Gets the type.</summary>
    public ITypeSymbol Type => type;

    /// <summary>Gets the name of the call, option or attribute.</summary>
    public string By => by;

    /// <summary>Gets the call.</summary>
    public Location? Place => place;
}
