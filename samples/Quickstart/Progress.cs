namespace Quickstart;

/// <summary>One line on a terminal, rewritten as the work goes on; one plain line per step in a file or a pipe.</summary>
internal sealed class Progress
{
    private readonly bool _rewrites = !Console.IsOutputRedirected;
    private string _step = "";
    private string _shown = "";

    public void Step(string step)
    {
        _step = step;
        if (_rewrites)
        {
            Rewrite(step);
        }
        else
        {
            Console.WriteLine(step);
        }
    }

    public void Detail(string detail)
    {
        if (_rewrites)
        {
            Rewrite($"{_step}: {detail}");
        }
    }

    /// <summary>Leaves an empty line for what comes next.</summary>
    public void Clear()
    {
        if (_rewrites)
        {
            Rewrite("");
            Console.Write('\r');
        }
    }

    private void Rewrite(string text)
    {
        if (text != _shown)
        {
            Console.Write($"\r{text.PadRight(_shown.Length)}");
            _shown = text;
        }
    }
}
