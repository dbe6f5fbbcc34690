using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Errors;
using Wire.Resolution;

namespace Wire.Migration.Reading;

/// <summary>
/// A member as BinaryFormatter named it: by its field, with the class in front of a private one of a base class. Its plain name is the one
/// that Wire would have written: that of the property whose field it is.
/// </summary>
internal sealed class OldMember
{
    private const string BackingField = ">k__BackingField";

    /// <param name="name">The name in the record.</param>
    /// <param name="type">The type of the record.</param>
    public OldMember(string name, Type type)
    {
        Name = name;
        int plus = name.LastIndexOf('+');
        Class = plus > 0 ? name[..plus] : null;
        string field = name[(plus + 1)..];
        Plain = field.StartsWith('<') && field.EndsWith(BackingField, StringComparison.Ordinal) ? field[1..^BackingField.Length]
            : field.EndsWith('@') ? field[..^1]
            : field.StartsWith("m_", StringComparison.Ordinal) && typeof(ITuple).IsAssignableFrom(type) ? field[2..]
            : field;
    }

    /// <summary>Gets the name in the record.</summary>
    public string Name { get; }

    /// <summary>Gets the name that the member had in the program, with the class in front where the record has it.</summary>
    public string Shown => Class is null ? Plain : $"{Class}+{Plain}";

    private string? Class { get; }

    private string Plain { get; }

    /// <summary>Finds the member of a type that each written one is; one that is not found is in no pair.</summary>
    /// <exception cref="WireFormatException">It is not known which of several members it is.</exception>
    public static List<(WireMember Member, string Name)> Match(OldMember[] written, WireMember[] members, Type type, TypeAliases aliases)
    {
        var found = new List<(WireMember, string)>();
        List<WireMember> left = [.. members];
        List<OldMember> open = [.. written];

        // By the class first, and then, as members move between classes, by the name alone where it says which.
        for (int i = 0; i < open.Count; i++)
        {
            OldMember old = open[i];
            if (left.Find(member => member.PlainName == old.Plain && old.IsIn(member.Field!, type, aliases)) is { } member)
            {
                Take(old, member);
                i--;
            }
        }

        foreach (OldMember old in open.ToArray())
        {
            WireMember[] alike = [.. left.Where(member => member.PlainName == old.Plain)];
            if (alike.Length == 1 && open.Count(other => other.Plain == old.Plain) == 1)
            {
                Take(old, alike[0]);
            }
            else if (alike.Length > 0)
            {
                throw new WireFormatException(
                    WireFormatError.SchemaMismatch,
                    $"BinaryFormatter wrote '{old.Shown}', and it is not known which member of {type} that is: "
                    + $"{ShortList.Show(alike.Select(member => $"'{member.Name}'"))}. If a base class was renamed, add "
                    + "SerializerOptions.TypeAliases.Redirect with its old name.");
            }
        }

        return found;

        void Take(OldMember old, WireMember member)
        {
            found.Add((member, old.Name));
            left.Remove(member);
            open.Remove(old);
        }
    }

    // Fields of base classes that are not private had no class in front.
    private bool IsIn(FieldInfo field, Type type, TypeAliases aliases) => Class is null
        ? field.DeclaringType == type || !field.IsPrivate
        : field.DeclaringType!.Name == Class || IsNameOf(field.DeclaringType, aliases);

    // The class's simple name, or its full name where two of the type's bases have the same.
    private bool IsNameOf(Type type, TypeAliases aliases)
    {
        int arguments = Class!.IndexOf('[', StringComparison.Ordinal);
        string name = arguments < 0 ? Class : Class[..arguments];
        Type definition = type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type;
        return TypeNames.IsNameOfClass(name, type, aliases)
            || (definition.Namespace is { } space && aliases.HasName(definition, $"{space}.{name}"));
    }
}
