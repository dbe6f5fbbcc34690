using System.Collections.Concurrent;
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers.Messages;

/// <summary>
/// The places at which a program makes options of its own, or a serializer without any: what another project has made is not known.
/// Thread-safe.
/// </summary>
internal sealed class MadeOptions
{
    private readonly ConcurrentBag<Location> _places = [];

    /// <summary>Lists the places, in an order that is the same each time.</summary>
    public ImmutableArray<Location> List() =>
    [
        .. _places.OrderBy(place => place.SourceTree?.FilePath, StringComparer.Ordinal).ThenBy(place => place.SourceSpan.Start),
    ];

    /// <summary>Notes what an operation makes.</summary>
    public void Look(IOperation operation)
    {
        if (operation switch
        {
            IObjectCreationOperation { Type: { } type, Syntax: BaseObjectCreationExpressionSyntax made } creation =>
                type.IsWire("SerializerOptions") || (type.IsWire("Serializer") && creation.Arguments.All(each => each.IsImplicit))
                    ? PlaceOf(made)
                    : null,
            IWithOperation { Operand: IPropertyReferenceOperation { Property: { Name: "Default" } property } } changed =>
                property.ContainingType.IsWire("SerializerOptions") ? ((WithExpressionSyntax)changed.Syntax).Expression : null,
            _ => null,
        } is { } place)
        {
            _places.Add(place.GetLocation());
        }
    }

    // Not the values of a whole initializer.
    private static SyntaxNode PlaceOf(BaseObjectCreationExpressionSyntax made) =>
        made is ObjectCreationExpressionSyntax { Type: { } type } ? type : made;
}
