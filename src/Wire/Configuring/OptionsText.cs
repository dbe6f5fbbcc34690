using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using Wire.Errors;

namespace Wire.Configuring;

/// <summary>The text of options as one line of a log: only differences from the default, with lists shortened.</summary>
internal static class OptionsText
{
    /// <summary>Describes options by their public properties.</summary>
    /// <param name="options">The options.</param>
    /// <param name="defaults">The default options.</param>
    public static string Describe<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(T options, T defaults)
        where T : class
    {
        IEnumerable<string> differing = typeof(T).GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Select(property => (property.Name, Value: property.GetValue(options), Default: property.GetValue(defaults)))
            .Where(option => !Equals(option.Value, option.Default))
            .Select(option => $"{option.Name} = {Value(option.Value)}");
        return $"{typeof(T).Name} {{ {string.Join(", ", differing.DefaultIfEmpty("default"))} }}";
    }

    // Only the type of the program's own objects: their text may be long, secret or an exception.
    private static string Value(object? value) => value switch
    {
        null => "null",
        Delegate => "set",
        KnownTypes known => ShortList.Show(
            known.Select(entry => string.Create(CultureInfo.InvariantCulture, $"{entry.Key}: {entry.Value}"))),
        WireTypes types => ShortList.Show(types.Select(row => row.ToString())),
        ImmutableArray<Surrogate> surrogates => List(surrogates),
        ImmutableArray<ValueSerializerFactory> factories => List(factories),
        ImmutableArray<object> objects => List(objects),
        int or long => ((IFormattable)value).ToString(null, CultureInfo.InvariantCulture),
        bool or Enum or Limits or WireTypeFilter or TypeAliases or Surrogate => value.ToString()!,
        _ => value.GetType().ToString(),
    };

    // A default ImmutableArray cannot be enumerated, and a serializer refuses it.
    private static string List<T>(ImmutableArray<T> list) => list.IsDefault ? "unset" : ShortList.Show(list.Select(entry => Value(entry)));
}
