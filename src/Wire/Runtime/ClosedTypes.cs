using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>
/// The one place where generic types and methods of this library are closed over types of the program. A native program has code for those
/// alone that its compiler has seen.
/// </summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class ClosedTypes
{
    /// <summary>What is looked for in types that are closed: the trimmer and the compiler of native code keep it.</summary>
    public const DynamicallyAccessedMemberTypes Made =
        DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.NonPublicConstructors
        | DynamicallyAccessedMemberTypes.Interfaces | DynamicallyAccessedMemberTypes.PublicProperties;

    /// <summary>Adds how an object of a closed type is made.</summary>
    public static void Add<[DynamicallyAccessedMembers(Made)] T>(Func<object?[], T> make)
        where T : class
    {
        // What is kept for ever must not keep what can be unloaded, which native code has none of.
        if (!typeof(T).IsCollectible)
        {
            Rows.Makers.TryAdd(typeof(T), make);
        }
    }

    /// <summary>Closes a generic type.</summary>
    /// <exception cref="UnsupportedTypeException">There is no native code for it.</exception>
    public static Type Close([DynamicallyAccessedMembers(Made)] Type definition, params Type[] arguments)
    {
        try
        {
            return definition.MakeGenericType(arguments);
        }
        catch (NotSupportedException e) when (!RuntimeFeature.IsDynamicCodeSupported)
        {
            throw Missing(arguments, e);
        }
    }

    /// <summary>Makes an object of a generic type, closed over types of the program.</summary>
    /// <exception cref="UnsupportedTypeException">There is no native code for it.</exception>
    public static object Create(
        [DynamicallyAccessedMembers(Made)] Type definition, Type[] typeArguments, params object?[] arguments) =>
        Create(Close(definition, typeArguments), arguments);

    /// <summary>Makes an object of a closed type.</summary>
    /// <exception cref="UnsupportedTypeException">There is no native code for it.</exception>
    public static object Create(Type closed, params object?[] arguments)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported && Rows.Makers.TryGetValue(closed, out Func<object?[], object>? make))
        {
            return make(arguments);
        }

        try
        {
            return Activator.CreateInstance(closed, arguments)!;
        }
        catch (Exception e) when (
            !RuntimeFeature.IsDynamicCodeSupported && e is NotSupportedException and not UnsupportedTypeException or MissingMethodException)
        {
            throw Missing(closed.GetGenericArguments(), e);
        }
    }

    /// <summary>Closes a generic method.</summary>
    /// <exception cref="UnsupportedTypeException">There is no native code for it.</exception>
    public static MethodInfo Close(MethodInfo definition, params Type[] arguments)
    {
        try
        {
            return definition.MakeGenericMethod(arguments);
        }
        catch (NotSupportedException e) when (!RuntimeFeature.IsDynamicCodeSupported)
        {
            throw Missing(arguments, e);
        }
    }

    /// <summary>Makes the error for a type for which a native program has no code, with the line that gives it some.</summary>
    public static UnsupportedTypeException Unseen(Type type, Exception? inner) => new(
        type,
        "this native program has no code that writes it, because its compiler has not seen it as a type of messages. Add " +
            $"{LineFor(type)} to SerializerOptions.Types.",
        inner);

    private static UnsupportedTypeException Missing(Type[] arguments, Exception inner)
    {
        Type type = Array.Find(arguments, argument => argument.IsValueType) ?? arguments.FirstOrDefault() ?? typeof(object);
        return new(type, Unseen(type, null).Reason, inner) { IsUnseen = true };
    }

    private static string LineFor(Type type) =>
        Nullable.GetUnderlyingType(type) is { } value ? LineFor(value)
        : type.IsSZArray ? $"WireRow.Array<{NameOf(type.GetElementType()!)}>()"
        : type.IsArray ? $"WireRow.Array<{NameOf(type)}, {NameOf(type.GetElementType()!)}>()"
        : type.IsEnum ? type.GetEnumUnderlyingType() == typeof(int)
            ? $"WireRow.Enum<{NameOf(type)}>()"
            : $"WireRow.Enum<{NameOf(type)}, {NameOf(type.GetEnumUnderlyingType())}>()"
        : FrameworkAssemblies.Contains(type.Assembly) && type.IsGenericType && !typeof(ITuple).IsAssignableFrom(type)
            && type.GetGenericTypeDefinition() != typeof(KeyValuePair<,>)
            ? $"WireRow.{type.Name[(type.IsInterface ? 1 : 0)..type.Name.IndexOf('`')]}<{NamesOf(type.GetGenericArguments())}>()"
        : type.IsValueType ? $"WireRow.Struct<{NameOf(type)}>()"
        : $"WireRow.Class<{NameOf(type)}>()";

    /// <summary>Gets the name of a type as it stands in C#, without its namespace.</summary>
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
        int tick = type.Name.IndexOf('`');
        int around = type.DeclaringType?.GetGenericArguments().Length ?? 0;
        string name = tick < 0 ? type.Name : $"{type.Name[..tick]}<{NamesOf(arguments[around..].ToArray())}>";
        return type.DeclaringType is { } outer ? $"{NameOf(outer, arguments[..around])}.{name}" : name;
    }

    private static string NamesOf(Type[] types) => string.Join(", ", types.Select(NameOf));

    // What rows have told: their lambdas are how the compiler of native code sees closed types. Programs without rows never load it.
    private static class Rows
    {
        public static readonly ConcurrentDictionary<Type, Func<object?[], object>> Makers = new();
    }
}
