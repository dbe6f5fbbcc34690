using System.CommandLine;

namespace Wire.Tool;

/// <summary>A command with examples, which its help ends with.</summary>
/// <param name="name">The name.</param>
/// <param name="description">The description, of one sentence.</param>
/// <param name="examples">Command lines.</param>
internal sealed class ToolCommand(string name, string description, params string[] examples) : Command(name, description)
{
    /// <summary>Writes the examples.</summary>
    public void WriteExamples(TextWriter output)
    {
        output.WriteLine("Examples:");
        foreach (string example in examples)
        {
            output.WriteLine($"  {example}");
        }

        output.WriteLine();
    }
}
