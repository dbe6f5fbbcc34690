using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using Wire.Testing;

namespace Wire.Foreign.Tests;

/// <summary>A client of others: a process that does what a line of JSON says, and answers with a line of JSON.</summary>
/// <remarks>
/// <c>{"do": "publish", "queue", "properties", "headers", "body"}</c> publishes, and is answered when the broker has confirmed: headers are
/// written as <see cref="FieldNotation"/> says. <c>{"do": "get", "queue"}</c> is answered with the message that was taken: its properties
/// and headers as the client shows them, the length of its body and the SHA-256 of that.
/// </remarks>
public sealed class ForeignClient : IAsyncDisposable
{
    // Each table is several levels in its notation.
    private static readonly JsonDocumentOptions Deep = new() { MaxDepth = 1000 };

    private readonly Process _process;
    private readonly Task<string> _errors;

    private ForeignClient(Process process) => (_process, _errors) = (process, process.StandardError.ReadToEndAsync());

    /// <summary>Starts a program of the folder of the clients, where eng/foreign.sh has put what it needs.</summary>
    public static ForeignClient Start(string program, string script)
    {
        string packages = Environment.GetEnvironmentVariable("WIRE_FOREIGN_FOLDER") ?? throw new InvalidOperationException(
            "WIRE_FOREIGN_FOLDER is not set: run ./test.sh --long, or eng/foreign.sh FOLDER before dotnet test.");
        var start = new ProcessStartInfo(
            program, [Path.Combine(Repository.Root, "tests", "Wire.Foreign.Tests", "Clients", script)])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment =
            {
                ["NODE_PATH"] = Path.Combine(packages, "node_modules"),
                ["PYTHONPATH"] = Path.Combine(packages, "python"),
                ["PYTHONDONTWRITEBYTECODE"] = "1",
                ["WIRE_RABBITMQ_URI"] = Broker.Node.Uri.ToString(),
            },
        };
        return new ForeignClient(Process.Start(start)!);
    }

    /// <summary>Has it do something.</summary>
    /// <returns>Its answer.</returns>
    public async Task<JsonObject> AskAsync(JsonObject command)
    {
        try
        {
            await _process.StandardInput.WriteLineAsync(command.ToJsonString()).InTime();
            await _process.StandardInput.FlushAsync().InTime();
        }
        catch (IOException)
        {
            // It has ended, and has said why.
        }

        string? line = await _process.StandardOutput.ReadLineAsync().InTime();
        return line is null
            ? throw new InvalidOperationException($"The client has ended: {await _errors.InTime()}")
            : JsonNode.Parse(line, documentOptions: Deep)!.AsObject();
    }

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        try
        {
            await _process.WaitForExitAsync().InTime();
        }
        finally
        {
            _process.Kill(entireProcessTree: true);
            _process.Dispose();
        }
    }
}
