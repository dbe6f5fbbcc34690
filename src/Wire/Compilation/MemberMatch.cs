using Wire.Errors;
using Wire.Format;
using Wire.Resolution;

namespace Wire.Compilation;

/// <summary>
/// The members of a writer's schema and those of a type, matched: by their names, and by their classes where several classes of a type have
/// a member of one name. Where neither says which is which, nothing is guessed.
/// </summary>
internal static class MemberMatch
{
    /// <summary>Finds the member of the type that each written one is; null where it has none.</summary>
    /// <param name="written">The writer's members.</param>
    /// <param name="members">Those of the type.</param>
    /// <param name="owner">The name of the type in error messages.</param>
    /// <param name="aliases">The names that classes have and had.</param>
    /// <exception cref="WireFormatException">A name is ambiguous.</exception>
    public static WireMember?[] Find(ShapeMember[] written, WireMember[] members, string owner, TypeAliases aliases)
    {
        var found = new WireMember?[written.Length];
        Dictionary<string, WireMember> left = members.ToDictionary(member => member.Name, StringComparer.Ordinal);
        for (int i = 0; i < written.Length; i++)
        {
            left.Remove(written[i].Name, out found[i]);
        }

        for (int i = 0; i < written.Length && left.Count > 0; i++)
        {
            if (found[i] is null && Class(written[i].Name) is { } name
                && left.Values.FirstOrDefault(member => IsIn(member, Plain(written[i].Name), name, aliases)) is { } member)
            {
                found[i] = member;
                left.Remove(member.Name);
            }
        }

        for (int i = 0; i < written.Length && left.Count > 0; i++)
        {
            if (found[i] is null
                && left.Values.Where(member => member.PlainName == Plain(written[i].Name)).ToArray() is { Length: > 0 } alike)
            {
                Refuse(written[i].Name, alike, owner);
            }
        }

        return found;
    }

    private static bool IsIn(WireMember member, string plain, string name, TypeAliases aliases) =>
        member.Field is { } field && member.PlainName == plain && TypeNames.IsNameOfClass(name, field.DeclaringType!, aliases);

    private static string Plain(string name) => Class(name) is { } behind ? name[..^(behind.Length + 1)] : name;

    private static string? Class(string name) => name.IndexOf('@', StringComparison.Ordinal) is > 0 and var at ? name[(at + 1)..] : null;

    private static void Refuse(string written, WireMember[] alike, string owner)
    {
        string here = string.Join(", ", alike.Select(member => $"'{member.Name}'"));
        ThrowHelper.Format(
            WireFormatError.SchemaMismatch,
            Class(written) is { } name
                ? $"The writer's {owner} has the member '{written}', and none of the classes of this program's is called '{name}', so it " +
                    $"is not known whether that is {here}. If the class was renamed, add SerializerOptions.TypeAliases.Redirect(" +
                    $"\"{name}\", its type); else give the member that it is [WireName(\"{written}\")]."
                : $"The writer's {owner} has one member '{written}', and this program's has {here}: which of them it was is not in the " +
                    $"payload. Give that one [WireName(\"{written}\")].");
    }
}
