using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;

namespace Wire.Compilation;

/// <summary>The members of a type that a foreign schema lacks: told to the program, or refused, as the options say.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class AbsentMembers
{
    /// <summary>Takes note of them.</summary>
    /// <param name="steps">The steps that read the schema.</param>
    /// <param name="members">The members of the type.</param>
    /// <param name="owner">The name of the type in error messages.</param>
    /// <param name="writer">The schema.</param>
    /// <param name="context">The layouts around it.</param>
    /// <exception cref="WireFormatException">The options refuse a schema without one of them.</exception>
    public static void Check(ReadStep[] steps, WireMember[] members, string owner, Shape writer, AdaptContext context)
    {
        MissingMembers rule = context.Registry.Options.MissingMembers;
        if (rule == MissingMembers.Allowed && context.Differences is null)
        {
            return;
        }

        foreach (WireMember member in members)
        {
            if (Array.Exists(steps, step => ReferenceEquals(step.Member, member)))
            {
                continue;
            }

            context.Differences?.AddMissing(member.Name);
            Check(member, owner, (context.Above is null ? context.WriterName : null) ?? writer.ToString(), rule);
        }
    }

    /// <summary>Refuses a schema without a member, if the rule does.</summary>
    /// <param name="member">The member of the type.</param>
    /// <param name="owner">The name of the type.</param>
    /// <param name="written">The name of what was written.</param>
    /// <param name="rule">The rule of the options.</param>
    /// <exception cref="WireFormatException">The rule refuses it.</exception>
    public static void Check(WireMember member, string owner, string written, MissingMembers rule)
    {
        if (rule >= MissingMembers.RequiredRefused && ReasonFor(member, rule) is { } reason)
        {
            throw new WireFormatException(
                WireFormatError.SchemaMismatch,
                $"The writer's {written} has no member '{member.Name}', and in this program's {owner} it {reason}. Read with the "
                + $"writer's version of the type, relax the declaration of the member, or set {nameof(SerializerOptions)}."
                + $"{nameof(SerializerOptions.MissingMembers)} to {MissingMembers.Allowed}.");
        }
    }

    private static string? ReasonFor(WireMember member, MissingMembers rule)
    {
        MemberInfo? face = member.Face ?? (member.Field is { } field ? MemberFinder.FaceOf(field) : null);
        return face is null || !IsOfProgram(face.Module.Assembly) ? null
            : face.IsDefined(typeof(RequiredMemberAttribute), inherit: false) ? "is required"
            : rule == MissingMembers.NonNullRefused && IsNotNull(face) ? "may not be null"
            : null;
    }

    // The types of .NET and of this library know themselves what older versions of them lack.
    private static bool IsOfProgram(Assembly assembly) =>
        assembly != typeof(AbsentMembers).Assembly && !FrameworkAssemblies.Contains(assembly);

    private static bool IsNotNull(MemberInfo face) => face switch
    {
        FieldInfo field => !field.FieldType.IsValueType && Read(new NullabilityInfoContext().Create(field)),
        PropertyInfo property => !property.PropertyType.IsValueType && Read(new NullabilityInfoContext().Create(property)),
        _ => false,
    };

    private static bool Read(NullabilityInfo info) => info.ReadState == NullabilityState.NotNull;
}
