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

    /// <summary>Copies one of the messages of <see cref="Mixed"/>.</summary>
    public static object CopyMessage(object message)
    {
        object copy = Clone(message);
        switch (copy)
        {
            case Notice notice:
                notice.Topic = Copy(notice.Topic);
                notice.Text = Copy(notice.Text);
                break;
            case Poco poco:
                poco.StringProp = Copy(poco.StringProp!);
                break;
            case Transfer transfer:
                transfer.From = (Account)Clone(transfer.From);
                transfer.To = (Account)Clone(transfer.To);
                break;
            case Samples samples:
                samples.Values = Copy(samples.Values, number => number);
                break;
            case Basket basket:
                basket.Customer = Copy(basket.Customer);
                basket.Lines = Copy(basket.Lines, line => (Line)Clone(line));
                break;
            case Remark remark:
                remark.Author = Copy(remark.Author);
                remark.Text = Copy(remark.Text);
                break;
        }

        return copy;
    }

    public static List<T> Copy<T>(List<T> list, Func<T, T> element)
    {
        var copy = new List<T>(list.Count);
        foreach (T item in list)
        {
            copy.Add(element(item));
        }

        return copy;
    }

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
