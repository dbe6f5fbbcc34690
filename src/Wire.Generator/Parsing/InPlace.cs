namespace Wire.Generator.Parsing;

/// <summary>A member that generated code writes in flat messages without a call of a virtual method.</summary>
/// <param name="Code">The class for the objects in it; null for values whose bytes are their memory.</param>
/// <param name="Element">The type of the elements of an array or a list; null for an object.</param>
/// <param name="IsList">True if it is a list.</param>
internal sealed record InPlace(string? Code, string? Element, bool IsList);
