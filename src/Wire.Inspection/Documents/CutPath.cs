using System.Globalization;
using System.Text;
using Wire.Values;

namespace Wire.Documents;

/// <summary>The path to the value at which a payload ends too early.</summary>
internal static class CutPath
{
    private const int Most = 1000;

    /// <summary>Describes it, as <see cref="PayloadNode.TryGet"/> has paths; a long one has three dots in its middle.</summary>
    public static string Describe(PayloadDocument document)
    {
        CutValue[] cut = document.Index.Cut;
        if (cut.Length == 0)
        {
            return "";
        }

        var path = new StringBuilder();
        PayloadNode node = document.Root;
        for (int i = 0; i < cut.Length; i++)
        {
            bool isLast = i == cut.Length - 1;
            long part = isLast ? cut[i].Parts : cut[i].Parts - 1;
            var parts = Parts.ToCut(node);
            Append(path, node, part, ref parts);
            if (!isLast)
            {
                parts.GoTo(part);
                node = parts.Current;
            }
        }

        return path.Length <= Most ? path.ToString() : $"{path.ToString(0, Most / 2)} ... "
            + $"{path.ToString(path.Length - (Most / 2), Most / 2)}";
    }

    private static void Append(StringBuilder path, PayloadNode node, long part, ref Parts parts)
    {
        switch (node.Kind)
        {
            case PayloadKind.Members or PayloadKind.Union:
                PathStep.AppendName(path, node.Layout!.Members[(int)part].Name);
                break;
            case PayloadKind.Map when (part & 1) == 0:
                path.Append(CultureInfo.InvariantCulture, $"[key {part / 2}]");
                break;
            case PayloadKind.Map:
                parts.GoTo(part - 1);
                PayloadNode key = parts.Current;
                if (key.Kind == PayloadKind.Scalar)
                {
                    PathStep.AppendKey(path, key.GetText(), isText: key.ScalarType == typeof(string));
                }
                else
                {
                    path.Append(CultureInfo.InvariantCulture, $"[value {part / 2}]");
                }

                break;
            default:
                path.Append(CultureInfo.InvariantCulture, $"[{part}]");
                break;
        }
    }
}
