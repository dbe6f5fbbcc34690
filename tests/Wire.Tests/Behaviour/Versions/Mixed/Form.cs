namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>The kinds of what a member holds.</summary>
internal enum FormKind
{
    Number,
    Text,
    Enum,
    Maybe,
    Object,
    Sequence,
    Set,
    Map,
}

/// <summary>The type of a member in one release, as the table of contracts has it: <c>List&lt;State?&gt;</c>.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Name">The name of the number, enum, class or collection.</param>
/// <param name="Key">The type of keys.</param>
/// <param name="Element">The type of elements, of values, or of what may be null.</param>
internal sealed record Form(FormKind Kind, string Name, Form? Key = null, Form? Element = null)
{
    public static readonly Dictionary<string, Type> Numbers = new()
    {
        ["sbyte"] = typeof(sbyte),
        ["byte"] = typeof(byte),
        ["short"] = typeof(short),
        ["ushort"] = typeof(ushort),
        ["int"] = typeof(int),
        ["uint"] = typeof(uint),
        ["long"] = typeof(long),
        ["ulong"] = typeof(ulong),
        ["Int128"] = typeof(Int128),
        ["float"] = typeof(float),
        ["double"] = typeof(double),
        ["decimal"] = typeof(decimal),
    };

    /// <summary>Parses a type of the table.</summary>
    /// <param name="text">The type.</param>
    /// <param name="isEnum">Whether a name is that of an enum.</param>
    public static Form Parse(string text, Predicate<string> isEnum)
    {
        if (text.EndsWith('?'))
        {
            return new(FormKind.Maybe, "", Element: Parse(text[..^1], isEnum));
        }

        if (text.EndsWith("[]", StringComparison.Ordinal))
        {
            return new(FormKind.Sequence, "[]", Element: Parse(text[..^2], isEnum));
        }

        int open = text.IndexOf('<', StringComparison.Ordinal);
        if (open < 0)
        {
            FormKind kind = Numbers.ContainsKey(text) ? FormKind.Number
                : text == "string" ? FormKind.Text
                : isEnum(text) ? FormKind.Enum : FormKind.Object;
            return new(kind, text);
        }

        (string name, string arguments) = (text[..open], text[(open + 1)..^1]);
        if (name.EndsWith("Dictionary", StringComparison.Ordinal))
        {
            int comma = arguments.IndexOf(',', StringComparison.Ordinal);
            return new(FormKind.Map, name, Parse(arguments[..comma], isEnum), Parse(arguments[(comma + 1)..], isEnum));
        }

        return new(
            name.EndsWith("Set", StringComparison.Ordinal) ? FormKind.Set : FormKind.Sequence, name, Element: Parse(arguments, isEnum));
    }
}
