using System.Globalization;
using System.Text;
using Wire.Tool.Running;

namespace Wire.Tool.Walking;

/// <summary>The part of a node that another node is.</summary>
internal enum PartKind
{
    Root,
    Member,
    Element,
    Key,
    Value,
}

/// <summary>The place of a node in the one around it.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Name">The name of a member.</param>
/// <param name="Index">The number of an element or pair, from 0.</param>
/// <param name="Key">The key of a value.</param>
internal readonly record struct NodePart(PartKind Kind, string? Name, int Index, PayloadNode Key)
{
    /// <summary>Appends what a path has for the part, as <see cref="PayloadNode.TryGet"/> reads it; of long names not the middle.</summary>
    public void AppendTo(StringBuilder path)
    {
        switch (Kind)
        {
            case PartKind.Member when IsPlain(Name!):
                path.Append(path.Length == 0 ? "" : ".").Append(Name);
                break;
            case PartKind.Member:
                path.Append('[').Append(PlainText.Quote(PathText.Bound(Name!), int.MaxValue)).Append(']');
                break;
            case PartKind.Element:
                path.Append(CultureInfo.InvariantCulture, $"[{Index}]");
                break;
            case PartKind.Key:
                path.Append(CultureInfo.InvariantCulture, $"[key {Index}]");
                break;
            case PartKind.Value when Key.Kind == PayloadKind.Scalar && Key.ScalarType != typeof(string) && IsPlainKey(Key.GetText()):
                path.Append('[').Append(Key.GetText()).Append(']');
                break;
            case PartKind.Value when Key.Kind == PayloadKind.Scalar:
                path.Append('[').Append(PlainText.Quote(PathText.Bound(Key.GetText()), int.MaxValue)).Append(']');
                break;
            case PartKind.Value:
                path.Append(CultureInfo.InvariantCulture, $"[value {Index}]");
                break;
        }
    }

    private static bool IsPlainKey(string text) =>
        text.Length is > 0 and <= PathText.Most && !text.Contains(']') && text[0] != '"' && PlainText.Show(text, int.MaxValue) == text;

    private static bool IsPlain(string name) => name.Length is > 0 and <= PathText.Most && !name.AsSpan().ContainsAny('.', '[', ' ')
        && name[0] != '"' && PlainText.Show(name, int.MaxValue) == name;
}
