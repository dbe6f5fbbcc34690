namespace Bench;

/// <summary>A linked list, as deep as it is long.</summary>
public sealed class Link
{
    public int Number { get; set; }

    public Link? Next { get; set; }

    public static Link Create(int count)
    {
        Link? link = null;
        for (int i = count; i > 0; i--)
        {
            link = new Link { Number = i, Next = link };
        }

        return link!;
    }

    public static bool Same(Link? left, Link? right)
    {
        while (left is not null && right is not null && left.Number == right.Number)
        {
            (left, right) = (left.Next, right.Next);
        }

        return left is null && right is null;
    }
}
