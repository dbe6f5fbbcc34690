using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Dynamic;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Comparing;

/// <summary>
/// What a collection of .NET, or the part that a class has from one, is made of: named parts, such as comparers, and the items in their
/// order.
/// Exceptions and delegates are looked at in the same way, because their fields are the runtime's own.
/// </summary>
internal sealed record CollectionState(IReadOnlyList<(string Name, object? Value)> Parts, object?[] Items, bool IsUnordered = false)
{
    private const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    // Where items lie in no order of their own.
    private static readonly HashSet<Type> WithoutOrder =
    [
        typeof(ConcurrentDictionary<,>), typeof(Hashtable), typeof(ImmutableHashSet<>), typeof(ImmutableDictionary<,>),
        typeof(FrozenSet<>), typeof(FrozenDictionary<,>), typeof(StringDictionary),
    ];

    // Classes around another object, and the property or field that has it. The object is a part of the graph.
    private static readonly Dictionary<Type, string[]> Wrappers = new()
    {
        [typeof(Collection<>)] = ["Items"],
        [typeof(ObservableCollection<>)] = ["Items"],
        [typeof(BindingList<>)] =
            ["Items", "AllowNew", "AllowEdit", "AllowRemove", "RaiseListChangedEvents", "userSetAllowNew", "addNewPos"],
        [typeof(ReadOnlyCollection<>)] = ["Items"],
        [typeof(ReadOnlyObservableCollection<>)] = ["Items"],
        [typeof(ReadOnlyDictionary<,>)] = ["Dictionary"],
        [typeof(ReadOnlySet<>)] = ["Set"],
        [typeof(KeyedCollection<,>)] = ["Items"],
        [typeof(CollectionBase)] = ["InnerList"],
        [typeof(DictionaryBase)] = ["InnerHashtable"],
        [typeof(BlockingCollection<>)] = ["_collection", "BoundedCapacity", "IsAddingCompleted"],
        [typeof(Lazy<>)] = ["Value", "IsValueCreated"],
        [typeof(WeakReference)] = ["Target", "TrackResurrection"],
        [typeof(WeakReference<>)] = ["Target", "IsTrackResurrection"],
        [ArrayList.Synchronized(new ArrayList()).GetType()] = ["_list"],
        [ArrayList.ReadOnly(new ArrayList()).GetType()] = ["_list"],
        [ArrayList.FixedSize(new ArrayList()).GetType()] = ["_list"],
        [ArrayList.Synchronized((IList)new ArrayList()).GetType()] = ["_list"],
        [ArrayList.ReadOnly((IList)new ArrayList()).GetType()] = ["_list"],
        [ArrayList.FixedSize((IList)new ArrayList()).GetType()] = ["_list"],
        [ArrayList.Adapter(new ArrayList()).GetType()] = ["_list"],
        [Hashtable.Synchronized([]).GetType()] = ["_table"],
        [Queue.Synchronized(new()).GetType()] = ["_q"],
        [Stack.Synchronized(new()).GetType()] = ["_s"],
        [SortedList.Synchronized([]).GetType()] = ["_list"],
    };

    // Comparers that have no property.
    private static readonly Dictionary<Type, string[]> Fields = new()
    {
        [typeof(SortedList)] = ["comparer"],
        [typeof(ListDictionary)] = ["comparer"],
        [typeof(HybridDictionary)] = ["caseInsensitive"],
        [typeof(OrderedDictionary)] = ["_comparer"],
        [typeof(Lookup<,>)] = ["_comparer"],
    };

    // Types of the tests may be unloaded.
    private static readonly ConditionalWeakTable<Type, Description> Described = [];

    private static readonly string[] Comparers = ["Comparer", "KeyComparer", "ValueComparer", "EqualityComparer", "IsReadOnly", "Key"];

    /// <summary>The class of .NET, of a type or its bases, whose state is not its fields; null when there is none.</summary>
    public static Type? PartOf(Type type)
    {
        if (type.IsPrimitive || type == typeof(string) || type.IsArray)
        {
            return null;
        }

        if (typeof(Exception).IsAssignableFrom(type))
        {
            return Framework(type);
        }

        if (typeof(Delegate).IsAssignableFrom(type))
        {
            return typeof(Delegate);
        }

        for (Type? current = type; current is not null; current = current.BaseType)
        {
            bool isSystem = current.Namespace is { } name && (name == "System" || name.StartsWith("System.", StringComparison.Ordinal));
            bool isMemory = current.IsGenericType
                && current.GetGenericTypeDefinition() is var d
                    && (d == typeof(Lazy<>) || d == typeof(Memory<>) || d == typeof(ReadOnlyMemory<>) || d == typeof(ReadOnlySequence<>));
            bool isQueue = current.Name.StartsWith("PriorityQueue", StringComparison.Ordinal);
            bool isWeak = Definition(current) is var weak && (weak == typeof(WeakReference) || weak == typeof(WeakReference<>));
            if (IsFSharp(current) || isWeak || (isSystem && (typeof(IEnumerable).IsAssignableFrom(current) || isMemory || isQueue)))
            {
                return current;
            }
        }

        return null;
    }

