using System.Diagnostics;

namespace Shop;

/// <summary>The broker that <c>WIRE_RABBITMQ_URI</c> names, or else one that is started for this program and ended with it.</summary>
internal sealed class Broker : IDisposable
{
    private const string Variable = "WIRE_RABBITMQ_URI";
    private const string StreamPortVariable = "WIRE_RABBITMQ_STREAM_PORT";
    private const string UsualStreamPort = "5552";

    private readonly string? _folder;

    private Broker(Uri uri, string? streamPort, string? folder)
    {
        Uri = uri;
        StreamUri = $"rabbitmq-stream://{uri.UserInfo}@{uri.Host}:{streamPort ?? UsualStreamPort}{uri.AbsolutePath}";
        _folder = folder;
    }

    public Uri Uri { get; }

    /// <summary>The same broker, where it listens for streams.</summary>
    public string StreamUri { get; }

    public static Broker Find()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } given)
        {
            return new Broker(new Uri(given), Environment.GetEnvironmentVariable(StreamPortVariable), null);
        }

        Console.WriteLine($"{Variable} is not set: starting a broker for this run.");
        string folder = Path.Combine(Path.GetTempPath(), $"wire-shop-{Environment.ProcessId}");
        string[] lines = Script("start", folder).Split('\n');
        string uri = Assigned(lines, Variable)
            ?? throw new InvalidOperationException(
                $"eng/rabbitmq.sh started no broker. Start one yourself, and name it: {Variable}=amqp://guest:guest@localhost/");
        return new Broker(new Uri(uri), Assigned(lines, StreamPortVariable), folder);
    }

    public void Dispose()
    {
        if (_folder is not null)
        {
            Script("clean", _folder);
        }
    }

    private static string? Assigned(string[] lines, string variable)
    {
        string prefix = $"export {variable}=";
        return lines.FirstOrDefault(line => line.StartsWith(prefix, StringComparison.Ordinal))?[prefix.Length..];
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
            throw new InvalidOperationException(
                $"There is no eng/rabbitmq.sh above {AppContext.BaseDirectory}. Name a broker that " +
                $"runs: {Variable}=amqp://guest:guest@localhost/");
        }

        var start =
            new ProcessStartInfo("bash", [Path.Combine(root, "eng", "rabbitmq.sh"), command, folder]) { RedirectStandardOutput = true };
        using Process script = Process.Start(start)!;
        string output = script.StandardOutput.ReadToEnd();
        script.WaitForExit();
        return output;
    }
}
