using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Errors;
using Wire.Format;
using Wire.OptIn;
using Wire.Runtime;
using Wire.Types;
using Wire.ValueSerializers;

namespace Wire.SerializerFactories;

/// <summary>
/// Makes the value serializers of every type without a tag: families of collections, enums, and complex types member by member.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal static class BuiltInFactory
{
    public static ValueSerializer Create(Type type, TypeRegistry registry)
    {
        if (IsUnsupported(type) is { } reason)
        {
            throw new UnsupportedTypeException(type, IsFSharpFunction(type) ? reason : registry.RefusalByLibrary(type) ?? reason);
        }

        if (registry.Options.RefusalOfTrimmed(type) is { } trimmed)
        {
            throw new UnsupportedTypeException(type, trimmed);
        }

        try
        {
            return type.IsArray ? CreateArray(type, registry)
                : type.IsEnum ? CreateEnum(type)
                : InlineArrays.ElementOf(type) is { } first ? CreateInlineArray(type, first, registry)
                : Families.Find(type) is { } family ? family.Create(type, registry)
                : (ValueSerializer)ClosedTypes.Create(ClosedTypes.Close(typeof(ComplexSerializer<>), type), registry);
        }
        catch (UnsupportedTypeException e) when (e is { IsUnseen: true, HasRow: false })
        {
            throw ClosedTypes.Unseen(type, e.InnerException, InlineArrays.RowFor(type));
        }
        catch (Exception e) when (!RuntimeFeature.IsDynamicCodeSupported
            && e is TypeLoadException or NotSupportedException and not UnsupportedTypeException)
        {
            // A type may be made, and it or a part of it found missing by the first who looks into it.
            throw ClosedTypes.Unseen(type, e, InlineArrays.RowFor(type));
        }
    }

    private static ValueSerializer CreateArray(Type type, TypeRegistry registry)
    {
        Type element = type.GetElementType()!;
        return type.IsSZArray
            ? Make(typeof(ArraySerializer<>), [element], registry.CreateSlot(element))
            : Make(typeof(ArrayOfRankSerializer<,>), [type, element], registry.CreateSlot(element), type.GetArrayRank());
    }

    private static ValueSerializer CreateEnum(Type type)
    {
        Type underlying = type.GetEnumUnderlyingType();
        Type format = ClosedTypes.Close(typeof(EnumFormat<,>), type, underlying);
        return Make(typeof(FixedSerializer<,>), [type, format], BuiltInTypes.Find(underlying)!.Prefix![0]);
    }

    private static ValueSerializer CreateInlineArray(Type type, FieldInfo first, TypeRegistry registry)
    {
        if (InlineArrays.Names(first.FieldType, type))
        {
            ThrowHelper.Unsupported(
                type, $"it is an inline array whose elements, of type {first.FieldType}, hold it again. Put a struct with a field around " +
                    "the elements.");
        }

        return Make(typeof(InlineArraySerializer<,>), [type, first.FieldType], registry.CreateSlot(first.FieldType));
    }

    /// <summary>
    /// The base class of .NET whose state is a part of a type's objects that the library knows how to construct and fill; null when there
    /// is none. A class without fields, such as EventArgs, gives an object nothing.
    /// </summary>
    public static Type? BasePartOf(Type type) => type.BaseType.Nearest(
        current => current != typeof(object) && Families.Find(current) is { CoversDerived: false, IsStateless: false });

    /// <summary>Returns the reason why values of a type cannot be serialized; null when they can.</summary>
    /// <param name="type">The type.</param>
    /// <param name="abstractToo">True if an abstract type is one of them.</param>
    public static string? IsUnsupported(Type type, bool abstractToo = true)
    {
        if (abstractToo && type.ContainsGenericParameters)
        {
            return "it is an open generic type: no object has it. Give one with arguments.";
        }

        if (type.IsArray)
        {
            return type.GetElementType()!.IsPointer ? "pointers have no meaning outside their process." : null;
        }

        if (type.IsPointer || type.IsByRef || type.IsByRefLike || type.IsFunctionPointer)
        {
            return Advice.ForPointer(type);
        }

        if (Families.Find(type) is not null || type.IsEnum)
        {
            return null;
        }

        if (IsFSharpFunction(type))
        {
            return "an F# function is code, which a payload must not choose. SerializerOptions.AllowDelegates does not include F# " +
                "functions.";
        }

        if (OptIns.Find(type) is { } group)
        {
            return Advice.ForCode(type, group.Switch);
        }

        if (type.IsValueType && typeof(IUnknownMembers).IsAssignableFrom(type))
        {
            return "it is a value type that implements IUnknownMembers: the layout of a value type is a part of the schemas of others, " +
                "so that a value cannot have members of its own. Make it a class, or leave the interface out.";
        }

        if (type == typeof(UnknownMembers))
        {
            return "it is a part of the object that it belongs to, whose class implements IUnknownMembers.";
        }

        if (abstractToo && type.IsAbstract)
        {
            return type.IsSealed
                ? "it is a static class: no object has this type. Leave it out of the types that you give."
                : "it is abstract: no object has this type. Give the classes that derive from it.";
        }

        if (typeof(Assembly).IsAssignableFrom(type) || typeof(Module).IsAssignableFrom(type))
        {
            return "an assembly or module is code, which a payload must not choose. Write its name instead.";
        }

        if (typeof(IAsyncStateMachine).IsAssignableFrom(type))
        {
            return Advice.ForAsyncIterator;
        }

        return FrameworkAssemblies.Contains(type.Home()) ? IsUnsupportedOfFramework(type) : IsUnsupportedBase(type);
    }

    private static string? IsUnsupportedOfFramework(Type type) =>
        TagTypes.Contains(type) || IsException(type)
            ? null
            : type.Assembly.GetName().Name == "FSharp.Core"
            ? "it belongs to F#. Use SerializerOptions.UseFSharp() of the package WireSerializer.FSharp; for what that does not know, " +
                "a surrogate or a ValueSerializer."
            : LeftOut(type) ?? Advice.ForFramework(type);

    private static string? IsUnsupportedBase(Type type)
    {
        Type? part = BasePartOf(type);
        Type? nearest = IsException(type) ? null : type.BaseType.Nearest(
            current => current == part
                || (current != typeof(object) && FrameworkAssemblies.Contains(current.Assembly) && HasState(current)));
        return nearest == part || nearest is null ? null : LeftOut(nearest) ?? Advice.ForDerived(type, nearest);
    }

    private static string? LeftOut(Type type) => !RuntimeFeature.IsDynamicCodeSupported && Families.RowOf(type.FullName ?? "") is { } row
        ? $"native programs leave out {type} unless they say so. Add WireRow.{row}() to SerializerOptions.Types."
        : null;

    // Where fields may be hidden, a class is taken to have some.
    private static bool HasState(Type type) =>
        type != typeof(ValueType) && Families.Find(type) is not { IsStateless: true }
        && !(type == typeof(Attribute) || type == typeof(MarshalByRefObject)
            || type.IsOf(typeof(EqualityComparer<>)) || type.IsOf(typeof(Comparer<>)))
        && (!RuntimeFeature.IsDynamicCodeSupported || type.GetFields(MemberFinder.DeclaredInstance).Length > 0);

    /// <summary>
    /// Returns whether objects of a type are exceptions: their fields, also those of .NET's own classes, hold what has happened and nothing
    /// that acts.
    /// </summary>
    public static bool IsException(Type type) => typeof(Exception).IsAssignableFrom(type);

    // A closure is a class of the program's own with nothing but its captured values, and would pass for one to be written.
    private static bool IsFSharpFunction(Type type) =>
        type.Nearest(current => current is { Namespace: "Microsoft.FSharp.Core", Name: "FSharpFunc`2" or "FSharpTypeFunc" }) is not null;

    private static ValueSerializer Make(Type family, Type[] typeArguments, params object[] arguments) =>
        (ValueSerializer)ClosedTypes.Create(ClosedTypes.Close(family, typeArguments), arguments);
}
