using System.Globalization;

namespace Wire.Contracting;

/// <summary>Reads the text of a contract, and holds each type's fingerprint against its lines.</summary>
internal sealed class ContractParser
{
    private readonly string[] _lines;
    private readonly List<(ContractType Type, int Line)> _types = [];
    private readonly List<(string Type, int Line)> _named = [];
    private int _at;

    private ContractParser(string text) => _lines = text.Split('\n');

    /// <summary>Reads a contract.</summary>
    /// <exception cref="FormatException">The text is not a contract; the message says the line.</exception>
    public static ContractTypes Parse(string text) => new ContractParser(text).Parse();

    private ContractTypes Parse()
    {
        if (NextLine() != ContractText.Header)
        {
            throw Error(
                $"it is not '{ContractText.Header}', with which a contract begins: give the text of WireContract.ToString(), or a file "
                    + "that WireContract.Save or Verify has written");
        }

        ContractTypes contract = ReadOptions(out string? line);
        while (line is not null)
        {
            int start = _at;
            ContractType type;
            try
            {
                (type, line) = ReadType(line);
            }
            catch (FormatException e) when (e.Data.Count == 0)
            {
                throw Error(e.Message);
            }

            if (!contract.TryAdd(type))
            {
                throw Error($"there is a type '{type.Key}' above it already", start);
            }

            _types.Add((type, start));
        }

        Check(contract);
        return contract;
    }

    private ContractTypes ReadOptions(out string? line)
    {
        bool isTolerant = true, hasEnumNames = true, hasConstructors = false, hasReferences = false;
        var missing = MissingMembers.Allowed;
        for (line = NextLine(); line is not null; line = NextLine())
        {
            if (TryWord(line, ContractText.Missing) is { } rule)
            {
                missing = Enum.TryParse(rule, out missing) && Enum.IsDefined(missing)
                    ? missing
                    : throw Error($"'{rule}' is no rule for missing members");
            }
            else if (line is ContractText.Strict or ContractText.Numbers or ContractText.Constructors or ContractText.References)
            {
                isTolerant &= line != ContractText.Strict;
                hasEnumNames &= line != ContractText.Numbers;
                hasConstructors |= line == ContractText.Constructors;
                hasReferences |= line == ContractText.References;
            }
            else
            {
                break;
            }
        }

        return new ContractTypes
        {
            IsTolerant = isTolerant,
            HasEnumNames = hasEnumNames,
            Missing = missing,
            HasConstructors = hasConstructors,
            HasReferences = hasReferences,
        };
    }

    private void Check(ContractTypes contract)
    {
        foreach ((string type, int line) in _named)
        {
            if (!contract.Knows(type))
            {
                throw Error($"'{type}' is neither a built-in type nor described in the contract", line);
            }
        }

        var shapes = new ContractShapes(contract);
        foreach ((ContractType type, int line) in _types)
        {
            uint computed;
            try
            {
                computed = type.HasFingerprint ? shapes.Fingerprint(type) : type.Fingerprint;
            }
            catch (FormatException e)
            {
                throw Error(e.Message, line);
            }

            if (computed != type.Fingerprint)
            {
                throw Error(
                    $"the fingerprint of '{type.Key}' is {type.Fingerprint:X8}, and its lines, with those of the types in it, give " +
                    $"{computed:X8}. Somebody has edited or merged the text: write it anew from the types", line);
            }
        }
    }

    private (ContractType Type, string? Next) ReadType(string line)
    {
        ContractType type = ReadHeader(line);
        var members = new List<ContractMember>();
        var cases = new List<ContractCase>();
        var constants = new List<ContractConstant>();
        List<ContractMember>? fields = null;
        bool hasFingerprint = false;
        for (line = NextLine()!; line is not null && line.StartsWith("  ", StringComparison.Ordinal); line = NextLine()!)
        {
            if (line.StartsWith("    ", StringComparison.Ordinal))
            {
                (fields ?? throw Error("it is a field, and no case of a union stands above it")).Add(ReadMember(line[4..]));
                continue;
            }

            string words = line[2..];
            if (TryWord(words, ContractText.Name) is { } name)
            {
                type = type with { Name = ContractWords.Unescape(name) };
            }
            else if (TryWord(words, ContractText.Former) is { } former)
            {
                type = type with { Former = [.. type.Former, ContractWords.Unescape(former)] };
            }
            else if (TryWord(words, ContractText.Known) is { } known)
            {
                type = type with { KnownAs = ReadNumber(known) };
            }
            else if (TryWord(words, ContractText.Fits) is { } fits)
            {
                _named.Add((fits, _at));
                type = type with { Bases = [.. type.Bases, fits] };
            }
            else if (TryWord(words, ContractText.Fingerprint) is { } digits)
            {
                hasFingerprint = uint.TryParse(
                    digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint fingerprint);
                type = type with { Fingerprint = hasFingerprint ? fingerprint : throw Error($"'{digits}' is no fingerprint") };
            }
            else if (type.Kind == ContractKind.Union && TryWord(words, ContractText.Case) is { } named)
            {
                fields = [];
                cases.Add(new ContractCase(ContractWords.Unescape(named), fields));
            }
            else if (type.Kind == ContractKind.Enum)
            {
                constants.Add(ReadConstant(words));
            }
            else if (type.Kind is ContractKind.Class or ContractKind.Struct)
            {
                members.Add(ReadMember(words));
            }
            else
            {
                throw Error($"'{words}' is nothing that belongs to a type of the kind '{ContractText.Describe(type.Kind)}'");
            }
        }

        if (hasFingerprint != type.HasFingerprint)
        {
            throw Error(hasFingerprint ? $"'{type.Key}' has no fingerprint of its own" : $"'{type.Key}' has no fingerprint above it");
        }

        return (type with { Members = members, Cases = cases, Constants = constants }, line);
    }

