using System.IO.Pipelines;
using System.Threading.Channels;
using Wire;

namespace Quickstart;

/// <summary>The tasks of docs/connections.md, one by one.</summary>
internal static class Connections
{
    private static readonly Serializer Serializer =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>().Deny<OrderShipped>() });

    private static Message[] Messages =>
        [new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m), new OrderPlaced(Guid.NewGuid(), "Bob", 5m)];

    /// <summary>Does each task, and returns whether all did as the page says.</summary>
    public static async Task<bool> RunAsync() =>
        await BothEndsAsync() & await BatchedAsync() & await LoopAsync() & await ByHandAsync() & await DeadLettersAsync();

    private static async Task<bool> BothEndsAsync()
    {
        Serializer serializer = Serializer;
        Message[] messages = Messages;
        var received = new List<Message>();
        var stream = new MemoryStream();

        #region frames
        using (SerializerSession session = serializer.GetSerializerSession())
        {
            foreach (Message message in messages)
            {
                await serializer.SerializeFramedAsync(message, stream, session);
            }
        }
        #endregion

        stream.Position = 0;

        #region frames-read
        using DeserializerSession reading = serializer.GetDeserializerSession();
        await foreach (Message? message in serializer.DeserializeAllFramedAsync<Message>(stream, reading))
        {
            received.Add(message!);
        }
        #endregion

        return received.SequenceEqual(messages);
    }

    private static async Task<bool> BatchedAsync()
    {
        Serializer serializer = Serializer;
        Message[] messages = Messages;
        var pipe = new Pipe();
        PipeWriter writer = pipe.Writer;
        using SerializerSession session = serializer.GetSerializerSession();
        CancellationToken stop = CancellationToken.None;

        #region queue
        var queue = Channel.CreateBounded<Message>(1000); // any thread writes to it

        ValueTask<FlushResult> sending = serializer.SerializeAllFramedAsync(queue.Reader.ReadAllAsync(stop), writer, session, stop);
        #endregion

        Task<FlushResult> sent = sending.AsTask();
        foreach (Message message in messages)
        {
            await queue.Writer.WriteAsync(message);
        }

        queue.Writer.Complete();
        await sent;
        await writer.CompleteAsync();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        List<Message?> received = await serializer.DeserializeAllFramedAsync<Message>(pipe.Reader, reading).ToListAsync();
        return received.SequenceEqual(messages);
    }

    private static async Task<bool> ByHandAsync()
    {
        Serializer serializer = Serializer;
        var pipe = new Pipe();
        PipeWriter writer = pipe.Writer;

        #region by-hand
        foreach (Message message in Messages)
        {
            int size = serializer.SerializeFramed(message, writer); // no flush
        }

        await writer.FlushAsync();
        #endregion

        await writer.CompleteAsync();
        return await serializer.DeserializeAllFramedAsync<Message>(pipe.Reader).CountAsync() == 2;
    }

    private static async Task<bool> LoopAsync()
    {
        Serializer serializer = Serializer;
        var pipe = new Pipe();
        await serializer.SerializeAllFramedAsync(Messages, pipe.Writer);
        await pipe.Writer.CompleteAsync();
        PipeReader reader = pipe.Reader;
        int count = 0;

        #region end
        while (await serializer.TryDeserializeFramedAsync<Message>(reader) is (true, var message))
        {
            Console.WriteLine(message);
            count++;
        }

        Console.WriteLine("The other side is done.");
        #endregion

        return count == 2;
    }

    private static async Task<bool> DeadLettersAsync()
    {
        Serializer serializer = Serializer;
        var stream = new MemoryStream();
        using (SerializerSession session = serializer.GetSerializerSession())
        {
            Message[] sent = [Messages[0], new OrderShipped(Guid.NewGuid(), DateTime.UtcNow, 2), Messages[1]];
            await serializer.SerializeAllFramedAsync(sent, stream, session);
        }

        stream.Position = 0;
        int received = 0;
        using DeserializerSession reading = serializer.GetDeserializerSession();

        #region dead-letters
        var dead = Channel.CreateUnbounded<DeadLetter>();

        IAsyncEnumerable<Message?> messages = serializer.DeserializeAllFramedAsync<Message>(
            stream, reading, letter => dead.Writer.WriteAsync(letter)); // its bytes, its exception, and where it stood
        await foreach (Message? message in messages)
        {
            received++; // all others
        }
        #endregion

        return received == 2 && dead.Reader.TryRead(out DeadLetter? letter) && letter is { Position: 1, Exception: TypeRefusedException };
    }
}
