using Wire.Testing;
using Wire.Tool.Running;

namespace Wire.Tool.Tests;

/// <summary>A page of a large file takes no more memory than one of a small file.</summary>
[Collection(nameof(MemoryTests))]
public sealed class HtmlMemoryTests
{
    private const int MiB = 1 << 20;

    [Theory]
    [InlineData(0x00)]
    [InlineData(0x10)]
    public void A_file_is_passed_on_in_pieces(byte filling)
    {
        byte[] file = new byte[60 * MiB];
        file.AsSpan().Fill(filling);
        using var page = new MeasuringStream(GC.GetTotalMemory(forceFullCollection: true));
        using var console = new ToolConsole(() => new TrickleStream(file, 100_000), page, TextWriter.Null);
        Assert.Equal(0, WireTool.Run(["html", "-", "--single"], console));
        Assert.InRange(page.Written, 80L * MiB, 81L * MiB);
        Assert.InRange(page.Most, 0, 2 * MiB);
    }

    /// <summary>Keeps nothing but the memory that was in use while it was written to.</summary>
    /// <param name="before">The memory in use before.</param>
    private sealed class MeasuringStream(long before) : MemoryStream
    {
        public long Written { get; private set; }

        public long Most { get; private set; }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            if (Written >> 22 != (Written + buffer.Length) >> 22)
            {
                Most = Math.Max(Most, GC.GetTotalMemory(forceFullCollection: true) - before);
            }

            Written += buffer.Length;
        }
    }
}
