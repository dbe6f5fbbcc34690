using System.Globalization;
using System.Text;
using Wire.Compilation;
using Wire.Format;
using Wire.Resolution;
using Wire.Runtime;

namespace Wire.Contracting;

/// <summary>The words of a contract: types as C# writes them, and names with their unusual characters escaped.</summary>
internal static class ContractWords
{
    /// <summary>The namespace that words leave out.</summary>
    public const string Collections = "System.Collections.Generic.";

    private const string Nothing = "\\0";

    private static readonly Dictionary<string, byte> Tags = TagTypes.All.ToDictionary(
        row => CSharpNames.KeywordOf(row.Type) ?? row.Type.Name, row => row.Tag, StringComparer.Ordinal);

    /// <summary>Finds the tag of a built-in type by its words.</summary>
    public static byte? TagOf(string words) => Tags.TryGetValue(words, out byte tag) ? tag : null;

    /// <summary>Gets a built-in type in words.</summary>
    public static string NameOf(byte tag) => TagTypes.TypeOf(tag) is var type ? CSharpNames.KeywordOf(type) ?? type.Name : "";

    /// <summary>Gets a type in words of C#, by its name in payloads.</summary>
    /// <param name="type">The type.</param>
    /// <param name="aliases">The names of types.</param>
    /// <param name="names">The names of the elements of tuples in it, which are taken from the queue.</param>
    public static string Describe(Type type, TypeAliases aliases, Queue<string?>? names = null)
    {
        if (TagTypes.Contains(type) && !type.IsSZArray)
        {
            return CSharpNames.KeywordOf(type) ?? type.Name;
        }

        if (aliases.Find(type) is { } alias)
        {
            return Escape(alias);
        }

        if (Nullable.GetUnderlyingType(type) is { } value)
        {
            return Describe(value, aliases, names) + "?";
        }

        if (type.IsArray)
        {
            int rank = type.GetArrayRank();
            return Describe(type.GetElementType()!, aliases, names)
                + (type.IsSZArray ? "[]" : rank == 1 ? "[*]" : $"[{new string(',', rank - 1)}]");
        }

        Type[] arguments = type.IsConstructedGenericType ? type.GetGenericArguments() : [];
        if (arguments.Length > 1 && TupleNames.IsTuple(type) && TupleNames.CountIn(type) is not null)
        {
            string?[] own = [.. arguments.Select(_ => names is { Count: > 0 } ? names.Dequeue() : null)];
            IEnumerable<string> elements = arguments.Zip(
                own, (argument, name) => Describe(argument, aliases, names) + (name is null ? "" : $" {Escape(name)}"));
            return $"({string.Join(", ", elements)})";
        }

        string list = string.Join(", ", arguments.Select(argument => Describe(argument, aliases, names)));
        return arguments.Length == 0 ? Definition(type, aliases) : $"{Definition(type.GetGenericTypeDefinition(), aliases)}<{list}>";
    }

    /// <summary>Takes a generic type in words apart.</summary>
    /// <returns>The words of the definition, and those of its arguments; none for another type.</returns>
    public static (string Definition, string[] Arguments) Split(string words)
    {
        int open = words.IndexOf('<', StringComparison.Ordinal);
        if (open <= 0 || !words.EndsWith('>'))
        {
            return (words, []);
        }

        var arguments = new List<string>();
        int depth = 0, start = open + 1;
        for (int i = start; i < words.Length; i++)
        {
            if ((words[i] == ',' && depth == 0) || i == words.Length - 1)
            {
                arguments.Add(words[start..i].Trim());
                start = i + 1;
            }

            depth += words[i] is '<' or '(' or '[' ? 1 : words[i] is '>' or ')' or ']' ? -1 : 0;
        }

        return (words[..open], [.. arguments]);
    }

    /// <summary>Writes a name so that it is one word: everything but letters, digits and a few signs is escaped.</summary>
    public static string Escape(string name) => name.Length == 0 ? Nothing : Escape(
        name, c => char.IsLetterOrDigit(c) || c is '_' or '.' or '`' or '+' or '@' or '<' or '>' or '-' or '/' or '$');

    /// <summary>Writes a text so that it is one line, which <see cref="Unescape"/> reads.</summary>
    public static string EscapeLine(string text) => Escape(text, c => c != '\\' && IsOfLine(c));

    /// <summary>Returns a text for people that is one line, whatever names are in it.</summary>
    public static string OneLine(string text) => Escape(text, IsOfLine);

    /// <summary>Reads what one of the two has written.</summary>
    /// <exception cref="FormatException">An escape is not complete.</exception>
    public static string Unescape(string word)
    {
        if (word == Nothing)
        {
            return "";
        }

        var text = new StringBuilder();
        for (int i = 0; i < word.Length; i++)
        {
            if (word[i] != '\\')
            {
                text.Append(word[i]);
                continue;
            }

            if (i + 5 >= word.Length || word[i + 1] != 'u'
                || !ushort.TryParse(word.AsSpan(i + 2, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort code))
            {
                throw new FormatException($"'{word}' has a backslash without the four hexadecimal digits of a character behind \\u.");
            }

            text.Append((char)code);
            i += 5;
        }

        return text.ToString();
    }

    private static bool IsOfLine(char c) => !char.IsControl(c) && !char.IsSurrogate(c) && c is not ('\u2028' or '\u2029');

    private static string Escape(string name, Predicate<char> isPlain)
    {
        if (name.All(c => isPlain(c)))
        {
            return name;
        }

        var text = new StringBuilder();
        foreach (char c in name)
        {
            text.Append(isPlain(c) ? c.ToString() : $"\\u{(int)c:X4}");
        }

        return text.ToString();
    }

    // Without the assembly, and the number of arguments of a generic type; those of the types around it stay.
    private static string Definition(Type definition, TypeAliases aliases)
    {
        string name = TypeNames.GetDefinitionName(definition, aliases);
        int assembly = name.IndexOf(", ", StringComparison.Ordinal);
        name = assembly < 0 ? name : name[..assembly];
        int arity = name.LastIndexOf('`');
        name = arity > 0 && name.AsSpan(arity).IndexOf('+') < 0 ? name[..arity] : name;
        return Escape(name.StartsWith(Collections, StringComparison.Ordinal) ? name[Collections.Length..] : name);
    }
}
