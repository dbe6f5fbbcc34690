using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using Wire.Format;
using Wire.Runtime;

namespace Wire.ValueSerializers.Enums;

/// <summary>
/// The shapes of enums: with names for those of programs, while .NET never gives a name another value, nor does this library inside its own
/// layouts.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
internal static class EnumShapes
{
    /// <summary>Makes the shape of an enum.</summary>
    /// <param name="type">The enum.</param>
    /// <param name="integer">The tag of its underlying type.</param>
    /// <exception cref="UnsupportedTypeException">Two of its members have one name, or one has a name that is not well formed.</exception>
    public static Shape Create(Type type, byte integer)
    {
        if (!EnumMember.IsInteger(integer) || FrameworkAssemblies.Contains(type.Assembly)
            || (!type.IsVisible && type.Assembly == typeof(EnumShapes).Assembly))
        {
            return Shape.BuiltIn(integer);
        }

        var members = new List<EnumMember>();
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Static))
        {
            if (!field.IsLiteral)
            {
                continue;
            }

            string name = field.GetCustomAttribute<WireNameAttribute>()?.Name ?? field.Name;
            NameText.Check(type, field.Name, name);
            if (!names.Add(name))
            {
                throw new UnsupportedTypeException(
                    type, $"two of its members have the name '{name}' on the wire. Give each a name of its own, by [WireName].");
            }

            members.Add(new EnumMember(name, BitsOf(field.GetRawConstantValue()!) & EnumMember.MaxBits(integer)));
        }

        members.Sort(static (x, y) =>
            x.Bits != y.Bits ? x.Bits.CompareTo(y.Bits) : string.CompareOrdinal(x.Name, y.Name));
        return members.Count == 0 ? Shape.BuiltIn(integer) : Shape.Enum(integer, [.. members]);
    }

    private static ulong BitsOf(object value) => value is ulong bits
        ? bits
        : unchecked((ulong)Convert.ToInt64(value, CultureInfo.InvariantCulture));
}
