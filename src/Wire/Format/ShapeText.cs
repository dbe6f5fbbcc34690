using System.Text;

namespace Wire.Format;

/// <summary>Shapes as text, for error messages and dumps.</summary>
internal static class ShapeText
{
    // In characters.
    private const int MaxText = 1_000;

    /// <summary>Describes a shape in one line of bounded length.</summary>
    public static string Describe(Shape shape)
    {
        var text = new StringBuilder();
        Append(text, shape);
        return text.Length <= MaxText ? text.ToString() : $"{text.ToString(0, MaxText)}...";
    }

    // Parts may be shared, so a shape with few of them can have a text of any length: only its beginning is shown.
    private static void Append(StringBuilder text, Shape shape)
    {
        switch (shape.Code)
        {
            case ShapeCode.Nullable:
                Append(text, "", shape.Element!, "?");
                break;
            case ShapeCode.Sequence:
                Append(text, "sequence of ", shape.Element!);
                break;
            case ShapeCode.Set:
                Append(text, "set of ", shape.Element!);
                break;
            case ShapeCode.Map:
                Append(text, "map of ", shape.Element!, " to ");
                Append(text, "", shape.Value!);
                break;
            case ShapeCode.Array:
                Append(text, "array of ", shape.Element!);
                break;
            case ShapeCode.Members:
                AppendMembers(text, shape, "(", ", ", ": ");
                break;
            case ShapeCode.Union:
                AppendMembers(text, shape, "union of (", " | ", " ");
                break;
            case ShapeCode.Tagged when shape.Element!.Code != ShapeCode.None:
                Append(text, "tagged ", shape.Element);
                break;
            case ShapeCode.Enum:
                Append(text, "enum of ", shape.Element!, " (");
                AppendNames(text, shape);
                break;
            default:
                text.Append(shape.Code switch
                {
                    ShapeCode.None => "none",
                    ShapeCode.Recursion => $"recursion to {shape.Size} levels up",
                    ShapeCode.Tagged => "tagged value",
                    ShapeCode.Framed => "framed bytes",
                    ShapeCode.Fixed => $"{shape.Size} byte(s)",
                    _ => TagTypes.NameOf(shape.Code),
                });
                break;
        }
    }

    private static void Append(StringBuilder text, string before, Shape part, string behind = "")
    {
        if (text.Length <= MaxText)
        {
            text.Append(before);
            Append(text, part);
            text.Append(behind);
        }
    }

    private static void AppendMembers(StringBuilder text, Shape shape, string before, string between, string behindName)
    {
        text.Append(before);
        for (int i = 0; i < shape.Members.Length && text.Length <= MaxText; i++)
        {
            (string name, Shape member) = shape.Members[i];
            text.Append(i == 0 ? "" : between).Append(name);
            if (shape.Code != ShapeCode.Union || member.Members.Length > 0)
            {
                Append(text, behindName, member);
            }
        }

        text.Append(')');
    }

    private static void AppendNames(StringBuilder text, Shape shape)
    {
        for (int i = 0; i < shape.Names.Length && text.Length <= MaxText; i++)
        {
            text.Append(i == 0 ? "" : ", ").Append(shape.Names[i].Name).Append(" = ").Append(shape.Names[i].ValueOf(shape.Element!.Code));
        }

        text.Append(')');
    }
}
