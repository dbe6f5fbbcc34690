using System.Globalization;
using System.Text;

namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>An object without its type: the values of its members by class and name, as one release calls them.</summary>
internal sealed record PlainObject(string Id, Dictionary<(string Class, string Name), object?> Members);

/// <summary>The elements of a collection, or the keys and values of a map in turn.</summary>
internal sealed record PlainItems(FormKind Kind, List<object?> Values);

/// <summary>
/// Values apart from the types of a release: numbers as they are, enums as their number, text, and objects and collections of such.
/// </summary>
internal static class PlainValue
{
    /// <summary>Writes a value down, for comparing. What lies in no order is sorted.</summary>
    public static string Text(object? value)
    {
        var text = new StringBuilder();
        Append(text, value);
        return text.ToString();
    }

    private static void Append(StringBuilder text, object? value)
    {
        switch (value)
        {
            case null:
                text.Append("null");
                break;
            case string written:
                text.Append('"').Append(written).Append('"');
                break;
            case PlainObject plain:
                text.Append(plain.Id).Append('{');
                foreach (((string type, string name), object? member) in plain.Members
                    .OrderBy(pair => pair.Key.Class, StringComparer.Ordinal).ThenBy(pair => pair.Key.Name, StringComparer.Ordinal))
                {
                    text.Append(type).Append('.').Append(name).Append('=');
                    Append(text, member);
                    text.Append(' ');
                }

                text.Append('}');
                break;
            case PlainItems items:
                IEnumerable<string> parts = items.Kind == FormKind.Map
                    ? items.Values.Chunk(2).Select(pair => $"{Text(pair[0])}: {Text(pair[1])}")
                    : items.Values.Select(Text);
                text.Append('[')
                    .AppendJoin(", ", items.Kind == FormKind.Sequence ? parts : parts.Order(StringComparer.Ordinal))
                    .Append(']');
                break;
            default:
                text.Append(((IFormattable)value).ToString(value is float or double ? "R" : null, CultureInfo.InvariantCulture));
                break;
        }
    }
}
