using System.Buffers.Binary;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>A stream for one test, and a publisher to it that is as plain as can be. One thing at a time.</summary>
internal sealed class TestStream : ILinkPublisher, IAsyncDisposable
{
    private const int MessagesPerFrame = 4000;

    private readonly StreamLink _link;
    private byte _publisher;
    private byte[]? _frame;
    private ulong _id;
    private int _unconfirmed;
    private TaskCompletionSource _confirmed = new();

    private TestStream(StreamLink link) => _link = link;

    public string Name { get; } = Broker.UniqueName();

    /// <summary>Creates a stream on the real broker.</summary>
    public static Task<TestStream> CreateAsync() => CreateAsync(StreamBroker.Options);

    public static async Task<TestStream> CreateAsync(StreamClientOptions options)
    {
        var stream = new TestStream(await StreamLink.ConnectAsync(options, options.Endpoints[0], CancellationToken.None));
        await stream.CreateAnewAsync();
        return stream;
    }

    /// <summary>Deletes it and creates another one of the same name.</summary>
    public async Task RecreateAsync()
    {
        await DeleteAsync();
        await CreateAnewAsync();
    }

    public async Task DeleteAsync() => await AskAsync(new DeleteStream { Stream = Name });

    /// <summary>Publishes numbers of 8 bytes, and waits until all are stored.</summary>
    public Task PublishNumbersAsync(int first, int count) => PublishAsync([.. Enumerable.Range(first, count).Select(Number)]);

    /// <summary>Publishes messages, and waits until all are stored.</summary>
    public async Task PublishAsync(params byte[][] messages)
    {
        foreach (byte[][] some in messages.Chunk(MessagesPerFrame))
        {
            _confirmed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            Volatile.Write(ref _unconfirmed, some.Length);
            Volatile.Write(ref _frame, Frame(some));
            _link.Wake(this);
            await _confirmed.Task.WaitAsync(Patience.Limit);
        }
    }

    /// <summary>The number that a message is.</summary>
    public static int NumberOf(StreamMessage message) => (int)BinaryPrimitives.ReadInt64BigEndian(message.Span);

    public bool TryTake(out ReadOnlyMemory<byte> frame)
    {
        byte[]? taken = Interlocked.Exchange(ref _frame, null);
        frame = taken;
        return taken is not null;
    }

    public void Settled(ReadOnlySpan<byte> ids, StreamResponseCode code)
    {
        if (code != StreamResponseCode.Ok)
        {
            _confirmed.TrySetException(new StreamException(code, $"{BinaryPrimitives.ReadUInt64BigEndian(ids)} failed: {code}"));
        }
        else if (Interlocked.Add(ref _unconfirmed, -ids.Length / sizeof(ulong)) == 0)
        {
            _confirmed.TrySetResult();
        }
    }

    public void Ended(Exception reason) => _confirmed.TrySetException(reason);

    public async ValueTask DisposeAsync()
    {
        await _link.AskAsync<DeleteStream, Nothing>(new DeleteStream { Stream = Name }, CancellationToken.None);
        await _link.CloseAsync();
    }

    private static byte[] Number(int number)
    {
        byte[] bytes = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(bytes, number);
        return bytes;
    }

    private async Task CreateAnewAsync()
    {
        // While the last one of this name is being deleted, the broker may refuse.
        await AskAsync(new CreateStream { Stream = Name });
        while (true)
        {
            try
            {
                _publisher = await _link.AddPublisherAsync(this, Name, null, CancellationToken.None);
                return;
            }
            catch (StreamException e) when (e.Code is StreamResponseCode.StreamNotAvailable or StreamResponseCode.StreamDoesNotExist)
            {
                await Task.Delay(20);
            }
        }
    }

    private async Task AskAsync<TRequest>(TRequest request)
        where TRequest : struct, IRequest<TRequest, Nothing>
    {
        StreamResponseCode code;
        do
        {
            (code, _) = await _link.AskAsync<TRequest, Nothing>(request, CancellationToken.None);
        }
        while (code is StreamResponseCode.StreamNotAvailable or StreamResponseCode.StreamAlreadyExists);
        ResponseErrors.ThrowUnlessOk(code, typeof(TRequest).Name);
    }

    private byte[] Frame(byte[][] messages)
    {
        const int Head = 4 + 2 + 2 + 1 + 4;
        const int EntryHead = 8 + 4;
        byte[] frame = new byte[Head + messages.Sum(message => EntryHead + message.Length)];
        BinaryPrimitives.WriteInt32BigEndian(frame, frame.Length - sizeof(int));
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(4), (ushort)CommandKey.Publish);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(6), 1);
        frame[8] = _publisher;
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(9), messages.Length);
        int at = Head;
        foreach (byte[] message in messages)
        {
            BinaryPrimitives.WriteUInt64BigEndian(frame.AsSpan(at), ++_id);
            BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(at + 8), message.Length);
            message.CopyTo(frame, at + EntryHead);
            at += EntryHead + message.Length;
        }

        return frame;
    }
}
