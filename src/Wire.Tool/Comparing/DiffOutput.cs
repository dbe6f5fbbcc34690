using Wire.Tool.Running;
using Wire.Tool.Showing;

namespace Wire.Tool.Comparing;

/// <summary>Writes differences, one line for each.</summary>
/// <param name="console">The output.</param>
/// <param name="limit">The number of lines; 0 for all.</param>
internal sealed class DiffOutput(ToolConsole console, int limit)
{
    private readonly TreeOutput _tree = new(console, new ShowSettings());

    /// <summary>Gets the number of differences.</summary>
    public long Count { get; private set; }

    /// <summary>Writes a difference, if there are not too many.</summary>
    /// <param name="frame">The frame, and what follows it; empty for single payloads.</param>
    /// <param name="difference">The difference.</param>
    public void Write(string frame, Difference difference)
    {
        Count++;
        if (limit > 0 && Count > limit)
        {
            return;
        }

        Paint paint = difference.Kind == DifferenceKind.OnlyInSecond ? Paint.Value
            : difference.Kind == DifferenceKind.OnlyInFirst ? Paint.Bad : Paint.Type;
        string head = console.Paint(paint, $"{(char)difference.Kind} {frame}{difference.Pair.DescribePath()}");
        console.Out.WriteLine($"{head}: {Describe(difference)}".TrimEnd());
    }

    /// <summary>Writes a line about a frame as a whole.</summary>
    public void WriteFrame(DifferenceKind kind, string text)
    {
        Count++;
        if (limit <= 0 || Count <= limit)
        {
            console.Out.WriteLine($"{(char)kind} {text}");
        }
    }

    /// <summary>Says how many lines are missing.</summary>
    public void Conclude()
    {
        if (limit > 0 && Count > limit)
        {
            console.Out.WriteLine(FormattableString.Invariant($"... {Count - limit} more, see --limit"));
        }
    }

    private string Describe(Difference difference) =>
        difference.Reason ?? (difference.Pair.First is { } first
            ? difference.Pair.Second is { } second
                ? $"{_tree.Describe(first).TrimEnd()} -> {_tree.Describe(second)}"
                : _tree.Describe(first)
            : _tree.Describe(difference.Pair.Second!.Value));
}
