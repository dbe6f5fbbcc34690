using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Amqp.Bodies;

/// <summary>
/// The names of bodies' types in messages, for other clients to route by: the full name as C# writes it, such as
/// <c>Shop.Envelope&lt;Shop.OrderPlaced&gt;</c>, without assemblies. Readers do not use it: a Wire body names its own types.
/// </summary>
internal sealed class BodyTypeNames
{
    // By type, for its lifetime. A name that does not fit a short string is omitted rather than cut, because a cut name could be another
    // type's.
    private static readonly ConditionalWeakTable<Type, Name> Names = [];

    // The last one, because messages of one type are often consecutive. It keeps no collectible type alive.
    private Name? _last;

    /// <summary>The name of a type; none when it takes more than 255 bytes.</summary>
    public Name GetName(Type type) => _last is { } last && ReferenceEquals(last.Type, type) ? last : Find(type);

    /// <summary>The same, without the last one.</summary>
    public static Name NameOf(Type type) => Names.GetValue(type, Make);

    private Name Find(Type type)
    {
        Name name = NameOf(type);
        if (name.Type is not null)
        {
            _last = name;
        }

        return name;
    }

    private static Name Make(Type type)
    {
        string name = Append(new StringBuilder(), type).ToString();
        byte[] encoded = Encoding.UTF8.GetBytes(name);
        return new Name(
            type.IsCollectible ? null : type,
            encoded.Length <= byte.MaxValue ? name : null,
            encoded.Length <= byte.MaxValue ? new AmqpString(encoded) : default);
    }

    private static StringBuilder Append(StringBuilder name, Type type)
    {
        if (type.IsArray)
        {
            return Append(name, type.GetElementType()!).Append('[').Append(',', type.GetArrayRank() - 1).Append(']');
        }

        if (!type.IsGenericType)
        {
            return name.Append(type.FullName);
        }

        string full = type.GetGenericTypeDefinition().FullName!;
        Type[] arguments = type.GetGenericArguments();
        int used = 0;
        foreach (string part in full.Split('+'))
        {
            int tick = part.IndexOf('`', StringComparison.Ordinal);
            name.Append(tick < 0 ? part : part[..tick]);
            if (tick >= 0)
            {
                int count = int.Parse(part.AsSpan(tick + 1), System.Globalization.CultureInfo.InvariantCulture);
                AppendArguments(name, arguments.AsSpan(used, count));
                used += count;
            }

            name.Append('+');
        }

        name.Length--;
        return name;
    }

    private static void AppendArguments(StringBuilder name, ReadOnlySpan<Type> arguments)
    {
        name.Append('<');
        foreach (Type argument in arguments)
        {
            Append(name, argument).Append(',');
        }

        name[^1] = '>';
    }

    /// <summary>The name as text and encoded, with the type if that may be kept.</summary>
    public sealed record Name(Type? Type, string? String, AmqpString Text);
}
