using System.Globalization;
using Wire.Format;

namespace Wire.Contracting;

/// <summary>Layouts in words, such as <c>map of string to int</c>.</summary>
internal static class ContractLayouts
{
    private const string NullableWord = "nullable ";
    private const string SequenceWords = "sequence of ";
    private const string SetWords = "set of ";
    private const string ArrayWords = "array of ";
    private const string MapWords = "map of ";
    private const string TaggedWord = "tagged ";
    private const string MemberWord = "member ";
    private const string MemberType = ": ";
    private const string Alike = "like ";
    private const string AnyTagged = "tagged";
    private const string FramedWord = "framed";
    private const string BytesWord = " bytes";
    private const string To = " to ";
    private const string Layout = "layout ";

    /// <summary>Describes a layout, with its parts in their places.</summary>
    public static string Describe(Shape layout, IReadOnlyList<ContractVariable> parts) =>
        layout.Code == ShapeCode.Recursion ? Alike + parts[layout.Size] : Inner(layout, parts);

    /// <summary>Reads a layout.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static Shape Parse(string words, List<ContractVariable> parts) =>
        Rest(words, Alike) is { } alike ? Part(alike, parts) : ParseInner(words, parts);

    private static string Inner(Shape layout, IReadOnlyList<ContractVariable> parts) => layout.Code switch
    {
        ShapeCode.Recursion => parts[layout.Size].ToString(),
        ShapeCode.Nullable => NullableWord + Inner(layout.Element!, parts),
        ShapeCode.Sequence => SequenceWords + Inner(layout.Element!, parts),
        ShapeCode.Set => SetWords + Inner(layout.Element!, parts),
        ShapeCode.Array => ArrayWords + Inner(layout.Element!, parts),
        ShapeCode.Map => $"{MapWords}{Inner(layout.Element!, parts)}{To}{Inner(layout.Value!, parts)}",
        ShapeCode.Members when layout.Members is [var member] =>
            $"{MemberWord}{ContractWords.Escape(member.Name)}{MemberType}{Inner(member.Shape, parts)}",
        ShapeCode.Tagged when layout.Element!.Code != ShapeCode.None => TaggedWord + Inner(layout.Element!, parts),
        ShapeCode.Tagged => AnyTagged,
        ShapeCode.Framed => FramedWord,
        ShapeCode.Fixed => layout.Size.ToString(CultureInfo.InvariantCulture) + BytesWord,
        // What is left is rare: layouts of members that no contract has a type for.
        _ when TagTypes.IsTag(layout.Code) => Layout + ContractWords.NameOf(layout.Code),
        _ => Layout + Convert.ToHexString(layout.Encode()),
    };

    private static Shape ParseInner(string words, List<ContractVariable> parts)
    {
        if (Rest(words, NullableWord) is { } nullable)
        {
            return Shape.Nullable(ParseInner(nullable, parts));
        }

        if (Rest(words, SequenceWords) is { } sequence)
        {
            return Shape.Sequence(ParseInner(sequence, parts));
        }

        if (Rest(words, SetWords) is { } set)
        {
            return Shape.Set(ParseInner(set, parts));
        }

        if (Rest(words, ArrayWords) is { } array)
        {
            return Shape.Array(ParseInner(array, parts));
        }

        if (Rest(words, MapWords) is { } map && map.IndexOf(To, StringComparison.Ordinal) is > 0 and var at)
        {
            Shape key = ParseInner(map[..at], parts);
            return Shape.Map(key, ParseInner(map[(at + To.Length)..], parts));
        }

        if (Rest(words, MemberWord) is { } member && member.IndexOf(MemberType, StringComparison.Ordinal) is >= 0 and var colon)
        {
            return Shape.FromMembers(
                [new ShapeMember(ContractWords.Unescape(member[..colon]), ParseInner(member[(colon + MemberType.Length)..], parts))]);
        }

        if (Rest(words, TaggedWord) is { } tagged)
        {
            return Shape.Tagged(ParseInner(tagged, parts));
        }

        if (Rest(words, Layout) is { } other)
        {
            return ContractWords.TagOf(other) is { } tag ? Shape.BuiltIn(tag) : Encoded(other);
        }

        return words switch
        {
            AnyTagged => Shape.TaggedOnly,
            FramedWord => Shape.Framed,
            _ when words.EndsWith(BytesWord, StringComparison.Ordinal)
                && int.TryParse(words[..^BytesWord.Length], NumberStyles.None, CultureInfo.InvariantCulture, out int size)
                && size > 0 => Shape.Fixed(size),
            _ => Part(words, parts),
        };
    }

    private static Shape Encoded(string digits)
    {
        try
        {
            var parser = new ShapeParser(Convert.FromHexString(digits));
            Shape shape = parser.ReadShape();
            return parser.AtEnd ? shape : throw new FormatException($"'{digits}' has bytes behind a layout");
        }
        catch (WireFormatException e)
        {
            throw new FormatException($"'{digits}' is no layout: {e.Message}", e);
        }
    }

    private static Shape Part(string words, List<ContractVariable> parts)
    {
        parts.Add(ContractVariable.Parse(words));
        return Shape.Recursion(parts.Count - 1);
    }

    private static string? Rest(string words, string start) =>
        words.StartsWith(start, StringComparison.Ordinal) ? words[start.Length..] : null;
}
