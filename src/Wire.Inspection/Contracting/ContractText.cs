using System.Globalization;
using System.Text;

namespace Wire.Contracting;

/// <summary>Writes a contract as the text that people review.</summary>
internal static class ContractText
{
    /// <summary>The first line of what is no remark.</summary>
    public const string Header = "wire contract 1";

    /// <summary>The line of a contract whose payloads have no schemas.</summary>
    public const string Strict = "without version tolerance";

    /// <summary>The line of a contract whose schemas have no names of enums.</summary>
    public const string Numbers = "without names of enums";

    /// <summary>The line of a contract whose types refuse payloads without some of their members.</summary>
    public const string Missing = "missing members";

    /// <summary>The line of a contract whose types are made by constructors where members are missing.</summary>
    public const string Constructors = "with constructors";

    /// <summary>The line of a contract whose payloads have an object with several references once.</summary>
    public const string References = "with object references";

    public const string Name = "name";
    public const string Former = "formerly";
    public const string Known = "known as";
    public const string Fits = "is";
    public const string Case = "case";
    public const string Fingerprint = "fingerprint";

    // Behind a member.
    public const string Required = " required";
    public const string Base = " as base";
    public const string DeclaredIn = " in ";
    public const string Separator = ", ";

    // In front of a type's kind.
    public const string Root = "root";
    public const string Sealed = "sealed";
    public const string Flags = "flags";
    public const string Replaced = "replaced";
    public const string ByReference = "reference";

    private const string Remark =
        "# Types in payloads. Review changes, and commit this file: docs/contracts.md in the package WireSerializer says how to read it.";

    /// <summary>The words of the kinds.</summary>
    public static string Describe(ContractKind kind) => kind.ToString().ToLowerInvariant();

    /// <summary>Writes all types.</summary>
    public static string Describe(ContractTypes types)
    {
        var text = new StringBuilder();
        text.Append(Remark).Append('\n').Append(Header).Append('\n');
        if (!types.IsTolerant)
        {
            text.Append(Strict).Append('\n');
        }

        if (!types.HasEnumNames)
        {
            text.Append(Numbers).Append('\n');
        }

        if (types.Missing != MissingMembers.Allowed)
        {
            text.Append(Missing).Append(' ').Append(types.Missing).Append('\n');
        }

        if (types.HasConstructors)
        {
            text.Append(Constructors).Append('\n');
        }

        if (types.HasReferences)
        {
            text.Append(References).Append('\n');
        }

        foreach (ContractType type in types.All)
        {
            text.Append('\n');
            Append(text, type);
        }

        return text.ToString();
    }

    private static void Append(StringBuilder text, ContractType type)
    {
        text.AppendJoin(' ', Modifiers(type).Append(Describe(type.Kind)).Append(type.Key));
        text.Append(
            type.Kind == ContractKind.Enum ? $": {type.Underlying}"
            : type.Layout is { } layout ? $" = {ContractLayouts.Describe(layout, type.Parts)}"
            : "").Append('\n');
        if (type.Name != type.Key)
        {
            Line(text, Name, ContractWords.EscapeLine(type.Name));
        }

        foreach (string name in type.Former)
        {
            Line(text, Former, ContractWords.EscapeLine(name));
        }

        if (type.KnownAs is { } number)
        {
            Line(text, Known, number.ToString(CultureInfo.InvariantCulture));
        }

        foreach (string name in type.Bases)
        {
            Line(text, Fits, name);
        }

        foreach (ContractMember member in type.Members)
        {
            Append(text, member, "  ");
        }

        foreach (ContractCase one in type.Cases)
        {
            Line(text, Case, ContractWords.Escape(one.Name));
            foreach (ContractMember field in one.Fields)
            {
                Append(text, field, "    ");
            }
        }

        foreach (ContractConstant constant in type.Constants)
        {
            text.Append(CultureInfo.InvariantCulture, $"  {ContractWords.Escape(constant.Name)} = {constant.Value}\n");
        }

        if (type.HasFingerprint)
        {
            Line(text, Fingerprint, type.Fingerprint.ToString("X8", CultureInfo.InvariantCulture));
        }
    }

    private static IEnumerable<string> Modifiers(ContractType type)
    {
        (bool IsSet, string Word)[] all =
        [
            (type.IsRoot, Root),
            (type.IsClosed && type.Kind is ContractKind.Class or ContractKind.Custom, Sealed),
            (type.IsFlags, Flags),
            (type.IsReplaced, Replaced),
            (type.IsReference && type.Kind == ContractKind.Union, ByReference),
        ];
        return all.Where(modifier => modifier.IsSet).Select(modifier => modifier.Word);
    }

    private static void Append(StringBuilder text, ContractMember member, string indent)
    {
        text.Append(indent).Append(ContractWords.Escape(member.Name)).Append(": ").Append(member.Variable);
        if (member.IsRequired)
        {
            text.Append(Required);
        }

        if (member.IsBase)
        {
            text.Append(Base);
        }

        if (member.DeclaredIn.Count > 0)
        {
            text.Append(DeclaredIn).AppendJoin(Separator, member.DeclaredIn.Select(ContractWords.Escape));
        }


        text.Append('\n');
    }

    private static void Line(StringBuilder text, string word, string rest) =>
        text.Append("  ").Append(word).Append(' ').Append(rest).Append('\n');
}
