using System.Globalization;
using Wire.Tests.Testing;
using Xunit.Abstractions;

namespace Wire.Tests.Behaviour.AsyncSequences;

/// <summary>A file that is much larger than the memory: the runtime ends a process whose heap takes more than 16 MB.</summary>
public sealed class LargeFileTests(ITestOutputHelper output)
{
    private const long MostHeap = 16 << 20;

    // Of all that the process has, the runtime and its code included.
    private const int MostMegabytes = 64;

    [Fact]
    public void A_file_of_200_MB_is_written_and_read_in_64_MB() => Run(200_000_000);

    [Fact]
    [Trait("Takes", "long")]
    public void A_file_of_10_GB_is_written_and_read_in_64_MB() => Run(10_000_000_000);

    private void Run(long bytes)
    {
        string path = Path.GetTempFileName();
        try
        {
            string[] lines = FreshProcess.Run(string.Create(CultureInfo.InvariantCulture, $"{StartupHook.File};{bytes};{path}"), MostHeap);

            Array.ForEach(lines, output.WriteLine);
            Assert.Equal(4, lines.Length);
            Assert.InRange(int.Parse(lines[^1].Split(' ')[0], CultureInfo.InvariantCulture), 1, MostMegabytes);
            Assert.InRange(new FileInfo(path).Length, bytes, long.MaxValue);
        }
        finally
        {
            File.Delete(path);
        }
    }
}
