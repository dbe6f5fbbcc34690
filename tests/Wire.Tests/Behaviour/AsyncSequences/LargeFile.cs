using System.Diagnostics;
using System.IO.Pipelines;

namespace Wire.Tests.Behaviour.AsyncSequences;

/// <summary>Writes a file of so many bytes as one async sequence, and reads it, each element compared with what it was.</summary>
internal static class LargeFile
{
    private const int BufferBytes = 1 << 16;

    /// <summary>Does so, and prints the size of the file, the number of its elements, the peak of the working set, and the times.</summary>
    public static async Task RunAsync(long bytes, string path)
    {
        var serializer = new Serializer();
        long start = Stopwatch.GetTimestamp();
        long count = 0;
        FileStream file = File.Create(path, 1, FileOptions.Asynchronous);
        await using (file.ConfigureAwait(false))
        {
            await serializer.SerializeAsync(Orders(), file).ConfigureAwait(false);
        }

        Console.WriteLine($"{new FileInfo(path).Length} bytes, {count} elements");
        Console.WriteLine($"written in {Stopwatch.GetElapsedTime(start).TotalSeconds:F0} s");
        start = Stopwatch.GetTimestamp();
        long read = 0;
        file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, 1, FileOptions.Asynchronous);
        await using (file.ConfigureAwait(false))
        {
            var pipe = PipeReader.Create(file, new StreamPipeReaderOptions(bufferSize: BufferBytes));
            await foreach (Order? order in serializer.DeserializeElementsAsync<Order>(pipe).ConfigureAwait(false))
            {
                if (order != Make(read++))
                {
                    throw new InvalidOperationException($"The element {read - 1} is not what was written.");
                }
            }
        }

        if (read != count)
        {
            throw new InvalidOperationException($"{count} elements were written, and {read} read.");
        }

        Console.WriteLine($"read in {Stopwatch.GetElapsedTime(start).TotalSeconds:F0} s");
        using var process = Process.GetCurrentProcess();
        Console.WriteLine(
            $"{process.PeakWorkingSet64 >> 20} MB working set at most, {GC.GetTotalPauseDuration().TotalSeconds:F1} s collected");

        async IAsyncEnumerable<Order> Orders()
        {
            while (file.Position < bytes)
            {
                yield return Make(count++);
            }

            await Task.CompletedTask.ConfigureAwait(false);
        }
    }

    private static Order Make(long number) => new(
        number,
        $"Customer {number % 1000} of the northern region",
        "Deliver to the back door, and ring twice.",
        (number % 97) / 4m,
        number % 3 == 0);

    private sealed record Order(long Number, string Customer, string Note, decimal Price, bool IsPaid);
}