    /// <summary>Looks at the part of a value.</summary>
    public static CollectionState Of(object value, Type part)
    {
        if (value is Exception exception)
        {
            return OfException(exception, part);
        }

        if (value is Delegate function)
        {
            return function.GetInvocationList() is [var only] && ReferenceEquals(only, function)
                ? new([("Method", function.Method), ("Target", function.Target)], [])
                : new([], [.. function.GetInvocationList()]);
        }

        Type definition = Definition(part);
        if (definition == typeof(ImmutableArray<>) && (bool)Get(value, part, "IsDefault")!)
        {
            return new([("IsDefault", true)], []);
        }

        if (definition == typeof(ArraySegment<>) && Get(value, part, "Array") is null)
        {
            return new([("Array", null)], []);
        }

        Description described = Described.GetValue(part, static part => new Description(part));
        List<(string, object?)> parts = [.. described.Members.Select(named => (named.Name, ValueOf(named.Member, value)))];
        return described.IsWrapper ? new(parts, []) : new(parts, ItemsOf(value, part), described.HasNoOrder || IsHashed(value));
    }

    // The public face, and not what .NET keeps of where it was thrown. A getter that throws throws in both.
    private static CollectionState OfException(Exception exception, Type part)
    {
        List<(string, object?)> parts = [];
        foreach (PropertyInfo property in part.GetProperties(BindingFlags.Instance | BindingFlags.Public))
        {
            if (property.Name is not (nameof(Exception.TargetSite) or nameof(Exception.Data)) && property.GetIndexParameters().Length == 0)
            {
                parts.Add((property.Name, Asked(property, exception)));
            }
        }

        return new(parts, [.. exception.Data]);
    }

    private static Type Framework(Type type)
    {
        Type current = type;
        while (!(current.Namespace is { } name && (name == "System" || name.StartsWith("System.", StringComparison.Ordinal))))
        {
            current = current.BaseType!;
        }

        return current;
    }

    // The trees of F# sets and maps depend on the order of adding, and lists may be longer than a stack is deep.
    private static bool IsFSharp(Type type) =>
        type is { Namespace: "Microsoft.FSharp.Collections", Name: "FSharpSet`1" or "FSharpMap`2" or "FSharpList`1" };

    /// <summary>What a property gives, or the type of what it throws.</summary>
    public static object? Asked(PropertyInfo property, object value)
    {
        try
        {
            return property.GetValue(value);
        }
        catch (TargetInvocationException e)
        {
            return e.InnerException!.GetType();
        }
    }

    private static object?[] ItemsOf(object value, Type part) => value switch
    {
        NameValueCollection names => [.. Enumerable.Range(0, names.Count)
            .SelectMany(i => new object?[] { names.GetKey(i), names.GetValues(i) })],
        ExpandoObject expando => [.. expando],
        // The list of a block can be asked for its elements, and not gone through.
        IList<Expression> expressions => [.. Enumerable.Range(0, expressions.Count).Select(i => expressions[i])],
        IEnumerable items => [.. items],
        _ when part.Name.StartsWith("PriorityQueue", StringComparison.Ordinal) => [.. (IEnumerable)Get(value, part, "UnorderedItems")!],
        _ when part.Name.StartsWith("ReadOnlySequence", StringComparison.Ordinal) => [.. (IEnumerable)
            typeof(BuffersExtensions).GetMethod(nameof(BuffersExtensions.ToArray))!.MakeGenericMethod(part.GetGenericArguments())
                .Invoke(null, [value])!],
        _ => [.. (IEnumerable)part.GetMethod("ToArray", Any)!.Invoke(value, null)!],
    };

    // As long as it is a list it has an order.
    private static bool IsHashed(object value) =>
        value is HybridDictionary && typeof(HybridDictionary).GetField("hashtable", Any)!.GetValue(value) is not null;

    private static Type Definition(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;

    private static object? Get(object value, Type part, string name) =>
        ValueOf(Find(part, name) ?? throw new MissingMemberException(part.FullName, name), value);

    private static object? ValueOf(MemberInfo member, object value) => member switch
    {
        PropertyInfo property => Asked(property, value),
        FieldInfo field => field.GetValue(value),
        _ => ((MethodInfo)member).Invoke(value, null),
    };

    // The nearest property, or the field or method without parameters; fields of a base class are found only when they are asked of the
    // base class itself.
    private static MemberInfo? Find(Type part, string name)
    {
        for (Type? current = part; current is not null; current = current.BaseType)
        {
            if (current.GetProperties(Any | BindingFlags.DeclaredOnly)
                .FirstOrDefault(p => p.Name == name && p.GetIndexParameters().Length == 0) is { } property)
            {
                return property;
            }
        }

        return part.GetField(name, Any) ?? (MemberInfo?)part.GetMethod(name, Any, []);
    }

    /// <summary>What is looked at in collections of a type, found once.</summary>
    private sealed class Description
    {
        public Description(Type part)
        {
            IsWrapper = Wrappers.TryGetValue(Definition(part), out string[]? wrapped);
            IEnumerable<Type> bases = Bases(part);
            HasNoOrder = bases.Any(type => WithoutOrder.Contains(Definition(type)));
            Members =
            [
                .. from type in bases
                   from name in Fields.GetValueOrDefault(Definition(type), [])
                   select (name, Find(type, name) ?? throw new MissingMemberException(type.FullName, name)),
                .. from name in (wrapped ?? []).Concat(Comparers)
                   let member = Find(part, name)
                   where member is not null
                   select (name, member),
            ];
        }

        /// <summary>Whether its items are those of an object that it holds.</summary>
        public bool IsWrapper { get; }

        /// <summary>Whether its items lie in no order of their own.</summary>
        public bool HasNoOrder { get; }

        /// <summary>What it has beside its items.</summary>
        public (string Name, MemberInfo Member)[] Members { get; }

        private static IEnumerable<Type> Bases(Type type)
        {
            for (Type? current = type; current is not null; current = current.BaseType)
            {
                yield return current;
            }
        }
    }
}
