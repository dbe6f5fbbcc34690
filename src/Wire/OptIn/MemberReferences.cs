using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Errors;
using Wire.Filtering;
using Wire.Format;
using Wire.Resolution;
using Wire.Runtime;
using Wire.SerializerFactories;
using Wire.Types;

namespace Wire.OptIn;

/// <summary>
/// Converts members to their records and back. The types in a record passed the filter when they were read; here the member itself is
/// checked. Thread-safe.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2060", Justification = TrimmingAdvice.Inside)]
internal sealed class MemberReferences(TypeRegistry registry)
{
    private const BindingFlags All =
        BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.FlattenHierarchy;

    // By the type with which they are unloaded, and by a common key for those that stay.
    private readonly TypeMap<ConcurrentDictionary<MemberInfo, MemberRecord>> _written = new();
    private readonly Constructed _constructed = new(registry.Options.Limits.MaxConstructedTypes, "generic methods");

    /// <summary>Makes the record of a member.</summary>
    /// <exception cref="UnsupportedTypeException">No record can represent it.</exception>
    public MemberRecord Describe(MemberInfo member) => _written
        .GetOrAdd(Owner(member), static (_, _) => new(), 0)
        .GetOrAdd(member, static (asked, self) => self.Create(asked), this);

    /// <summary>Finds the member of a record.</summary>
    /// <param name="record">The record; its types have passed the filter.</param>
    /// <param name="trusted">True if this serializer itself has written it.</param>
    /// <exception cref="TypeRefusedException">No payload may name this member.</exception>
    /// <exception cref="WireFormatException">There is no such member.</exception>
    public TMember Resolve<TMember>(in MemberRecord record, bool trusted)
        where TMember : MemberInfo
    {
        if (record.Type is null || record.Name is null || (record.Arguments is { } arguments && Array.IndexOf(arguments, null) >= 0))
        {
            return ThrowHelper.Format<TMember>(
                WireFormatError.InvalidValue, "Not a valid member: it has no type or no name, or one of its generic arguments is null.");
        }

        if (!trusted)
        {
            JudgeName(record.Declaring ?? record.Type, record.Name);
        }

        if (Find(record) is not TMember member)
        {
            return ThrowHelper.Format<TMember>(
                WireFormatError.InvalidValue,
                $"Not a valid {typeof(TMember).Name}: this program's {record.Declaring ?? record.Type} has " +
                $"no {record.Kind} '{record.Name}' with the signature '{record.Signature}'.");
        }

        if (!trusted)
        {
            JudgeFound(member);
        }

        return member;
    }

    /// <summary>Checks a member that no record has named.</summary>
    /// <param name="member">The member.</param>
    /// <param name="trusted">True if this serializer itself has written what leads to it.</param>
    /// <exception cref="TypeRefusedException">No payload may name this member.</exception>
    public void Judge(MemberInfo member, bool trusted)
    {
        if (!trusted)
        {
            JudgeName(member.DeclaringType!, member.Name);
            JudgeFound(member);
        }
    }

    private MemberRecord Create(MemberInfo member)
    {
        if (Kind(member) is not { } kind || member.DeclaringType is not { } declaring || member.ReflectedType is not { } type)
        {
            throw new UnsupportedTypeException(
                member.GetType(), $"'{member.Name}' has no type that declares it. A method that was emitted at run time, like that of a " +
                    "compiled expression, cannot be written.");
        }

        if (IsNever(declaring, member.Name))
        {
            throw new UnsupportedTypeException(
                member.GetType(), $"'{member.Name}' of {declaring} leads to all code of the program, so no reader accepts it.");
        }

        Type[]? arguments = null;
        if (member is MethodInfo { IsConstructedGenericMethod: true } method)
        {
            // The program already uses it, however many the payloads have named.
            arguments = method.GetGenericArguments();
            _constructed.Own(method.GetGenericMethodDefinition(), arguments, method);
        }

        var record =
            new MemberRecord(kind, type, type == declaring ? null : declaring, member.Name, MemberSignature.Format(member), arguments);
        return member.Equals(Find(record))
            ? record
            : throw new UnsupportedTypeException(
                member.GetType(), $"'{member.Name}' of {declaring} cannot be found again by its name and signature.");
    }

