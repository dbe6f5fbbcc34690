using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Wire.Resolution;
using Wire.Runtime;
using Wire.Types;

namespace Wire.Compilation;

/// <summary>
/// Finds the written members of a complex type: all instance fields of the type and its base classes, in ordinal order of their names on
/// the wire. The backing field of an automatic property has the property's name.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
internal static class MemberFinder
{
    public const BindingFlags DeclaredInstance =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    // The flag of [NonSerialized]; only this way of reading it avoids an obsolete API.
    private const FieldAttributes NotSerialized = (FieldAttributes)0x0080;

    /// <summary>Finds the members of a type. A name that several classes of the type have is written with the class.</summary>
    /// <param name="type">The type.</param>
    /// <param name="options">The names of classes, and the members that are left out.</param>
    /// <param name="registry">What writes the type; null where only the types that need no option count.</param>
    public static List<NamedField> Fields(Type type, SerializerOptions options, TypeRegistry? registry = null)
    {
        if (options.RowOf(type)?.Code is ToldMember.ITeller code && Told(type, code, options) is { } told)
        {
            return told;
        }

        var members = new List<NamedField>();
        Type? part = SerializerSource.Library.BasePartOf(type);
        for (Type? current = type; current is not null && current != part; current = current.BaseType)
        {
            FieldInfo[] fields = current.GetFields(DeclaredInstance);
            if (fields.Length == 0 && typeof(Exception).IsAssignableFrom(current) && FrameworkExceptions.MayHideFields(current))
            {
                throw new UnsupportedTypeException(current, TrimmedAssemblies.HiddenFields(current));
            }

            // The compiler keeps no field of a generic type whose constraints its own stand-in for arguments does not meet.
            if (fields.Length == 0 && !RuntimeFeature.IsDynamicCodeSupported && current.IsConstructedGenericType
                && !FrameworkAssemblies.Contains(current.Assembly) && !options.Types.Contains(type))
            {
                throw ClosedTypes.Unseen(type, null);
            }

            PropertyInfo[]? properties = null;
            foreach (FieldInfo field in fields)
            {
                MemberInfo face = FaceOf(field, ref properties);
                Type[]? ofField = RuntimeFeature.IsDynamicCodeSupported ? null : AttributesOf(field);
                Type[]? ofFace = RuntimeFeature.IsDynamicCodeSupported ? null : AttributesOf(face);
                try
                {
                    if ((options.IgnoreDelegateMembers && IsDelegateOfProgram(field))
                        || (IsDetail(field)
                            ? !SerializerSource.Library.IsKept(field, registry)
                            : field.Attributes.HasFlag(NotSerialized) || IsIgnored(field, ofField) || IsIgnored(face, ofFace)
                                || (field.FieldType == typeof(UnknownMembers) && typeof(IUnknownMembers).IsAssignableFrom(type))))
                    {
                        continue;
                    }
                }
                catch (TypeLoadException) when (type.IsConstructedGenericType)
                {
                    // Its message has the whole name, of a megabyte.
                    throw new UnsupportedTypeException(
                        type,
                        $"the runtime cannot load the type of its field {field.Name}, which holds ever larger types, or is missing in its "
                            + "assembly. Leave out the field, with [IgnoreMember], or use a surrogate for the type that has it.");
                }

                string? given = (GivenName(field, ofField) ?? GivenName(face, ofFace))?.Name;
                if (given is not null)
                {
                    NameText.Check(type, face.Name, given);
                }

                string name = given ?? WithoutPrefix(face.Name, field.DeclaringType!);
                members.Add(new NamedField(field, field.FieldType, name, given is not null));
            }
        }

        var names = new HashSet<string>(members.Count, StringComparer.Ordinal);
        var alike = new HashSet<string>(StringComparer.Ordinal);
        foreach (NamedField member in members)
        {
            if (!names.Add(member.PlainName))
            {
                alike.Add(member.PlainName);
            }
        }

        names.Clear();
        foreach (NamedField member in members)
        {
            if (!member.IsGiven && alike.Contains(member.PlainName))
            {
                member.Name = $"{member.PlainName}@{TypeNames.NameOfClass(member.Field.DeclaringType!, options.TypeAliases)}";
            }

            if (!names.Add(member.Name))
            {
                throw new UnsupportedTypeException(
                    type, $"two of its members have the name '{member.Name}' on the wire. Give each a name of its own, by [WireName].");
            }
        }

        members.Sort();
        return members;
    }

