using System.Globalization;
using Wire.Tool.Running;

namespace Wire.Tool.Walking;

/// <summary>Texts of nodes without parts: the same in every culture.</summary>
internal static class ScalarTexts
{
    /// <summary>Returns the text of a node without parts, plain, with strings in quotes and cut.</summary>
    public static string Show(PayloadNode node, int most)
    {
        switch (node.Kind)
        {
            case PayloadKind.Null:
                return "null";
            case PayloadKind.Reference:
                return string.Create(CultureInfo.InvariantCulture, $"-> object {node.ObjectNumber}");
            case PayloadKind.Scalar when node.EnumNames is { Count: > 0 } names:
                return string.Create(
                    CultureInfo.InvariantCulture, $"{PlainText.Show(string.Join(", ", names), most)} ({node.GetValue<object>()})");
            case PayloadKind.Scalar when node.GetValue<object>() is string text:
                return PlainText.Quote(text, most);
            case PayloadKind.Scalar when node.ScalarType == typeof(char):
                return PlainText.Quote(node.GetValue<char>().ToString());
            case PayloadKind.Scalar:
                return PlainText.Show(node.GetText(), most);
            default:
                return ShowBytes(node.GetBytes(), most / 4);
        }
    }

    /// <summary>Returns bytes in hexadecimal, cut.</summary>
    public static string ShowBytes(ReadOnlyMemory<byte> bytes, int most) =>
        Convert.ToHexString(bytes.Span[..Math.Min(bytes.Length, most)]) + (bytes.Length > most ? "..." : "");
}
