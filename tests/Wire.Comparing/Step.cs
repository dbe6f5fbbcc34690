using System.Text;

namespace Wire.Comparing;

/// <summary>How a value was reached. It becomes a text only when something differs.</summary>
internal sealed record Step(Step? Before, string? Name, int Index)
{
    public static Step Root { get; } = new(null, "value", -1);

    public Step Member(string name) => new(this, name, -1);

    public Step Item(int index) => new(this, null, index);

    public override string ToString()
    {
        var steps = new Stack<Step>();
        for (Step? step = this; step is not null; step = step.Before)
        {
            steps.Push(step);
        }

        var text = new StringBuilder();
        foreach (Step step in steps)
        {
            if (step.Name is null)
            {
                text.Append('[').Append(step.Index).Append(']');
            }
            else
            {
                text.Append(text.Length > 0 ? "." : "").Append(step.Name);
            }
        }

        // Chains may be long: both ends say where it is.
        return text.Length <= 400 ? text.ToString() : $"{text.ToString(0, 200)} ... {text.ToString(text.Length - 200, 200)}";
    }
}
