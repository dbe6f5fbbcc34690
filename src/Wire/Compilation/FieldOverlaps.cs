using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.InteropServices;
using Wire.Runtime;
using Wire.Slots;

namespace Wire.Compilation;

/// <summary>
/// Fields that lie over each other in memory (<see cref="LayoutKind.Explicit"/>). A payload chooses which members it has, so that one
/// could put an object into a variable of another type; and fields that are read one after the other come back right only where every
/// bit of them is written and every pattern of bits is a value.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class FieldOverlaps
{
    private const string LeaveOut = "Leave out one of them, with [IgnoreMember], or use a surrogate for the type.";

    private const string Replace = "Use a surrogate for the type.";

    /// <summary>Checks the fields that one class of a type declares.</summary>
    /// <param name="type">The type.</param>
    /// <param name="level">It, or one of its bases.</param>
    /// <param name="members">Those that are written.</param>
    /// <exception cref="UnsupportedTypeException">Two of them may not be read over each other; the message names both.</exception>
    public static void Check(Type type, Type level, List<WireMember> members)
    {
        Placed[] fields =
        [
            .. level.GetFields(MemberFinder.DeclaredInstance)
                .Select(field => new Placed(field, members.Find(member => member.Field == field)))
                .OrderBy(field => field.Begin),
        ];
        for (int i = 0; i < fields.Length; i++)
        {
            for (int j = i + 1; j < fields.Length && fields[j].Begin < fields[i].End; j++)
            {
                Check(type, fields[i], fields[j]);
            }
        }
    }

    private static void Check(Type type, Placed first, Placed second)
    {
        if (!first.IsFilled && !second.IsFilled)
        {
            return;
        }

        if (first.HoldsReferences || second.HoldsReferences)
        {
            // What is filled alone is in the other variable too, as whatever it is.
            if (first.IsFilled && second.IsFilled)
            {
                Refuse("a payload could put an object of one into the other", LeaveOut);
            }
            else if (!(first.IsFilled ? second.Takes(first) : first.Takes(second)))
            {
                Refuse("a payload could put an object into the one that is left out which that does not hold", Replace);
            }
        }
        else if (first.IsFilled && second.IsFilled && (first.Opaque ?? second.Opaque) is { } opaque)
        {
            Refuse($"not every pattern of bits is a value of {opaque}, or not every bit of it is written", LeaveOut);
        }

        void Refuse(string reason, string advice) => throw new UnsupportedTypeException(
            type, $"its members '{first.Name}' and '{second.Name}' lie over each other in memory, and {reason}. {advice}");
    }

    // A field, and the bytes that it takes.
    [RequiresUnreferencedCode(TrimmingAdvice.Inside)]
    private sealed class Placed(FieldInfo info, WireMember? member)
    {
        private Type Type => info.FieldType;

        public int Begin { get; } = info.GetCustomAttribute<FieldOffsetAttribute>()!.Value;

        public long End => (long)Begin + InstanceSize.OfField(Type);

        public string Name => member?.Name ?? MemberFinder.FaceOf(info).Name;

        // What was not known when it was read is in a field that is no member.
        public bool IsFilled => member is not null || Type == typeof(UnknownMembers);

        public bool HoldsReferences => !Type.IsValueType || !IsUnmanaged(Type);

        // The type that is not transparent; null where all patterns of bits are values, which come back as they are.
        public Type? Opaque => IsTransparent(Type, member!.Slot) ? null : Type;

        // Whether whatever the other may hold is a value of this one, or the program has chosen it with the other's type.
        public bool Takes(Placed filled) => !Type.IsValueType && !filled.Type.IsValueType
            && (IsExact(filled.Type) || Type.IsAssignableFrom(filled.Type));

        private static bool IsExact(Type type) => type.IsArray ? IsExact(type.GetElementType()!) : type.IsSealed;

        private static bool IsTransparent(Type type, ValueSerializer slot) => slot switch
        {
            IFixedSerializer { CanFail: false } own => own.FixedSize == InstanceSize.OfField(type),
            IMemberwise { Plan: { IsWhole: true, Callbacks: null } plan } =>
                BytesOf(plan) == InstanceSize.OfField(type)
                && Array.TrueForAll(plan.Members, part => IsTransparent(part.Field!.FieldType, part.Slot)),
            _ => false,
        };

        // Those that belong to a member.
        private static long BytesOf(TypePlan plan)
        {
            if (!plan.Type.IsExplicitLayout)
            {
                return plan.Members.Sum(part => (long)InstanceSize.OfField(part.Field!.FieldType));
            }

            (long bytes, long end) = (0, 0);
            foreach (Placed part in plan.Members.Select(part => new Placed(part.Field!, part)).OrderBy(part => part.Begin))
            {
                bytes += Math.Max(0, part.End - Math.Max(part.Begin, end));
                end = Math.Max(end, part.End);
            }

            return bytes;
        }

        private static bool IsUnmanaged(Type type) => type.IsPrimitive || type.IsEnum || type.IsPointer
            || Array.TrueForAll(
                type.GetFields(MemberFinder.DeclaredInstance), part => part.FieldType.IsValueType && IsUnmanaged(part.FieldType));
    }
}
