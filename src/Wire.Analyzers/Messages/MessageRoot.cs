using Microsoft.CodeAnalysis;

namespace Wire.Analyzers.Messages;

/// <summary>A type that is given to Wire.</summary>
/// <param name="type">The type.</param>
/// <param name="by">The call, option or attribute.</param>
/// <param name="place">The call; null where the type itself is not written.</param>
internal sealed class MessageRoot(ITypeSymbol type, string by, Location? place)
{
    /// <summary>Gets the type.</summary>
    public ITypeSymbol Type => type;

    /// <summary>Gets the name of the call, option or attribute.</summary>
    public string By => by;

    /// <summary>Gets the call.</summary>
    public Location? Place => place;
}
