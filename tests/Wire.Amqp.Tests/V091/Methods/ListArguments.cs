using System.Globalization;
using System.Numerics;
using System.Text.RegularExpressions;
using Wire.Amqp.V091;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.Tests.V091.Methods;

/// <summary>Lists the arguments of a method: their domains with their names, and their values.</summary>
internal readonly partial struct ListArguments(List<(string Domain, string Name, string Value)> items) : IArguments
{
    public IEnumerable<string> Domains => items.Select(item => $"{item.Domain} {item.Name}");

    public IEnumerable<string> Values => items.Select(item => $"{item.Name} {item.Value}");

    /// <summary>
    /// As the protocol writes the names that are written thus in C#: routing-key and RoutingKey, reserved-1 and reserved1.
    /// </summary>
    public static string Kebab(string name) => WordStart().Replace(name[(name.LastIndexOf('.') + 1)..], "-$0").ToLowerInvariant();

    public void Number<T>(ref T value, string name)
        where T : unmanaged, IBinaryInteger<T> => Add(
            value switch { byte => "octet", ushort => "short", uint => "long", ulong => "longlong", _ => typeof(T).Name },
            name,
            value.ToString(null, CultureInfo.InvariantCulture));

    public void Bit(ref bool value, string name) => Add("bit", name, value.ToString());

    public void ShortString(ref AmqpString value, string name) => Add("shortstr", name, Convert.ToHexString(value.Utf8.Span));

    public void LongString(ref AmqpString value, string name) => Add("longstr", name, Convert.ToHexString(value.Utf8.Span));

    public void Table(ref FieldTable value, string name) => Add("table", name, Convert.ToHexString(value.Encoded.Span));

    private void Add(string domain, string name, string value) => items.Add((domain, Kebab(name), value));

    [GeneratedRegex("(?<!^)[A-Z0-9]")]
    private static partial Regex WordStart();
}
