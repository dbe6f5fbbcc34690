using System.Text;
using Wire.Errors;
using Wire.Runtime;

namespace Wire;

/// <summary>
/// The differences between a type of this program and what a writer wrote of it, as passed to <see
/// cref="SerializerOptions.SchemaDifference"/>. Immutable. A member inside a value type or union that lies in another member has a path,
/// such as <c>Price.Amount</c>; elements, keys and values of a collection have that of the collection. The cases of a union count as
/// members. Of each list, at most the first 256 entries are kept.
/// </summary>
public sealed class SchemaDifference
{
    internal SchemaDifference(
        Type type,
        string? writerName,
        IReadOnlyList<string> unknownMembers,
        IReadOnlyList<string> missingMembers,
        IReadOnlyList<MemberConversion> conversions)
    {
        Type = type;
        WriterName = writerName;
        UnknownMembers = unknownMembers;
        MissingMembers = missingMembers;
        Conversions = conversions;
    }

    /// <summary>The type of this program that is read.</summary>
    public Type Type { get; }

    /// <summary>
    /// The writer's name of the type, as the payload has it, not to be trusted: at most 16,384 characters. Null when the payload does not
    /// name the type, or by the number of a known type only.
    /// </summary>
    public string? WriterName { get; }

    /// <summary>The members that the payload has and the type has not, which are passed over. Their names are not to be trusted.</summary>
    public IReadOnlyList<string> UnknownMembers { get; }

    /// <summary>The members that the type has and the payload has not, which stay zero or null, or as a constructor has set them.</summary>
    public IReadOnlyList<string> MissingMembers { get; }

    /// <summary>
    /// The members that both have and that the writer has declared as another type, so that values may not fit, and the enums whose names
    /// or values differ. An enum that a payload has as its number only is one of them where this side writes names (<see
    /// cref="SerializerOptions.EnumsByName"/>): it looks like an integer.
    /// </summary>
    public IReadOnlyList<MemberConversion> Conversions { get; }

    /// <summary>
    /// Describes the differences on one line, for logs: at most eight of each kind, with control and format characters escaped, and long
    /// names cut.
    /// </summary>
    public override string ToString()
    {
        var text = new StringBuilder(Type.ToString());
        if (WriterName is not null)
        {
            text.Append(" written as '").Append(OneLine.Show(WriterName)).Append('\'');
        }

        Append(text, "unknown", UnknownMembers.Select(name => OneLine.Show(name)));
        Append(text, "missing", MissingMembers);
        Append(text, "converted", Conversions.Select(conversion => conversion.ToString()));
        return text.ToString();
    }

    private static void Append(StringBuilder text, string what, IEnumerable<string> entries)
    {
        if (entries.Any())
        {
            text.Append(", ").Append(what).Append(' ').Append(ShortList.Show(entries));
        }
    }
}

/// <summary>A member whose type has changed, in a <see cref="SchemaDifference"/>.</summary>
/// <param name="Member">Its name or path; empty for the value itself, such as the elements of a list that the payload names.</param>
/// <param name="Writer">What the writer declared, in words, such as <c>sequence of Int32</c>: at most 1,003 characters.</param>
/// <param name="Reader">What this program declares, in the same words.</param>
public sealed record MemberConversion(string Member, string Writer, string Reader)
{
    /// <summary>Describes the conversion on one line, for logs.</summary>
    public override string ToString() =>
        $"{(Member.Length == 0 ? "the value" : OneLine.Show(Member))} from {OneLine.Show(Writer)} to {OneLine.Show(Reader)}";
}
