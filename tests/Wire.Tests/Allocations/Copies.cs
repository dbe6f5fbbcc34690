using System.Runtime.CompilerServices;
using Bench;

namespace Wire.Tests.Allocations;

/// <summary>Makes the same objects again by hand: these, and nothing beside them.</summary>
internal static class Copies
{
    public static string Copy(string text) => new(text.AsSpan());

    public static Poco Copy(Poco poco) =>
        new() { StringProp = Copy(poco.StringProp!), IntProp = poco.IntProp, GuidProp = poco.GuidProp, DateProp = poco.DateProp };

    public static Order Copy(Order order)
    {
        Order copy = (Order)Clone(order);
        copy.Customer = Copy(order.Customer);
        copy.Street = Copy(order.Street);
        copy.City = Copy(order.City);
        copy.Comment = Copy(order.Comment!);
        copy.Lines = new List<int>(order.Lines.Count);
        copy.Lines.AddRange(order.Lines);
        copy.Document = (byte[])order.Document.Clone();
        return copy;
    }

    // What a constructor would do, without its initial values.
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = nameof(MemberwiseClone))]
    private static extern object Clone(object value);

    public static IShape Copy(IShape shape) => shape switch
    {
        Dot dot => new Dot { X = dot.X, Y = dot.Y },
        Circle circle => new Circle { X = circle.X, Y = circle.Y, Radius = circle.Radius },
        Box box => new Box { Width = box.Width, Height = box.Height },
        Label label => new Label { Text = Copy(label.Text) },
        Switch on => new Switch { IsOn = on.IsOn, Since = on.Since },
        _ => throw new ArgumentException($"{shape.GetType()} is no shape that is known here."),
    };

    public static TreeNode Copy(TreeNode node, TreeNode? parent = null)
    {
        var copy = new TreeNode { Id = node.Id, Name = Copy(node.Name), Parent = parent };
        copy.Left = node.Left is null ? null : Copy(node.Left, copy);
        copy.Right = node.Right is null ? null : Copy(node.Right, copy);
        return copy;
    }

    public static object?[] Copy(object?[] values)
    {
        var copy = new object?[values.Length];
        for (int i = 0; i < copy.Length; i++)
        {
            copy[i] = values[i] switch
            {
                string text => Copy(text),
                Poco poco => Copy(poco),
                int[] numbers => numbers.Clone(),
                object?[] inner => Copy(inner),
                { } boxed => Clone(boxed),
                null => null,
            };
        }

        return copy;
    }
}
