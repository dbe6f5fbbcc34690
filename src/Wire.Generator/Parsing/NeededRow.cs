using Microsoft.CodeAnalysis;

namespace Wire.Generator.Parsing;

/// <summary>A row without which a native program refuses something.</summary>
/// <param name="Name">The method of WireRow.</param>
/// <param name="Words">The method with its arguments, as code has it: equal for equal rows.</param>
/// <param name="Types">The arguments that are no object in place of a class.</param>
internal sealed record NeededRow(string Name, string Words, ITypeSymbol[] Types);
