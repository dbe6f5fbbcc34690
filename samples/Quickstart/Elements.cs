using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Wire;

namespace Quickstart;

/// <summary>The tasks of docs/elements.md, one by one.</summary>
internal static class Elements
{
    private static readonly Serializer Serializer =
        new(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(),
            Types = [WireRow.AsyncEnumerable<OrderPlaced>()], // for native programs
        });

    /// <summary>Does each task, and returns whether all did as the page says.</summary>
    public static async Task<bool> RunAsync()
    {
        string path = Path.GetTempFileName();
        try
        {
            return await FileAsync(path) & await MemberAsync(path) & await CollectionAsync(path);
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static async Task<bool> FileAsync(string path)
    {
        Serializer serializer = Serializer;
        CancellationToken stop = CancellationToken.None;
        int count = 0;

        #region elements-write
        await using (FileStream file = File.Create(path))
        {
            IAsyncEnumerable<OrderPlaced> orders = ReadOrdersAsync(stop); // from a database: as many as there will be
            await serializer.SerializeAsync(orders, file, stop);
        }
        #endregion

        #region elements-read
        await using (FileStream file = File.OpenRead(path))
        {
            await foreach (OrderPlaced? order in serializer.DeserializeElementsAsync<OrderPlaced>(PipeReader.Create(file), null, stop))
            {
                count++;
            }
        }
        #endregion

        return count == 1000;
    }

    private static async Task<bool> MemberAsync(string path)
    {
        Serializer serializer = Serializer;
        CancellationToken stop = CancellationToken.None;
        decimal total = 0;

        #region elements-member
        await using (FileStream file = File.Create(path))
        {
            await serializer.SerializeAsync(new Month("March", ReadOrdersAsync(stop)), file, stop);
        }

        await using (FileStream file = File.OpenRead(path))
        {
            Month? month = await serializer.DeserializeAsync<Month>(PipeReader.Create(file), stop);
            await foreach (OrderPlaced order in month!.Orders) // read from the file while this runs
            {
                total += order.Total;
            }
        }
        #endregion

        return total == 499_500;
    }

    private static async Task<bool> CollectionAsync(string path)
    {
        Serializer serializer = Serializer;
        int count = 0;
        List<OrderPlaced> orders = await ReadOrdersAsync(CancellationToken.None).ToListAsync();
        await File.WriteAllBytesAsync(path, serializer.Serialize(new Dictionary<string, List<OrderPlaced>> { ["March"] = orders }));

        #region elements-path
        await using FileStream file = File.OpenRead(path);
        var pipe = PipeReader.Create(file, new StreamPipeReaderOptions(bufferSize: 1 << 16));
        await foreach (OrderPlaced? order in serializer.DeserializeElementsAsync<OrderPlaced>(pipe, "[\"March\"]"))
        {
            count++;
        }
        #endregion

        return count == orders.Count;
    }

    private static async IAsyncEnumerable<OrderPlaced> ReadOrdersAsync([EnumeratorCancellation] CancellationToken stop)
    {
        for (int i = 0; i < 1000; i++)
        {
            stop.ThrowIfCancellationRequested();
            yield return new OrderPlaced(Guid.NewGuid(), $"Customer {i}", i);
        }

        await Task.CompletedTask;
    }

    #region elements-month
    public sealed record Month(string Name, IAsyncEnumerable<OrderPlaced> Orders);
    #endregion
}
