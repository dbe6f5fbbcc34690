using System.CommandLine;

namespace Wire.Tool;

/// <summary>A command with examples, which its help ends with.</summary>
/// <param name="name">The name.</param>
/// <param name="description">The description, of one sentence.</param>
/// <param name="examples">Command lines.</param>
internal sealed class ToolCommand(string name, string description, params string[] examples) : Command(name, description)
{
    /// <summary>Gets lines that the help has in front of the examples.</summary>
    public string[] Notes { get; init; } = [];

    /// <summary>Writes the notes and the examples.</summary>
    public void WriteExamples(TextWriter output)
    {
        if (Notes.Length > 0)
        {
            output.WriteLine($"{string.Join(output.NewLine, Notes)}{output.NewLine}");
        }

        output.WriteLine("Examples:");
        foreach (string example in examples)
        {
            output.WriteLine($"  {example}");
        }

        output.WriteLine();
    }
}
