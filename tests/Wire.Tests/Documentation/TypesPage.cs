using System.Globalization;
using System.Text;
using Wire.Tests.Golden;
using Wire.Tests.Testing;

namespace Wire.Tests.Documentation;

/// <summary>One row of docs/types.md.</summary>
internal sealed record TypesRow(string Group, string Type, string Written, string Options, string Notes);

/// <summary>
/// docs/types.md: every type that the library's own table has and every test class that names a row of its own, how the schema
/// says that its values are written, and what the test class notes.
/// </summary>
internal static class TypesPage
{
    private const string UsersOwn = "Types of your own, arrays and what needs a switch";

    private static readonly Dictionary<Type, TypeNotesAttribute> Notes = TestClasses()
        .Where(test => test.Notes is { Title: null })
        .GroupBy(test => BuiltIns.Definition(test.Tested!))
        .ToDictionary(group => group.Key, group => group.First().Notes!);

    public static string Text()
    {
        var text = new StringBuilder();
        foreach (IGrouping<string, TypesRow> group in Rows().GroupBy(row => row.Group))
        {
            text.Append("\n## ").Append(group.Key).Append("\n\n| type | written as | options | notes |\n|---|---|---|---|\n");
            foreach (TypesRow row in group)
            {
                text.Append(
                    CultureInfo.InvariantCulture,
                    $"| `{row.Type}` | {row.Written.Replace("|", "\\|", StringComparison.Ordinal)} | {row.Options} | {row.Notes} |\n");
            }
        }

        return text.ToString();
    }

    /// <summary>The rows, those of the library's table first.</summary>
    public static IEnumerable<TypesRow> Rows() =>
    [
        .. BuiltIns.Types.Select(type => Row("Values with a tag of one byte", type) with { Written = BuiltIns.SizeOf(type) }),
        .. BuiltIns.Families.Select(type => Row($"{type.Namespace}", type))
            .OrderBy(row => row.Group, StringComparer.Ordinal).ThenBy(row => row.Type, StringComparer.Ordinal),
        .. TestClasses().Where(test => test.Notes is { Title: not null })
            .Select(test => new TypesRow(
                UsersOwn,
                test.Notes!.Title!,
                test.Notes.Written ?? BuiltIns.WrittenAs(test.Tested!),
                test.Notes.Options,
                test.Notes.Notes)),
    ];

    private static TypesRow Row(string group, Type type)
    {
        TypeNotesAttribute? notes = Notes.GetValueOrDefault(type);
        return new TypesRow(group, Name(type), BuiltIns.WrittenAs(Sample(type)), notes?.Options ?? "", notes?.Notes ?? "");
    }

    // A type that was constructed from the definition, for which the golden vectors have bytes.
    private static Type Sample(Type definition)
    {
        GoldenSample sample = GoldenSamples.All.First(sample => Covers(definition, sample));
        return BuiltIns.Definition(sample.Type) == definition
            ? sample.Type
            : definition.IsGenericTypeDefinition ? Constructed(sample.Type, definition) : definition;
    }

    private static bool Covers(Type definition, GoldenSample sample) =>
        BuiltIns.Definition(sample.Value is Type ? typeof(Type) : sample.Type) == definition
            || Constructed(sample.Type, definition) != sample.Type;

    // The base class or interface of a sample's type that the row is about.
    private static Type Constructed(Type type, Type definition)
    {
        for (Type? current = type; current is not null; current = current.BaseType)
        {
            if (BuiltIns.Definition(current) == definition)
            {
                return current;
            }
        }

        return Array.Find(type.GetInterfaces(), face => BuiltIns.Definition(face) == definition) ?? type;
    }

    private static IEnumerable<(Type? Tested, TypeNotesAttribute? Notes)> TestClasses() =>
        from candidate in typeof(TypesPage).Assembly.GetTypes()
        let parent = candidate.BaseType
        let tested = parent is { IsGenericType: true } && parent.GetGenericTypeDefinition() == typeof(ValueTests<>)
            ? parent.GetGenericArguments()[0]
            : null
        let notes = (TypeNotesAttribute?)Attribute.GetCustomAttribute(candidate, typeof(TypeNotesAttribute))
        where !candidate.IsAbstract && (tested is not null || notes is not null)
        orderby candidate.FullName
        select (tested, notes);

    private static string Name(Type type) => type.IsGenericTypeDefinition
        ? $"{type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)]}<{string.Join(
            ", ", type.GetGenericArguments().Select(argument => argument.Name))}>"
        : type.Name;
}
