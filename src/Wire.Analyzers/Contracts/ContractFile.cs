using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Wire.Analyzers.Contracts;

/// <summary>
/// A contract beside the project, as far as a compiler can compare it with types: the members of classes and structs.
/// docs/contracts.md has the words of the text.
/// </summary>
internal sealed class ContractFile
{
    private const string Beginning = "wire contract 1";

    // What follows the first line, and is about all types.
    private static readonly Regex Option = new("^(with|without|missing members) ?");

    // By these, the serializer that wrote it refuses a payload without a required member.
    private static readonly Regex Refusal = new("^(without version tolerance|missing members (RequiredRefused|NonNullRefused))$");

    private static readonly Regex Header = new(
        "^((root|sealed|flags|replaced|reference) )*(?<kind>class|struct|enum|union|abstract|collection|value|custom) (?<key>.+)$");

    private static readonly Regex Detail = new("^(name|formerly|known as|is|fingerprint) (?!=)");

    private static readonly Regex Member = new("^(?<name>[^ ]+): (?<type>.+?)(?<required> required)?(?<base> as base)?(?<in> in .+)?$");

    private readonly Dictionary<string, ContractEntry> _types = new(StringComparer.Ordinal);

    private ContractFile(string path) => Path = path;

    /// <summary>Gets the path of the file.</summary>
    public string Path { get; }

    /// <summary>Gets whether the serializer that has written the contract refuses payloads without required members.</summary>
    public bool RefusesMissing { get; private set; }

    /// <summary>Gets whether a constructor makes objects whose payload lacks members.</summary>
    public bool UsesConstructors { get; private set; }

    /// <summary>Gets where the text is none of a contract, and why; null where it is one.</summary>
    public (TextLine Line, string Reason)? Damage { get; private set; }

    /// <summary>Returns whether a file beside a project is a contract, by its name.</summary>
    public static bool IsOne(AdditionalText file) => file.Path.EndsWith(".contract", StringComparison.OrdinalIgnoreCase)
        || file.Path.EndsWith(".contract.txt", StringComparison.OrdinalIgnoreCase);

    /// <summary>Reads a file; what is behind damage is left out.</summary>
    public static ContractFile Read(AdditionalText file, CancellationToken token)
    {
        var contract = new ContractFile(file.Path);
        if (file.GetText(token) is { } text)
        {
            contract.Read([.. text.Lines.Where(line => line.ToString() is { Length: > 0 } words && words[0] != '#')]);
        }

        return contract;
    }

    /// <summary>Finds a class or struct by its name in payloads, without an assembly.</summary>
    public ContractEntry? Find(string name) => Damage is null && _types.TryGetValue(name, out ContractEntry? entry) ? entry : null;

    private void Read(ImmutableArray<TextLine> lines)
    {
        if (lines.IsEmpty)
        {
            return;
        }

        if (lines[0].ToString() != Beginning)
        {
            Damage = (lines[0], $"it is not '{Beginning}', with which a contract begins");
            return;
        }

        ContractEntry? entry = null;
        bool hasType = false;
        foreach (TextLine line in lines.Skip(1))
        {
            string words = line.ToString();
            if (!words.StartsWith("  ", StringComparison.Ordinal))
            {
                Match header = Header.Match(words);
                if (header.Success)
                {
                    hasType = true;
                    entry = header.Groups["kind"].Value is "class" or "struct" && words.IndexOf("replaced ", StringComparison.Ordinal) < 0
                        ? Add(header.Groups["key"].Value, line)
                        : null;
                }
                else if (hasType || !Option.IsMatch(words))
                {
                    Damage = (line, $"'{words}' is neither the beginning of a type nor a line of one");
                }
                else
                {
                    RefusesMissing |= Refusal.IsMatch(words);
                    UsesConstructors |= words == "with constructors";
                }
            }
            else if (!hasType)
            {
                Damage = (line, "no type stands above it");
            }
            else if (entry is not null)
            {
                Read(entry, line, words.Substring(2));
            }

            if (Damage is not null)
            {
                return;
            }
        }
    }

    private void Read(ContractEntry entry, TextLine line, string words)
    {
        if (words.StartsWith("name ", StringComparison.Ordinal) && words.LastIndexOf(", ", StringComparison.Ordinal) is > 0 and var at)
        {
            entry.Assembly = words.Substring(at + 2);
        }

        if (Detail.IsMatch(words))
        {
            return;
        }

        Match member = Member.Match(words);
        if (!member.Success || Unescape(member.Groups["name"].Value) is not { } name)
        {
            Damage = (line, $"'{words}' is no member: it has no colon behind its name, or an escape in it that is not complete");
        }
        else if (!member.Groups["base"].Success)
        {
            entry.Add(name, member.Groups["type"].Value);
        }
    }

    private ContractEntry? Add(string key, TextLine line)
    {
        var entry = new ContractEntry();
        if (Unescape(key) is not { } name)
        {
            Damage = (line, $"'{key}' has an escape that is not complete");
        }
        else if (_types.ContainsKey(name))
        {
            Damage = (line, $"there is a type '{key}' above it already");
        }
        else
        {
            _types.Add(name, entry);
        }

        return entry;
    }

    // A backslash stands in front of u and four digits, or of the zero of an empty name.
    private static string? Unescape(string word)
    {
        if (word == "\\0")
        {
            return "";
        }

        var text = new StringBuilder();
        for (int i = 0; i < word.Length; i++)
        {
            if (word[i] != '\\')
            {
                text.Append(word[i]);
            }
            else if (i + 5 < word.Length && word[i + 1] == 'u' && ushort.TryParse(
                word.Substring(i + 2, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort code))
            {
                text.Append((char)code);
                i += 5;
            }
            else
            {
                return null;
            }
        }

        return text.ToString();
    }
}