    private ContractType ReadHeader(string line)
    {
        string rest = line;
        var modifiers = new HashSet<string>();
        while (rest.IndexOf(' ', StringComparison.Ordinal) is > 0 and var space)
        {
            string word = rest[..space];
            rest = rest[(space + 1)..];
            if (word is ContractText.Root or ContractText.Sealed or ContractText.Flags or ContractText.Replaced or ContractText.ByReference)
            {
                modifiers.Add(word);
            }
            else if (!char.IsUpper(word[0]) && Enum.TryParse(word, ignoreCase: true, out ContractKind kind) && Enum.IsDefined(kind))
            {
                return ReadKey(kind, rest, modifiers);
            }
            else
            {
                break;
            }
        }

        throw Error($"'{line}' is neither the beginning of a type nor a line of one");
    }

    private ContractType ReadKey(ContractKind kind, string rest, HashSet<string> modifiers)
    {
        string behind = kind == ContractKind.Enum ? ": " : " = ";
        bool needsMore = kind is ContractKind.Enum or ContractKind.Collection or ContractKind.Value or ContractKind.Custom;
        needsMore |= kind == ContractKind.Abstract && rest.Contains(behind, StringComparison.Ordinal);
        int at = needsMore ? rest.IndexOf(behind, StringComparison.Ordinal) : rest.Length;
        if (at <= 0)
        {
            throw Error($"'{rest}' has no '{behind.Trim()}' with its {(kind == ContractKind.Enum ? "integer type" : "layout")} behind it");
        }

        string more = needsMore ? rest[(at + behind.Length)..] : "";
        var parts = new List<ContractVariable>();
        var type = new ContractType(rest[..at], kind)
        {
            IsRoot = modifiers.Contains(ContractText.Root),
            IsFlags = modifiers.Contains(ContractText.Flags),
            IsReplaced = modifiers.Contains(ContractText.Replaced),
            IsReference = kind is ContractKind.Class or ContractKind.Abstract or ContractKind.Collection or ContractKind.Custom
                || modifiers.Contains(ContractText.ByReference),
            IsClosed = modifiers.Contains(ContractText.Sealed) || kind is not (ContractKind.Class or ContractKind.Custom),
            Underlying = kind == ContractKind.Enum ? more : null,
            Layout = kind != ContractKind.Enum && needsMore ? ContractLayouts.Parse(more, parts) : null,
            Parts = parts,
        };
        if (kind == ContractKind.Enum && ContractWords.TagOf(more) is null)
        {
            throw Error($"'{more}' is not the integer type of an enum");
        }

        parts.ForEach(part => _named.Add((part.Type, _at)));
        return type;
    }

    private ContractMember ReadMember(string words)
    {
        int colon = words.IndexOf(": ", StringComparison.Ordinal);
        if (colon <= 0)
        {
            throw Error($"'{words}' is no member: it has no colon behind its name");
        }

        string rest = words[(colon + 2)..];
        int classes = rest.IndexOf(ContractText.DeclaredIn, StringComparison.Ordinal);
        string[] declaring = [];
        if (classes >= 0)
        {
            string names = rest[(classes + ContractText.DeclaredIn.Length)..];
            declaring = [.. names.Split(ContractText.Separator).Select(ContractWords.Unescape)];
            rest = rest[..classes];
        }

        bool isBase = TryCutEnd(ref rest, ContractText.Base), isRequired = TryCutEnd(ref rest, ContractText.Required);
        var variable = ContractVariable.Parse(rest);
        _named.Add((variable.Type, _at));
        return new ContractMember(ContractWords.Unescape(words[..colon]), variable)
        {
            IsRequired = isRequired,
            IsBase = isBase,
            DeclaredIn = declaring,
        };
    }

    private ContractConstant ReadConstant(string words)
    {
        int at = words.IndexOf(" = ", StringComparison.Ordinal);
        return at > 0
            && Int128.TryParse(words.AsSpan(at + 3), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out Int128 value)
            ? new ContractConstant(ContractWords.Unescape(words[..at]), value)
            : throw Error($"'{words}' is no value of an enum: it has no '=' and number behind its name");
    }

    private int ReadNumber(string digits) => int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
        ? number
        : throw Error($"'{digits}' is not the number of a known type");

    private static bool TryCutEnd(ref string rest, string end)
    {
        bool isThere = rest.EndsWith(end, StringComparison.Ordinal);
        rest = isThere ? rest[..^end.Length] : rest;
        return isThere;
    }

    private static string? TryWord(string words, string word) =>
        words.StartsWith(word, StringComparison.Ordinal) && words.Length > word.Length + 1 && words[word.Length] == ' '
            // A member of an enum may have such a name.
            && words[word.Length + 1] != '='
            ? words[(word.Length + 1)..]
            : null;

    // Remarks and empty lines are passed over; a text that went through Git on Windows may have other line ends.
    private string? NextLine()
    {
        while (_at < _lines.Length)
        {
            string line = _lines[_at++].TrimEnd('\r');
            if (line.Length > 0 && line[0] != '#')
            {
                return line;
            }
        }

        _at = _lines.Length;
        return null;
    }

    private FormatException Error(string reason, int line = 0)
    {
        var error = new FormatException($"Line {(line > 0 ? line : _at)} of the contract is damaged: {reason.TrimEnd('.')}.");
        error.Data.Add("Line", line > 0 ? line : _at);
        return error;
    }
}
