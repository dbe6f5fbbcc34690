using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Types;
using Wire.Values;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// Keys whose hash code and comparison visit their parts: tuples, records, structs and, for structural comparers, arrays. In a payload with
/// references such a key can contain itself, or be a chain as long as the payload, and hashing it would overflow the stack or never end.
/// Hand-written equality is the program's responsibility.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
internal static class KeyStructure
{
    private static readonly ConditionalWeakTable<Type, Plan> Plans = [];

    private static readonly Plan Opaque = new(false, false, []);

    /// <summary>The part of a key that a comparer visits.</summary>
    public enum Look
    {
        /// <summary>No known part: the comparer is the program's own, or compares references.</summary>
        None,

        /// <summary>The part that the key's own equality visits.</summary>
        Own,

        /// <summary>The part that the key's own equality visits, and the elements of arrays.</summary>
        WithArrays,
    }

    /// <summary>
    /// Finds the part of a key that a comparer visits; null is the default comparer. A string comparer in a non-generic collection uses the
    /// equality of keys that are not strings.
    /// </summary>
    public static Look For(object? comparer) => comparer switch
    {
        null => Look.Own,
        ComparerPair pair => For(pair.Keys),
        ReferenceEqualityComparer => Look.None,
        _ when comparer == StructuralComparisons.StructuralEqualityComparer || comparer == StructuralComparisons.StructuralComparer =>
            Look.WithArrays,
        _ => FrameworkAssemblies.Contains(comparer.GetType().Assembly) ? Look.Own : Look.None,
    };

    /// <summary>Returns whether keys of a declared type need checking.</summary>
    public static bool MayBeStructural(Type type) =>
        !type.IsPrimitive && !type.IsEnum && type != typeof(string) && BuiltInTypes.Find(type) is not { Prefix: [not Tag.Object] };

    /// <summary>Returns whether keys of a declared type can nest to any depth.</summary>
    public static bool MayBeDeep(Type type) => MayBeDeep(type, []);

    /// <summary>Finds the part of a type's objects that their own hash code and equality visit.</summary>
    public static Plan PlanOf(Type type) => type.IsPrimitive ? Opaque : Plans.GetValue(type, Make);

    /// <summary>Refuses a key that contains itself or is too heavy.</summary>
    /// <param name="key">The key.</param>
    /// <param name="most">The maximal weight.</param>
    /// <returns>The weight of the parts that are hashed or compared.</returns>
    /// <exception cref="WireFormatException">It does.</exception>
    public static long Check(object? key, long most)
    {
        var meter = new KeyMeter(Look.Own);
        long weight = meter.Weigh(key, most);
        if (weight > most || meter.IsTooDeep)
        {
            RefuseKey();
        }

        return weight;
    }

    public static void RefuseKey() =>
        ThrowHelper.InvalidValue("key", $"it contains itself, or is too large, or has more than {KeyMeter.MaxDepth} levels");

    private static bool MayBeDeep(Type type, HashSet<Type> above)
    {
        if (!MayBeStructural(type) || type.IsArray)
        {
            return false;
        }

        if (type == typeof(object) || type == typeof(ValueType) || type.IsInterface)
        {
            return true;
        }

        if (PlanOf(type) is not { IsStructural: true } plan)
        {
            return false;
        }

        if (!above.Add(type) || !(type.IsSealed || FrameworkAssemblies.Contains(type.Assembly) || plan.IsSequence))
        {
            return true;
        }

        bool isDeep = plan.IsSequence
            ? type.GetGenericArguments().Any(argument => MayBeDeep(argument, above))
            : plan.Fields.Any(field => MayBeDeep(field.FieldType, above));
        above.Remove(type);
        return isDeep;
    }

    private static Plan Make(Type type)
    {
        if (TagTypes.Contains(type) || type.IsEnum)
        {
            return Opaque;
        }

        // Lists, sets and maps of F# are hashed and compared in a loop, without recursion.
        if (type.FullName?.StartsWith("Microsoft.FSharp.Collections.FSharp", StringComparison.Ordinal) == true
            && typeof(IEnumerable).IsAssignableFrom(type))
        {
            return new(true, true, []);
        }

        // Where native code hides the method, it may visit any part.
        MethodInfo? hash = type.GetMethod(nameof(GetHashCode), Type.EmptyTypes);
        bool isStructural = hash is null || typeof(IStructuralEquatable).IsAssignableFrom(type) || typeof(ITuple).IsAssignableFrom(type)
            || hash.DeclaringType == typeof(ValueType)
            || hash.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false)
            || type.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false);

        // A .NET class with its own equality compares strings.
        bool hasTexts = !isStructural && hash!.DeclaringType != typeof(object) && FrameworkAssemblies.Contains(type.Assembly);
        if (!isStructural && !hasTexts)
        {
            return Opaque;
        }

        FieldInfo[] all = [.. type.WithBases().SelectMany(current => current.GetFields(MemberFinder.DeclaredInstance))];
        if (all.Length == 0 && !RuntimeFeature.IsDynamicCodeSupported && FrameworkAssemblies.Contains(type.Assembly))
        {
            throw new UnsupportedTypeException(type, TrimmedAssemblies.HiddenFields(type));
        }

        FieldInfo[] fields = Array.FindAll(
            all, field => field.FieldType == typeof(string) || (isStructural && Weighs(field.FieldType)));
        return isStructural || fields.Length > 0 ? new(true, false, fields) : Opaque;
    }

    private static bool Weighs(Type type) => type == typeof(System.Numerics.BigInteger) || type == typeof(Uri) || MayBeStructural(type);

    /// <summary>The part of a type's objects that is hashed and compared.</summary>
    /// <param name="IsStructural">True if any part is.</param>
    /// <param name="IsSequence">True if the elements are.</param>
    /// <param name="Fields">The fields.</param>
    internal sealed record Plan(bool IsStructural, bool IsSequence, FieldInfo[] Fields);
}
