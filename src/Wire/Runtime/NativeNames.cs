using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>The rows of native code as they stand in C#, and the names of types in them, without namespaces.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class NativeNames
{
    private const string FSharp = "FSharp";

    // The rows of generic types of .NET. To look at the methods would keep all of them.
    private static readonly string[] Rows =
    [
        "ArraySegment`1", "AsyncEnumerable`1", "BindingList`1", "BlockingCollection`1", "Collection`1", "ConcurrentBag`1",
        "ConcurrentDictionary`2", "ConcurrentQueue`1", "ConcurrentStack`1", "Dictionary`2", "FrozenDictionary`2", "FrozenSet`1",
        "Grouping`2", "HashSet`1",
        "ImmutableArray`1", "ImmutableDictionary`2", "ImmutableHashSet`1", "ImmutableList`1", "ImmutableQueue`1",
        "ImmutableSortedDictionary`2", "ImmutableSortedSet`1", "ImmutableStack`1", "KeyedCollection`2", "Lazy`1", "LinkedListNode`1",
        "LinkedList`1", "List`1", "Lookup`2", "Memory`1", "ObservableCollection`1", "OrderedDictionary`2", "PriorityQueue`2",
        "Queue`1", "ReadOnlyCollection`1", "ReadOnlyDictionary`2", "ReadOnlyMemory`1", "ReadOnlyObservableCollection`1",
        "ReadOnlySequence`1", "ReadOnlySet`1", "SortedDictionary`2", "SortedList`2", "SortedSet`1", "Stack`1", "Vector128`1",
        "Vector256`1", "Vector512`1", "Vector64`1", "WeakReference`1",
    ];

    /// <summary>Returns whether a row can name a type.</summary>
    public static bool Has(Type type) =>
        type.HasElementType ? Has(type.GetElementType()!)
        : !IsHidden(type) && Array.TrueForAll(type.GetGenericArguments(), argument => !argument.IsValueType || Has(argument));

    /// <summary>Returns the row of a type.</summary>
    public static string RowFor(Type type) =>
        Nullable.GetUnderlyingType(type) is { } value ? RowFor(value)
        : type.IsSZArray ? $"WireRow.Array<{ArgumentOf(type.GetElementType()!)}>()"
        : type.IsArray ? $"WireRow.Array<{NameOf(type)}, {NameOf(type.GetElementType()!)}>()"
        : type.IsEnum ? type.GetEnumUnderlyingType() == typeof(int)
            ? $"WireRow.Enum<{NameOf(type)}>()"
            : $"WireRow.Enum<{NameOf(type)}, {NameOf(type.GetEnumUnderlyingType())}>()"
        : type.IsGenericType && RowOf(type.GetGenericTypeDefinition(), type.GetGenericArguments()) is { } row ? row
        : type.IsValueType ? $"WireRow.Struct<{NameOf(type)}>()"
        : $"WireRow.Class<{NameOf(type)}>()";

    /// <summary>Returns the row of a generic type of .NET that has one of its own; null for any other.</summary>
    public static string? RowOf(Type definition, Type[] arguments)
    {
        if (!FrameworkAssemblies.Contains(definition.Assembly) || typeof(ITuple).IsAssignableFrom(definition) || definition.IsNested)
        {
            return null;
        }

        string name = definition.Name[(definition.IsInterface ? 1 : 0)..];
        return Rows.Contains(name) ? $"WireRow.{name[..name.IndexOf('`')]}<{ArgumentsOf(arguments)}>()" : null;
    }

    /// <summary>Returns whether a generic type of .NET has a row of its own, by its name and number of arguments.</summary>
    public static bool HasRow(string name) => Rows.Contains(name);

    /// <summary>Returns the name of a type.</summary>
    public static string NameOf(Type type)
    {
        // The ranks of arrays of arrays stand from the outermost in.
        string ranks = "";
        for (; type.IsArray; type = type.GetElementType()!)
        {
            ranks += $"[{new string(',', type.GetArrayRank() - 1)}]";
        }

        return (Nullable.GetUnderlyingType(type) is { } value ? $"{NameOf(value)}?" : NameOf(type, type.GetGenericArguments())) + ranks;
    }

    // A nested type has the arguments of those around it too.
    private static string NameOf(Type type, ReadOnlySpan<Type> arguments)
    {
        string plain = PlainNameOf(type);
        int tick = plain.IndexOf('`');
        int around = type.DeclaringType?.GetGenericArguments().Length ?? 0;
        string name = tick < 0 ? plain : $"{plain[..tick]}<{ArgumentsOf(arguments[around..].ToArray())}>";
        return type.DeclaringType is { } outer ? $"{NameOf(outer, arguments[..around])}.{name}" : name;
    }

    // As code in F# has those of FSharp.Core, where a List is .NET's and a list its own.
    private static string PlainNameOf(Type type) =>
        !type.Name.StartsWith(FSharp, StringComparison.Ordinal) || type.Assembly.GetName().Name != "FSharp.Core" ? type.Name
        : type.Name is "FSharpList`1" ? "list`1"
        : type.Name[FSharp.Length..];

    private static string ArgumentsOf(Type[] types) => string.Join(", ", types.Select(ArgumentOf));

    // The code of object is that of every class.
    private static string ArgumentOf(Type type) => !type.IsValueType && (!Has(type) || IsPrivate(type)) ? "object" : NameOf(type);

    private static bool IsPrivate(Type type) => type.IsNestedPrivate || type.IsNestedFamily || type.IsNestedFamANDAssem
        || (type.HasElementType ? IsPrivate(type.GetElementType()!) : type.DeclaringType is { } outer && IsPrivate(outer));

    private static bool IsHidden(Type type) =>
        type.Name.Contains('<')
        || (!(type.IsGenericType ? type.GetGenericTypeDefinition() : type).IsVisible
            && (FrameworkAssemblies.Contains(type.Assembly) || type.Assembly == typeof(NativeNames).Assembly))
        || (type.DeclaringType is { } outer && IsHidden(outer));
}
