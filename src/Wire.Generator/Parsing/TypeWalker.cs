using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;
using Wire.Generator.Diagnostics;

namespace Wire.Generator.Parsing;

/// <summary>Walks from the roots of a context over all that their messages hold, and has a row made for each type that needs one.</summary>
internal sealed class TypeWalker(
    Origins origins, TypeNames names, RowWriter rows, DerivedTypes derived, FrameworkWalker framework, List<DiagnosticInfo> found)
{
    /// <summary>The most generic types that may be in each other: those that nobody writes by hand have more.</summary>
    private const int MostNested = 12;

    private readonly HashSet<ITypeSymbol> _seen = new(SymbolEqualityComparer.Default);
    private readonly HashSet<ISymbol> _reported = new(SymbolEqualityComparer.Default);
    private readonly Queue<(ITypeSymbol Type, MemberPath Path)> _next = new();
    private Func<ITypeSymbol, bool> _isLeftOut = static _ => false;

    /// <summary>Gets the types that were added, and what they led to.</summary>
    public IReadOnlyCollection<ITypeSymbol> Seen => _seen;

    /// <summary>Makes a walker over the types of a compilation.</summary>
    /// <param name="compilation">The compilation.</param>
    /// <param name="names">The names that rows have.</param>
    /// <param name="rows">Where the rows go.</param>
    /// <param name="derived">What derives from what.</param>
    /// <param name="found">Where reports go.</param>
    public static TypeWalker Create(
        Compilation compilation, TypeNames names, RowWriter rows, DerivedTypes derived, List<DiagnosticInfo> found) =>
        new(new Origins(compilation), names, rows, derived, new FrameworkWalker(new RowNames(compilation), rows), found);

    /// <summary>Leaves out a type, wherever the walk meets it.</summary>
    public void LeaveOut(ITypeSymbol type) => _seen.Add(Plain(type));

    /// <summary>Leaves out all types for which something holds, with the rows of what is made of them.</summary>
    public void LeaveOut(Func<ITypeSymbol, bool> types) => _isLeftOut = types;

    /// <summary>Adds a type of which messages have values.</summary>
    public void Add(ITypeSymbol type, MemberPath path)
    {
        type = Plain(type);
        if (_isLeftOut(type) || !_seen.Add(type))
        {
            return;
        }

        if (Nested(type) <= MostNested)
        {
            _next.Enqueue((type, path));
        }
        else if (_reported.Add(type.OriginalDefinition))
        {
            Report(Descriptors.Growing, path, MostNested);
        }
    }

    /// <summary>Visits all that was added, and what it leads to.</summary>
    public void Walk(CancellationToken cancellation)
    {
        while (_next.Count > 0)
        {
            cancellation.ThrowIfCancellationRequested();
            (ITypeSymbol type, MemberPath path) = _next.Dequeue();
            Visit(type, path);
        }
    }

    // Names of elements make no other type.
    private static ITypeSymbol Plain(ITypeSymbol type) =>
        type is INamedTypeSymbol { IsTupleType: true, TupleUnderlyingType: { } plain } ? plain : type;

    private void Visit(ITypeSymbol type, MemberPath path)
    {
        if (WhyNoValue(type) is { } reason)
        {
            Report(Descriptors.NoValue, path, type.ToDisplayString(), reason);
        }
        else if (type is IArrayTypeSymbol array)
        {
            Visit(array, path);
        }
        else if (type is INamedTypeSymbol { TypeKind: not TypeKind.Error } named)
        {
            Visit(named, path);
        }
    }

    private void Visit(IArrayTypeSymbol array, MemberPath path)
    {
        ITypeSymbol element = array.ElementType;
        if (element.IsValueType && element.TypeKind != TypeKind.Pointer && !HoldsLeftOut(element) && IsNamed(element, path))
        {
            if (array.Rank > 1)
            {
                rows.ArrayOfRank(array);
            }

            framework.AddElement("Array", element);
        }

        Add(element, path.Element());
    }

    private void Visit(INamedTypeSymbol type, MemberPath path)
    {
        if (type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
        {
            if (!HoldsLeftOut(type))
            {
                framework.AddNullable(type.TypeArguments[0]);
            }

            Add(type.TypeArguments[0], path);
            return;
        }

        Origin origin = origins.Of(type);
        if (type.TypeKind == TypeKind.Enum)
        {
            if (IsNamed(type, path))
            {
                rows.Enum(type);
            }
        }
        else if (origin == Origin.Framework)
        {
            if (!HoldsLeftOut(type) && TypeNames.Arguments(type).All(argument => !argument.IsValueType || IsNamed(argument, path)))
            {
                framework.Visit(type);
            }

            foreach (ITypeSymbol argument in TypeNames.Arguments(type))
            {
                Add(argument, path.Element());
            }
        }
        else if (origin != Origin.Wire)
        {
            VisitOfProgram(type, origin, path);
        }

        foreach (INamedTypeSymbol surrogate in derived.SurrogatesOf(type))
        {
            if (surrogate.IsGenericType)
            {
                rows.Surrogate(type, surrogate);
            }

            Add(surrogate, MemberPath.Root(surrogate, path.Location));
        }

        if (type.TypeKind is TypeKind.Class or TypeKind.Interface && !type.IsSealed && type.SpecialType == SpecialType.None)
        {
            foreach (INamedTypeSymbol each in derived.Of(type))
            {
                Add(each, MemberPath.Root(each, path.Location));
            }
        }
    }

    private void VisitOfProgram(INamedTypeSymbol type, Origin origin, MemberPath path)
    {
        if (type.TypeKind == TypeKind.Struct)
        {
            ITypeSymbol? element = ElementOfInline(type);
            if (!IsNamed(type, path) || (element is not null && !IsNamed(element, path)))
            {
                return;
            }

            if (!HoldsLeftOut(type) && (element is null || !HoldsLeftOut(element)))
            {
                rows.Struct(type, element);
            }
        }
        else if (type.TypeKind == TypeKind.Class && !type.IsAbstract && !HoldsLeftOut(type))
        {
            rows.Class(type, isForeign: origin is Origin.Library);
        }

        for (INamedTypeSymbol? current = type; current is not null; current = current.BaseType)
        {
            if (current.SpecialType is SpecialType.System_Object or SpecialType.System_ValueType)
            {
                return;
            }

            Origin declaring = origins.Of(current);
            if (declaring == Origin.Framework)
            {
                Add(current, path);
                return;
            }

            ReportUnseen(current, declaring, path);
            bool isOwn = declaring == Origin.Own;
            // Of other assemblies, an editor sees fields that a build does not.
            foreach (WrittenMember member in WrittenMember.Of(current).Where(
                each => isOwn || each.Field is { DeclaredAccessibility: Accessibility.Public }))
            {
                Add(member.Type, path.Member(member.Face, isOwn));
            }

            // What cannot be seen has mostly values of these.
            foreach (ITypeSymbol argument in isOwn ? [] : TypeNames.Arguments(current))
            {
                Add(argument, path.Element());
            }
        }
    }

    // The type of the elements of an inline array; null for any other struct.
    private static ITypeSymbol? ElementOfInline(INamedTypeSymbol type) =>
        type.HasAttribute("System.Runtime.CompilerServices.InlineArrayAttribute")
            ? type.GetMembers().OfType<IFieldSymbol>().FirstOrDefault(field => !field.IsStatic)?.Type
            : null;

    // An interface has no fields that could be missing.
    private void ReportUnseen(INamedTypeSymbol type, Origin origin, MemberPath path)
    {
        if (origin is Origin.Project or Origin.Library && type.TypeKind != TypeKind.Interface && _reported.Add(type.OriginalDefinition))
        {
            Report(
                origin == Origin.Project ? Descriptors.NoContext : Descriptors.Foreign,
                path,
                type.ToDisplayString(),
                type.ContainingAssembly.Name);
        }
    }

    private bool HoldsLeftOut(ITypeSymbol type) => _isLeftOut(type) || (type switch
    {
        IArrayTypeSymbol array => HoldsLeftOut(array.ElementType),
        INamedTypeSymbol named => TypeNames.Arguments(named).Any(HoldsLeftOut),
        _ => false,
    });

    private bool IsNamed(ITypeSymbol type, MemberPath path)
    {
        if (names.Has(type) || type.TypeKind == TypeKind.Error)
        {
            return type.TypeKind != TypeKind.Error;
        }

        if (_reported.Add(type))
        {
            Report(Descriptors.NoName, path, type.ToDisplayString());
        }

        return false;
    }

    private static string? WhyNoValue(ITypeSymbol type) =>
        type.TypeKind == TypeKind.Delegate || type.SpecialType is SpecialType.System_Delegate or SpecialType.System_MulticastDelegate
            ? "a delegate is code, which a native program cannot read from a payload"
        : type.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer ? "a pointer has no meaning outside its process"
        : type.IsRefLikeType ? "a ref struct lives on the stack alone"
        : type is { IsStatic: true } || type.SpecialType == SpecialType.System_Void ? "no object has this type"
        : null;

    private static int Nested(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => 1 + Nested(array.ElementType),
        INamedTypeSymbol { IsGenericType: true } named => 1 + TypeNames.Arguments(named).Select(Nested).DefaultIfEmpty().Max(),
        _ => 0,
    };

    private void Report(DiagnosticDescriptor descriptor, MemberPath path, params object[] more) =>
        found.Add(new DiagnosticInfo(descriptor, path.Location, [path.ToString(), .. more]));
}
