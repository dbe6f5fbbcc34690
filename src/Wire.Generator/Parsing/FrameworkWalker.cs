using Microsoft.CodeAnalysis;

namespace Wire.Generator.Parsing;

/// <summary>Makes the rows of types of .NET: collections, tuples, and the libraries that few messages hold.</summary>
internal sealed class FrameworkWalker(RowNames known, RowWriter rows)
{
    private const string List = "List";
    private const string ReadOnly = "ReadOnlyCollection";

    // What is in native code for all classes.
    private static readonly string[] Common = [List, "Dictionary", "HashSet"];

    /// <summary>Adds what a value type needs where it may be null.</summary>
    public void AddNullable(ITypeSymbol value)
    {
        if (RowNames.IsTagged(value))
        {
            rows.Add("Struct", value);
        }
    }

    /// <summary>Adds what an array or list of a value type needs beyond the row of its element, which covers both.</summary>
    public void AddElement(string row, ITypeSymbol element)
    {
        if (element.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
        {
            rows.Shared(row, element);
        }
        else if (RowNames.IsTagged(element) && row == List)
        {
            rows.Add("Struct", element);
        }
        else if (RowNames.IsTagged(element))
        {
            // Arrays of numbers are there in any case.
            rows.AddExtra("Struct", element);
        }
    }

    /// <summary>Adds the rows of a type; its arguments are visited by themselves.</summary>
    public void Visit(INamedTypeSymbol type)
    {
        if (RowNames.IsScalar(type) || RowNames.IsTagged(type))
        {
            return;
        }

        if (known.OfLibrary(type) is { } library)
        {
            rows.Add(library);
        }

        if (type.TypeKind == TypeKind.Interface)
        {
            AddImplementations(type);
        }

        if (known.OfGeneric(type) is { } row)
        {
            AddGeneric(row, type);
        }
        else if (type.TypeKind == TypeKind.Struct && (IsKept(type) || known.OfLibrary(type) is not null))
        {
            rows.AddExtra("Struct", type);
        }
        else if (type.TypeKind == TypeKind.Struct)
        {
            rows.Add("Struct", type);
        }
        else if (IsTuple(type) || (IsComparer(type) && type.TypeArguments[0].IsValueType))
        {
            rows.Class(type, isForeign: true);
        }
    }

    // Every native program has these, and a row for arrays of them.
    private static bool IsKept(INamedTypeSymbol type) => type is { Name: "Index", Arity: 0 }
        || (type is { Name: "KeyValuePair", Arity: 2 } && type.TypeArguments.All(each => each.IsReferenceType));

    private static bool IsTuple(INamedTypeSymbol type) => type is { Name: "Tuple", Arity: > 0 };

    private static bool IsComparer(INamedTypeSymbol type) => type is { Name: "EqualityComparer" or "Comparer", Arity: 1 };

    private void AddGeneric(string row, INamedTypeSymbol type)
    {
        bool isOfClasses = type.TypeArguments.All(argument => argument.IsReferenceType);
        if (row == List && !isOfClasses)
        {
            AddElement(List, type.TypeArguments[0]);
        }
        else if (!isOfClasses || !Common.Contains(row))
        {
            rows.Shared(row, type.TypeArguments);
        }
    }

    // What a variable of an interface has as a rule, and what collection expressions make for it.
    private void AddImplementations(INamedTypeSymbol type)
    {
        ITypeSymbol[] arguments = [.. type.TypeArguments];
        switch (type.MetadataName)
        {
            case "IEnumerable`1" or "IReadOnlyCollection`1" or "IReadOnlyList`1":
                rows.Shared(ReadOnly, arguments);
                AddList(arguments);
                break;
            case "ICollection`1" or "IList`1":
                AddList(arguments);
                break;
            case "ISet`1" or "IReadOnlySet`1":
                AddOf("HashSet", arguments);
                break;
            case "IDictionary`2" or "IReadOnlyDictionary`2":
                AddOf("Dictionary", arguments);
                break;
            case "IImmutableSet`1":
                AddOf("ImmutableHashSet", arguments);
                break;
            case "IProducerConsumerCollection`1":
                AddOf("ConcurrentQueue", arguments);
                break;
            case "IEqualityComparer`1" when arguments[0].IsValueType:
                rows.AddExtra("Class", EqualityComparer(type));
                break;
        }
    }

    private static ITypeSymbol EqualityComparer(INamedTypeSymbol type) =>
        type.ContainingNamespace.GetTypeMembers("EqualityComparer", 1).FirstOrDefault()?.Construct(type.TypeArguments[0]) ?? type;

    // A query is written as a list, also where its elements are scalars.
    private void AddList(ITypeSymbol[] arguments)
    {
        if (arguments[0].IsValueType)
        {
            rows.Shared(List, arguments);
            AddElement("Array", arguments[0]);
        }
    }

    private void AddOf(string row, ITypeSymbol[] arguments)
    {
        if (known.Has(row, arguments.Length) && (!Common.Contains(row) || arguments.Any(argument => argument.IsValueType)))
        {
            rows.Shared(row, arguments);
        }
    }
}
