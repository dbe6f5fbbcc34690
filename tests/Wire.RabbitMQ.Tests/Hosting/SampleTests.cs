using System.Diagnostics;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>The programs that the guides show run to their ends.</summary>
public sealed class SampleTests
{
    [Fact]
    public async Task What_the_guides_of_the_plugin_show_runs()
    {
        using Process sample = SampleProcess.Start(
            "RabbitMQ", "Shop", [], new() { ["WIRE_RABBITMQ_URI"] = Broker.Node.Uri.ToString() });
        try
        {
            Task<string> errors = sample.StandardError.ReadToEndAsync();
            var lines = new List<string>();
            while (await sample.StandardOutput.ReadLineAsync().InTime() is { } line)
            {
                lines.Add(line);
            }

            await sample.WaitForExitAsync().InTime();
            Assert.True(sample.ExitCode == 0, string.Join(Environment.NewLine, lines) + await errors.InTime());
            Assert.Contains("2,000 orders were shipped in a few messages.", lines);
        }
        finally
        {
            sample.Kill();
        }
    }
}