    // Where generated code knows all fields, neither their attributes nor their types are looked up, which native code has no index for.
    // Null where there are others, which the sources did not show or which are left out, and where a name is refused or that of two.
    private static List<NamedField>? Told(Type type, ToldMember.ITeller code, SerializerOptions options)
    {
        var fields = new Dictionary<string, FieldInfo>();
        for (Type? current = type; current is not null; current = current.BaseType)
        {
            foreach (FieldInfo field in current.GetFields(DeclaredInstance))
            {
                if (!fields.TryAdd(field.Name, field))
                {
                    return null;
                }
            }
        }

        if (code.Tell(fields.Count) is not { } told)
        {
            return null;
        }

        var members = new List<NamedField>(told.Count);
        foreach (ToldMember member in told)
        {
            if (!fields.TryGetValue(member.Field, out FieldInfo? field) || field.DeclaringType != member.Owner
                || (member.Given is not null && !NameText.IsWellFormed(member.Given))
                || (options.IgnoreDelegateMembers && typeof(Delegate).IsAssignableFrom(member.Type)))
            {
                return null;
            }

            string name = member.Given ?? WithoutPrefix(PropertyOf(field.Name) ?? field.Name, member.Owner);
            members.Add(new NamedField(field, member.Type, name, member.Given is not null));
        }

        members.Sort();
        for (int i = 1; i < members.Count; i++)
        {
            if (members[i].Name == members[i - 1].Name)
            {
                return null;
            }
        }

        return members;
    }

    /// <summary>Returns what the program declares: the automatic property that a field belongs to, or the field.</summary>
    public static MemberInfo FaceOf(FieldInfo field)
    {
        PropertyInfo[]? properties = null;
        return FaceOf(field, ref properties);
    }

    // The properties of the declaring class are found once for all of its fields.
    private static MemberInfo FaceOf(FieldInfo field, ref PropertyInfo[]? properties)
    {
        if (PropertyOf(field.Name) is { } property)
        {
            foreach (PropertyInfo each in properties ??= field.DeclaringType!.GetProperties(DeclaredInstance))
            {
                if (each.Name == property)
                {
                    return each;
                }
            }
        }

        return field;
    }

    // The C#, F# and Visual Basic compilers name backing fields in these ways.
    private static string? PropertyOf(string name)
    {
        int end = name.IndexOf('>', StringComparison.Ordinal);
        return name.StartsWith('<') && end > 1 && name.AsSpan(end + 1) is "k__BackingField" or "i__Field" ? name[1..end]
            : name.EndsWith('@') ? name[..^1]
            : null;
    }

    /// <summary>
    /// Returns whether an exception of .NET declares a field: it may hold what is bound to its process, whatever attributes it has.
    /// </summary>
    public static bool IsDetail(FieldInfo field) =>
        typeof(Exception).IsAssignableFrom(field.DeclaringType) && FrameworkAssemblies.Contains(field.DeclaringType!.Assembly);

    // The fields of System.Tuple have a prefix that their properties lack.
    private static string WithoutPrefix(string name, Type owner) =>
        name.StartsWith("m_", StringComparison.Ordinal) && typeof(ITuple).IsAssignableFrom(owner) ? name[2..] : name;

    // What types of .NET hold, such as tuples and pairs, are elements.
    private static bool IsDelegateOfProgram(FieldInfo field) =>
        typeof(Delegate).IsAssignableFrom(field.FieldType) && !FrameworkAssemblies.Contains(field.DeclaringType!.Assembly);

    private static bool IsIgnored(MemberInfo member, Type[]? attributes) =>
        Has(member, attributes, typeof(IgnoreMemberAttribute)) || Has(member, attributes, typeof(IgnoreDataMemberAttribute));

    private static WireNameAttribute? GivenName(MemberInfo member, Type[]? attributes) =>
        Has(member, attributes, typeof(WireNameAttribute)) ? member.GetCustomAttribute<WireNameAttribute>() : null;

    // In native code each question after one attribute costs a search for the types of all, so that they are found once.
    private static Type[] AttributesOf(MemberInfo member) => [.. member.CustomAttributes.Select(attribute => attribute.AttributeType)];

    // Only an override could inherit an attribute; checking whether the attribute is inherited costs more than the rest.
    private static bool Has(MemberInfo member, Type[]? attributes, Type attribute)
    {
        if (member is PropertyInfo property)
        {
            foreach (MethodInfo accessor in property.GetAccessors(nonPublic: true))
            {
                if (accessor.IsVirtual)
                {
                    return Attribute.IsDefined(member, attribute);
                }
            }
        }

        return attributes is null ? member.IsDefined(attribute, inherit: false) : Array.IndexOf(attributes, attribute) >= 0;
    }
}
