using Microsoft.CodeAnalysis;

namespace Wire.Generator.Parsing;

/// <summary>A way from a root to a type, such as <c>Order.Lines[].Price</c>: it is printed only where something is reported.</summary>
internal sealed class MemberPath
{
    private readonly MemberPath? _outer;
    private readonly string _text;

    private MemberPath(MemberPath? outer, string text, Location location)
    {
        _outer = outer;
        _text = text;
        Location = location;
    }

    /// <summary>Gets the place of the last member that is in source, or of what names the root.</summary>
    public Location Location { get; }

    public static MemberPath Root(ITypeSymbol type, Location location) =>
        new(null, type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat), location);

    /// <summary>Adds a member; only one of the sources that are compiled has a place at which something can be reported.</summary>
    public MemberPath Member(ISymbol member, bool isOwn) => new(
        this,
        $".{PlainName(member.Name)}",
        isOwn && member.Locations.FirstOrDefault(place => place.IsInSource) is { } place ? place : Location);

    // The field of a captured parameter is <name>P.
    private static string PlainName(string name) =>
        name.StartsWith("<", StringComparison.Ordinal) && name.IndexOf('>') is > 1 and var end ? name.Substring(1, end - 1) : name;

    public MemberPath Element() => new(this, "[]", Location);

    public override string ToString() => _outer + _text;
}
