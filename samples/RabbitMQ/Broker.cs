using System.Diagnostics;

namespace Shop;

/// <summary>The broker that <c>WIRE_RABBITMQ_URI</c> names, or else one that is started for this program and ended with it.</summary>
internal sealed class Broker : IDisposable
{
    private const string Variable = "WIRE_RABBITMQ_URI";

    private readonly string? _folder;

    private Broker(Uri uri, string? folder)
    {
        Uri = uri;
        _folder = folder;
    }

    public Uri Uri { get; }

    public static Broker Find()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } given)
        {
            return new Broker(new Uri(given), null);
        }

        Console.WriteLine($"{Variable} is not set: starting a broker for this run.");
        string folder = Path.Combine(Path.GetTempPath(), $"wire-shop-{Environment.ProcessId}");
        string[] lines = Script("start", folder).Split('\n');
        string prefix = $"export {Variable}=";
        string uri = lines.FirstOrDefault(line => line.StartsWith(prefix, StringComparison.Ordinal))?[prefix.Length..]
            ?? throw new InvalidOperationException($"eng/rabbitmq.sh started no broker. Start one yourself, and name it: {Variable}=amqp://guest:guest@localhost/");
        return new Broker(new Uri(uri), folder);
    }

    public void Dispose()
    {
        if (_folder is not null)
        {
            Script("clean", _folder);
        }
    }

    // What the script has to say to people goes where this program's own errors go.
    private static string Script(string command, string folder)
    {
        string? root = AppContext.BaseDirectory;
        while (root is not null && !File.Exists(Path.Combine(root, "eng", "rabbitmq.sh")))
        {
            root = Path.GetDirectoryName(root);
        }

        if (root is null)
        {
            throw new InvalidOperationException($"There is no eng/rabbitmq.sh above {AppContext.BaseDirectory}. Name a broker that runs: {Variable}=amqp://guest:guest@localhost/");
        }

        var start = new ProcessStartInfo("bash", [Path.Combine(root, "eng", "rabbitmq.sh"), command, folder]) { RedirectStandardOutput = true };
        using Process script = Process.Start(start)!;
        string output = script.StandardOutput.ReadToEnd();
        script.WaitForExit();
        return output;
    }
}
