using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire.Compilation;

/// <summary>
/// The rule for creating objects of a class. Calling the parameterless constructor is faster, but only an empty one has no side effects:
/// one whose IL is at most 8 bytes long and calls nothing but such a base constructor.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class ObjectFactory
{
    private const int EmptyConstructorSize = 8;
    private const byte Call = 0x28;

    /// <summary>The constructor to call; null when the object is to be created uninitialized.</summary>
    public static ConstructorInfo? EmptyConstructor(TypePlan plan) => plan.BasePart is null ? EmptyConstructor(plan.Type) : null;

    /// <summary>
    /// Creates an object of a class without running any of its code, unless that is an empty constructor or the one that is given.
    /// </summary>
    /// <exception cref="UnsupportedTypeException">The row of the class makes other objects.</exception>
    public static Func<object> For(TypePlan plan, ConstructorInfo? given = null) =>
        given is null && plan.Row?.Creation() is { } create ? create
        : (given ?? EmptyConstructor(plan)) is { } constructor
            ? () => constructor.Invoke(BindingFlags.DoNotWrapExceptions, binder: null, parameters: null, culture: null)
        : RuntimeFeature.IsDynamicCodeSupported ? () => RuntimeHelpers.GetUninitializedObject(plan.Type)
        : Copies(plan.Type);

    // In native code, to copy an object takes a fifth of the time of making one without its constructor.
    private static Func<object> Copies(Type type)
    {
        object? original = null;
        return () => ObjectMemory.Clone(original ??= Original(type));
    }

    private static object Original(Type type)
    {
        object made = Uninitialized(type);
        if (made is Exception exception)
        {
            UnfinishedExceptions.Mark(exception);
        }

        return made;
    }

    /// <summary>Makes an object, or a value type in a box, that only serves to be copied or looked at: all its fields are zero.</summary>
    [SuppressMessage("Usage", "CA1816", Justification = "Its finalizer has nothing to do.")]
    public static object Uninitialized(Type type)
    {
        object made = RuntimeHelpers.GetUninitializedObject(type);
        GC.SuppressFinalize(made);
        return made;
    }

    // Native code has no IL to look at.
    private static ConstructorInfo? EmptyConstructor(Type type)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
        {
            return null;
        }

        if (type == typeof(object))
        {
            return type.GetConstructor(Type.EmptyTypes);
        }

        ConstructorInfo? constructor = type.IsAbstract && type.IsInterface ? null : type.GetConstructor(
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic, Type.EmptyTypes);
        byte[]? il = constructor?.GetMethodBody()?.GetILAsByteArray();
        if (il is null || il.Length > EmptyConstructorSize || type.BaseType is not { } parent)
        {
            return null;
        }

        int call = Array.IndexOf(il, Call);
        if (call < 0 || call + sizeof(int) >= il.Length)
        {
            return null;
        }

        ConstructorInfo? below = EmptyConstructor(parent);
        MethodBase? called = Called(constructor!, BitConverter.ToInt32(il, call + 1));
        return below is not null && called is not null && called.MetadataToken == below.MetadataToken && called.Module == below.Module
            ? constructor
            : null;
    }

    private static MethodBase? Called(ConstructorInfo constructor, int token)
    {
        try
        {
            return constructor.Module.ResolveMethod(
                token,
                constructor.DeclaringType!.IsGenericType ? constructor.DeclaringType.GetGenericArguments() : null,
                null);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            // The token cannot be resolved, as in a dynamic assembly: then the constructor's code is unknown.
            return null;
        }
    }
}
