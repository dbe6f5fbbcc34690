using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;
using Wire.Generator.Diagnostics;
using Wire.Generator.Model;

namespace Wire.Generator.Parsing;

/// <summary>A context as it was read.</summary>
/// <param name="Model">What is printed; null where there is nothing.</param>
/// <param name="Diagnostics">What is reported.</param>
internal sealed record ParsedContext(ContextModel? Model, DiagnosticInfo[] Diagnostics);

/// <summary>Reads a context: all work on symbols begins here, and ends before anything is printed.</summary>
internal static class ContextParser
{
    public static ParsedContext Parse(INamedTypeSymbol context, Compilation compilation, CancellationToken cancellation)
    {
        var found = new List<DiagnosticInfo>();
        Location place = PlaceOf(context);
        if (WhyNot(context) is { } reason)
        {
            found.Add(new DiagnosticInfo(Descriptors.Context, place, [context.ToDisplayString(), reason]));
            return new ParsedContext(null, [.. found]);
        }

        var origins = new Origins(compilation);
        var names = new TypeNames(compilation, context);
        var codes = new MemberCodes(origins, names, FreePrefix(context));
        var rows = new RowWriter(compilation, context, names, codes);
        var derived = new DerivedTypes(compilation, cancellation);
        TypeWalker walker = TypeWalker.Create(compilation, names, rows, derived, found);
        AddRoots(context, walker, derived, found);
        walker.Walk(cancellation);
        return new ParsedContext(
            new ContextModel(
                $"{context.ToDisplayString()}.Rows.g.cs",
                TypeNames.OfNamespace(context.ContainingNamespace),
                new([.. Around(context).Select(Declaration)]),
                TypeNames.Escaped(context.Name),
                names.Of(context),
                IsNamed(context),
                new(rows.Expressions),
                new(codes.Classes),
                new(HasViews(context) ? new ViewPrinter(compilation, names, codes).Print(walker.Seen) : []),
                new(Tables(origins, names, compilation, context, found, place))),
            [.. found]);
    }

    /// <summary>Adds what the attributes of a context name.</summary>
    public static void AddRoots(INamedTypeSymbol context, TypeWalker walker, DerivedTypes derived, List<DiagnosticInfo> found)
    {
        foreach (AttributeData attribute in context.GetAttributes())
        {
            AddRoots(attribute, walker, derived, found, PlaceOf(context));
        }
    }

    private static bool HasViews(INamedTypeSymbol context) => context.GetAttributes().Any(
        attribute => attribute.AttributeClass.IsWire("WireContextAttribute")
            && attribute.NamedArguments.Any(argument => argument is { Key: "Views", Value.Value: true }));

    // The classes that are generated stand beside the members of the context.
    private static string FreePrefix(INamedTypeSymbol context)
    {
        string prefix = "";
        while (context.GetMembers().Any(member => MemberCodes.IsNamed(member.Name, prefix)))
        {
            prefix += "_";
        }

        return prefix;
    }

    private static Location PlaceOf(INamedTypeSymbol context) => context.Locations.FirstOrDefault() ?? Location.None;

    private static void AddRoots(
        AttributeData attribute, TypeWalker walker, DerivedTypes derived, List<DiagnosticInfo> found, Location place)
    {
        bool isDerived = attribute.AttributeClass.IsWire("WireDerivedFromAttribute");
        if ((!isDerived && !attribute.AttributeClass.IsWire("WireTypeAttribute"))
            || attribute.ConstructorArguments.FirstOrDefault() is not { Kind: TypedConstantKind.Type, Value: ITypeSymbol root })
        {
            return;
        }

        Location at = attribute.ApplicationSyntaxReference?.GetSyntax().GetLocation() ?? place;
        if (!isDerived)
        {
            if (root is INamedTypeSymbol { IsUnboundGenericType: true } unbound)
            {
                found.Add(new DiagnosticInfo(Descriptors.Open, at, [unbound.OriginalDefinition.ToDisplayString(), Example(unbound)]));
                return;
            }

            walker.Add(root, MemberPath.Root(root, at));
        }
        else if (root is INamedTypeSymbol general)
        {
            var open = new List<INamedTypeSymbol>();
            foreach (INamedTypeSymbol each in derived.Of(general, open))
            {
                walker.Add(each, MemberPath.Root(each, at));
            }

            found.AddRange(open.Select(
                each => new DiagnosticInfo(Descriptors.OpenDerived, at, [each.ToDisplayString(), general.ToDisplayString()])));
        }
    }

    private static string[] Tables(
        Origins origins,
        TypeNames names,
        Compilation compilation,
        INamedTypeSymbol context,
        List<DiagnosticInfo> found,
        Location place)
    {
        var tables = new SortedSet<string>(StringComparer.Ordinal);
        foreach (INamedTypeSymbol table in origins.Tables())
        {
            if (names.HasWhole(table) && table.GetMembers("Default").Any(
                member => member is IPropertySymbol { IsStatic: true } && compilation.IsSymbolAccessibleWithin(member, context)))
            {
                tables.Add(names.Of(table));
            }
            else
            {
                found.Add(new DiagnosticInfo(Descriptors.Hidden, place, [table.ToDisplayString(), table.ContainingAssembly.Name]));
            }
        }

        return [.. tables];
    }

    private static string? WhyNot(INamedTypeSymbol context) =>
        !context.AndBases().Skip(1).Any(each => each.IsWire("WireTypes"))
            ? "does not derive from WireTypes: write `partial class " + context.Name + " : WireTypes`"
        : context.IsGenericType ? "is generic, or in a generic type: a context has no type arguments"
        : context.IsAbstract ? "is abstract: a context is a class of which there is one object"
        : Around(context).Any(each => each.IsFileLocal) ? "is local to its file, so that no generated file can complete it"
        : Around(context).FirstOrDefault(each => !each.IsPartial()) is { } closed
            ? SymbolEqualityComparer.Default.Equals(closed, context) ? "is not partial" : $"is in '{closed.Name}', which is not partial"
        : !context.InstanceConstructors.Any(constructor => constructor.Parameters.IsEmpty) ? "has no constructor without parameters"
        : null;

    // Code of the whole assembly names it, as the attribute does.
    private static bool IsNamed(INamedTypeSymbol context) => Around(context).All(each => each.DeclaredAccessibility
        is Accessibility.Public or Accessibility.Internal or Accessibility.ProtectedOrInternal);

    private static IEnumerable<INamedTypeSymbol> Around(INamedTypeSymbol type) =>
        type.ContainingType is { } outer ? Around(outer).Append(type) : [type];

    private static string Declaration(INamedTypeSymbol type)
    {
        string kind = (type.TypeKind, type.IsRecord) switch
        {
            (TypeKind.Struct, true) => "record struct",
            (TypeKind.Struct, false) => "struct",
            (TypeKind.Interface, _) => "interface",
            (_, true) => "record",
            _ => "class",
        };
        return $"partial {kind} {TypeNames.Escaped(type.Name)}";
    }

    private static string Example(INamedTypeSymbol type) =>
        $"{type.Name}<{string.Join(", ", type.TypeParameters.Select(_ => "int"))}>";
}
