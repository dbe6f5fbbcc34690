using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using Wire.Testing;

namespace Wire.Foreign.Tests;

/// <summary>A client of others: a process that does what a line of JSON says, and answers with a line of JSON.</summary>
/// <remarks>
/// <para>
/// Clients of AMQP 0-9-1: <c>{"do": "publish", "queue", "properties", "headers", "body"}</c> publishes, and is answered when the broker has
/// confirmed: headers are written as <see cref="FieldNotation"/> says. <c>{"do": "get", "queue"}</c> is answered with the message that was
/// taken: its properties and headers as the client shows them, the length of its body and the SHA-256 of that.
/// </para>
/// <para>
/// Clients of AMQP 1.0: <c>{"do": "encode", "values"}</c> is answered with the bytes of values that are written as
/// <see cref="ValueNotation"/> says, and <c>{"do": "decode", "bytes"}</c> with the values.
/// <c>{"do": "publish", "stream", "message"}</c> has the sections of a message as values, and <c>{"do": "take", "stream"}</c> is answered
/// with those of the next message, from the first on.
/// </para>
/// <para>
/// Clients of streams: <c>{"do": "publish", "stream", "messages"}</c>, also <c>"entry"</c> for several in an entry, and
/// <c>{"do": "take", "stream", "count"}</c>; the rest is with <see cref="StreamJsTests"/>.
/// </para>
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
        string debian = Path.Combine(packages, "debian", "usr", "lib");
        var start = new ProcessStartInfo(
            program, [Path.Combine(Repository.Root, "tests", "Wire.Foreign.Tests", "Clients", script)])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment =
            {
                ["NODE_PATH"] = Path.Combine(packages, "node_modules"),
                ["PYTHONPATH"] = Path.Combine(debian, "python3", "dist-packages"),
                ["LD_LIBRARY_PATH"] = string.Join(':', Directory.Exists(debian) ? Directory.GetDirectories(debian, "*-linux-gnu*") : []),
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
