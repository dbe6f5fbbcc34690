using System.Diagnostics;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.RegularExpressions;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>The sample of .NET Aspire: its service as a process, with what Aspire gives it, and the model of its application.</summary>
[Collection(nameof(PrivateNode))]
public sealed partial class AspireSampleTests(PrivateNode node)
{
    [Fact]
    public async Task The_service_finds_its_broker_handles_is_healthy_and_ends_well_at_sigterm()
    {
        using Process service = Start("Orders", [], new() { ["ConnectionStrings__messaging"] = node.Node.Uri.ToString() });
        string url = (await LineAsync(service, Listening())).Groups["url"].Value;
        using var client = new HttpClient { BaseAddress = new Uri(url) };

        using HttpResponseMessage placed =
            await client.PostAsJsonAsync("/orders", new { Id = Guid.NewGuid(), Customer = "Ada", Total = 19.9m }).InTime();
        Assert.Equal(HttpStatusCode.Accepted, placed.StatusCode);
        await LineAsync(service, Paid());
        Assert.Equal("Healthy", await client.GetStringAsync("/health").InTime());

        using (Process kill = Process.Start("kill", ["-TERM", $"{service.Id}"]))
        {
            await kill.WaitForExitAsync().InTime();
        }

        await service.StandardOutput.ReadToEndAsync().InTime();
        await service.WaitForExitAsync().InTime();
        Assert.Equal(0, service.ExitCode);
    }

    [Fact]
    public async Task A_service_without_a_connection_string_does_not_start_and_says_why()
    {
        using Process service = Start("Orders", [], []);
        Task<string> errors = service.StandardError.ReadToEndAsync();
        await service.StandardOutput.ReadToEndAsync().InTime();
        await service.WaitForExitAsync().InTime();
        Assert.NotEqual(0, service.ExitCode);
        Assert.Contains("The connection string is missing", await errors.InTime(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_the_application_is_made_of_gives_the_service_the_connection_string_of_the_broker()
    {
        string manifest = Path.Combine(Path.GetTempPath(), $"wire-aspire-{Guid.NewGuid():N}.json");
        try
        {
            using Process host = Start("AppHost", ["--operation", "publish", "--publisher", "manifest", "--output-path", manifest], []);
            Task<string> errors = host.StandardError.ReadToEndAsync();
            string output = await host.StandardOutput.ReadToEndAsync().InTime();
            await host.WaitForExitAsync().InTime();
            Assert.True(host.ExitCode == 0, output + await errors.InTime());

            using JsonDocument document = JsonDocument.Parse(await File.ReadAllTextAsync(manifest));
            JsonElement resources = document.RootElement.GetProperty("resources");
            Assert.Equal(
                "{messaging.connectionString}",
                resources.GetProperty("orders").GetProperty("env").GetProperty("ConnectionStrings__messaging").GetString());
            Assert.StartsWith(
                "amqp://", resources.GetProperty("messaging").GetProperty("connectionString").GetString(), StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(manifest);
        }
    }

    [GeneratedRegex("Now listening on: (?<url>http://\\S+)")]
    private static partial Regex Listening();

    [GeneratedRegex("Ada pays 19[.,]9")]
    private static partial Regex Paid();

    private static Process Start(string project, string[] arguments, Dictionary<string, string> variables) =>
        SampleProcess.Start(Path.Combine("Aspire", project), project, arguments, variables);

    private static async Task<Match> LineAsync(Process process, Regex sought)
    {
        while (await process.StandardOutput.ReadLineAsync().InTime() is { } line)
        {
            if (sought.Match(line) is { Success: true } match)
            {
                return match;
            }
        }

        throw new InvalidOperationException(
            $"The process has ended without '{sought}': {await process.StandardError.ReadToEndAsync().InTime()}");
    }
}
