using System.Globalization;
using System.Text;

namespace Wire.Generator.Tests.Invented;

/// <summary>Prints the types of a batch, and a context that names them.</summary>
/// <param name="random">What the rest depends on.</param>
/// <param name="expressions">The arguments of generic types.</param>
/// <param name="access">The accessibility of all that is not private.</param>
internal sealed class InventedSource(Random random, TypeExpressions expressions, string access)
{
    private const string Layout = "global::System.Runtime.InteropServices.Layout";

    private readonly StringBuilder _text = new();

    /// <summary>Returns the source.</summary>
    /// <param name="all">The types.</param>
    public string Print(IReadOnlyList<InventedType> all)
    {
        Line("#pragma warning disable");
        Line("[global::Wire.WireContext(Views = true)]");
        foreach (InventedType type in all.Where(each => each is { IsPrivate: false, IsAbstract: false }))
        {
            for (int left = type.IsGeneric ? 2 : 1; left > 0; left--)
            {
                Line($"[global::Wire.WireType(typeof({expressions.With(type, null, 0)}))]");
            }
        }

        Line($"{access} sealed partial class Messages : global::Wire.WireTypes;");
        foreach (InventedType type in all.Where(each => each.Outer is null))
        {
            Line("");
            if (type.Space.Length == 0)
            {
                Print(type);
                continue;
            }

            Line($"namespace {type.Space}");
            Line("{");
            Print(type);
            Line("}");
        }

        return _text.ToString();
    }

    private void Print(InventedType type)
    {
        switch (type.Form)
        {
            case TypeForm.Enum:
                Line($"{access} enum {type.Name} : {Words.Numbers[type.Index % Words.Numbers.Length]}");
                break;
            case TypeForm.Interface:
                Line($"{access} interface {type.Name}");
                break;
            default:
                Line(LayoutOf(type) + HeadOf(type));
                break;
        }

        Line("{");
        if (type.Form == TypeForm.Enum)
        {
            for (int i = 0, count = random.Next(6); i < count; i++)
            {
                Line(string.Create(CultureInfo.InvariantCulture, $"E{i} = {i * random.Next(1, 20)},"));
            }
        }

        type.Members.ForEach(Line);
        type.Nested.ForEach(Print);
        Line("}");
    }

    private string LayoutOf(InventedType type) => !type.IsStruct ? "" : random.Next(8) switch
    {
        0 => $"[global::System.Runtime.InteropServices.StructLayout({Layout}Kind.Sequential, Pack = 1)] ",
        1 => $"[global::System.Runtime.InteropServices.StructLayout({Layout}Kind.Auto)] ",
        _ => "",
    };

    private string HeadOf(InventedType type)
    {
        string modifier = type.IsAbstract ? "abstract " : type is { IsSealed: true, IsClass: true } ? "sealed " : "";
        string word = type.Form switch
        {
            TypeForm.Class => "class",
            TypeForm.Record => "record",
            TypeForm.Struct => "struct",
            _ => "record struct",
        };
        string parameters = type.OwnParameters.Length == 0 ? "" : $"<{string.Join(", ", type.OwnParameters.Select(each => each.Name))}>";
        string kind = $"{modifier}{(type.IsReadOnly ? "readonly " : "")}{word}";
        return $"{(type.IsPrivate ? "private" : access)} {kind} {type.Name}{parameters}{type.Head}";
    }

    private void Line(string text) => _text.Append(text).Append('\n');
}
