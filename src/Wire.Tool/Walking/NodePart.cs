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
    private const int MostOfPath = 2000;

    /// <summary>Returns the path of parts inside each other, plain. A long one has three dots in its middle.</summary>
    public static string DescribePath(IEnumerable<NodePart> parts)
    {
        var path = new StringBuilder();
        foreach (NodePart part in parts)
        {
            part.AppendTo(path);
        }

        if (path.Length > MostOfPath)
        {
            path.Remove(MostOfPath / 2, path.Length - MostOfPath).Insert(MostOfPath / 2, " ... ");
        }

        return path.Length == 0 ? "(root)" : path.ToString();
    }

    /// <summary>Appends what a path has for the part, as <see cref="PayloadNode.TryGet"/> reads it.</summary>
    private void AppendTo(StringBuilder path)
    {
        switch (Kind)
        {
            case PartKind.Member when IsPlain(Name!):
                path.Append(path.Length == 0 ? "" : ".").Append(PlainText.Show(Name, int.MaxValue));
                break;
            case PartKind.Member:
                path.Append('[').Append(PlainText.Quote(Name!, int.MaxValue)).Append(']');
                break;
            case PartKind.Element:
                path.Append(CultureInfo.InvariantCulture, $"[{Index}]");
                break;
            case PartKind.Key:
                path.Append(CultureInfo.InvariantCulture, $"[key {Index}]");
                break;
            case PartKind.Value when Key.Kind == PayloadKind.Scalar:
                path.Append('[').Append(PlainText.Quote(Key.GetText(), int.MaxValue)).Append(']');
                break;
            case PartKind.Value:
                path.Append(CultureInfo.InvariantCulture, $"[value {Index}]");
                break;
        }
    }

    private static bool IsPlain(string name) => name.Length > 0 && !name.AsSpan().ContainsAny('.', '[', ' ') && name[0] != '"'
        && PlainText.Show(name, int.MaxValue) == name;
}
