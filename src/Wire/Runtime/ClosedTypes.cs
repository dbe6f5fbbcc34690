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
    /// <summary>The members that are looked for in types that are closed: the trimmer and the compiler of native code keep them.</summary>
    public const DynamicallyAccessedMemberTypes Made =
        DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.NonPublicConstructors
        | DynamicallyAccessedMemberTypes.Interfaces | DynamicallyAccessedMemberTypes.PublicProperties;

    /// <summary>
    /// Sets what tells of the types that need no row. It is there for the compiler of native code: reflection makes nearly all of
    /// them, so that it runs only where that has failed.
    /// </summary>
    public static Action? Common
    {
        set => _common = value;
    }

    private static Action? _common;

    // What rows tell of while a test asks: a JIT compiler needs none of it.
    [ThreadStatic]
    private static HashSet<Type>? _told;

    // What is made while a test asks.
    [ThreadStatic]
    private static HashSet<Type>? _made;

    /// <summary>Adds how an object of a closed type is made.</summary>
    // What makes it returns an object, since a type of functions for each would be in native programs.
    public static void Add([DynamicallyAccessedMembers(Made)] Type closed, Func<object?[], object> make)
    {
        _told?.Add(closed);
        if (!RuntimeFeature.IsDynamicCodeSupported)
        {
            Rows.Makers.TryAdd(closed, make);
        }
    }

    /// <summary>Returns the closed types that are added while an action runs.</summary>
    public static Type[] ToldBy(Action action) => Recorded(ref _told, action);

    /// <summary>Returns the closed types of which objects are made while an action runs.</summary>
    public static Type[] MadeBy(Action action) => Recorded(ref _made, action);

    private static Type[] Recorded(ref HashSet<Type>? set, Action action)
    {
        HashSet<Type> recorded = set = [];
        try
        {
            action();
        }
        finally
        {
            set = null;
        }

        return [.. recorded];
    }

    /// <summary>Closes a generic type.</summary>
    /// <exception cref="UnsupportedTypeException">There is no native code for it.</exception>
    public static Type Close([DynamicallyAccessedMembers(Made)] Type definition, params Type[] arguments)
    {
        try
        {
            Type closed = definition.MakeGenericType(arguments);
            if (!RuntimeFeature.IsDynamicCodeSupported && definition.IsClass && FrameworkAssemblies.Contains(definition.Home()))
            {
                // Asked here for what makes objects, while what is missing is known; there is a Type for it all the same.
                _ = closed.TypeHandle;
            }

            return closed;
        }
        catch (NotSupportedException e) when (!RuntimeFeature.IsDynamicCodeSupported)
        {
            throw Missing(definition, arguments, e);
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
        _made?.Add(closed);
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
            Interlocked.Exchange(ref _common, null)?.Invoke();
            return Rows.Makers.TryGetValue(closed, out make)
                ? make(arguments)
                : throw Missing(closed, closed.GetGenericArguments(), e);
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
            throw Missing(null, arguments, e);
        }
    }

    /// <summary>Makes the error for a type for which a native program has no code, with the line that gives it some.</summary>
    /// <param name="type">The type.</param>
    /// <param name="inner">What the runtime says.</param>
    /// <param name="row">The row to add; null for that of the type itself.</param>
    public static UnsupportedTypeException Unseen(Type type, Exception? inner, string? row = null) => new(
        type,
        "this native program has no code that writes it, because its compiler has not seen it as a type of messages. " +
            (row is null && !NativeNames.Has(type)
                ? "Code cannot name it in a row: use a type with a name of its own, or replace it by a surrogate."
                : $"Add {row ?? NativeNames.RowFor(type)} to SerializerOptions.Types."),
        inner)
    {
        IsUnseen = true,
        HasRow = true,
    };

    // A collection of .NET has a row of its own. What Wire makes of a type is in that of the type.
    private static UnsupportedTypeException Missing(Type? generic, Type[] arguments, Exception inner)
    {
        Type type = Array.Find(arguments, argument => argument.IsValueType) ?? arguments.FirstOrDefault() ?? typeof(object);
        string? row = generic is { IsGenericType: true } ? NativeNames.RowOf(generic.GetGenericTypeDefinition(), arguments) : null;
        return new(type, Unseen(type, null, row).Reason, inner) { IsUnseen = true, HasRow = row is not null };
    }

    // What rows have told: their lambdas are how the compiler of native code sees closed types. Programs without rows never load it.
    private static class Rows
    {
        public static readonly ConcurrentDictionary<Type, Func<object?[], object>> Makers = new();
    }
}