    private void JudgeName(Type type, string name)
    {
        if (Objection(type, name) is var (reason, remedy))
        {
            throw new TypeRefusedException(registry.NameOf(type), $"its member '{name}' {reason}", remedy);
        }
    }

    private void JudgeFound(MemberInfo member)
    {
        if (Objection(member) is { } objection)
        {
            throw new TypeRefusedException(
                registry.NameOf(member.DeclaringType!), $"its member '{member.Name}' {objection}", "It cannot be allowed.");
        }
    }

    // Checks that need no lookup.
    private (string Reason, string Remedy)? Objection(Type type, string name)
    {
        if (IsNever(type, name))
        {
            return ("leads to all code of the program.", "It cannot be allowed.");
        }

        Type definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        return type.IsArray
            || !FrameworkAssemblies.Contains(type.Assembly)
            || IsPlainData(definition)
            || typeof(Delegate).IsAssignableFrom(type)
            || registry.Options.TypeFilter.Types.Any(allowed => allowed == type || allowed == definition)
            ? null
            : (
                "belongs to .NET, and nothing in the program allows it.",
                $"If payloads may use the members of this type, add it to SerializerOptions.TypeFilter: " +
                $"WireTypeFilter.Default.Allow(typeof({definition.Name.Split('`')[0]})).");
    }

    // Types with a tag, collections, tuples and the like. Other types that are written as values have methods with side effects, such as
    // loading or saving a document.
    private static bool IsPlainData(Type definition) => TagTypes.Contains(definition)
        || (Families.Find(definition) is not null && definition.Namespace is { } place
            && (place.StartsWith("System.Collections", StringComparison.Ordinal) || (place == "System" && definition.IsGenericType)));

    private static string? Objection(MemberInfo member) =>
        MemberSignature.HasPointer(member) ? "has a pointer in its signature."
        : FrameworkAssemblies.Contains(member.DeclaringType!.Assembly) && !IsPublic(member) ? "belongs to .NET and is not public."
        : null;

    // Types that give access to every other member. For a delegate only its call is allowed.
    private static bool IsNever(Type type, string member) => typeof(Delegate).IsAssignableFrom(type)
        ? member != "Invoke"
        : Gadgets.Contains(type) || OptIns.Find(type) is not null;

    private static bool IsPublic(MemberInfo member) => member switch
    {
        MethodBase method => method.IsPublic,
        FieldInfo field => field.IsPublic,
        // A property that may be named may also be read; the setter is checked where it is called.
        PropertyInfo property => (property.GetGetMethod(nonPublic: true) ?? property.GetSetMethod(nonPublic: true)) is { IsPublic: true },
        EventInfo @event => @event.GetAddMethod(nonPublic: false) is not null,
        _ => false,
    };

    private static MemberKind? Kind(MemberInfo member) => member switch
    {
        MethodInfo => MemberKind.Method,
        ConstructorInfo => MemberKind.Constructor,
        FieldInfo => MemberKind.Field,
        PropertyInfo => MemberKind.Property,
        EventInfo => MemberKind.Event,
        _ => null,
    };

    private MemberInfo? Find(in MemberRecord record)
    {
        foreach (MemberInfo candidate in record.Type!.GetMember(record.Name!, All))
        {
            if (Kind(candidate) == record.Kind
                && candidate.Name == record.Name
                && candidate.DeclaringType == (record.Declaring ?? record.Type)
                && MemberSignature.Format(candidate) == record.Signature)
            {
                return record.Arguments is null ? candidate : Construct(candidate, record.Arguments);
            }
        }

        return null;
    }

    private MethodInfo? Construct(MemberInfo member, Type[] arguments) =>
        member is MethodInfo { IsGenericMethodDefinition: true } definition
        ? _constructed.Get(definition, arguments, () => definition.MakeGenericMethod(arguments))
        : null;

    private static Type Owner(MemberInfo member) => member.ReflectedType is { IsCollectible: true } type
        ? type
        : Array.Find(
            member is MethodInfo { IsConstructedGenericMethod: true } method ? method.GetGenericArguments() : [],
            argument => argument.IsCollectible) ?? typeof(object);
}
