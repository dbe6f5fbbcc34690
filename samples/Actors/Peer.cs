using System.IO.Pipelines;
using System.Net.Sockets;
using Wire;

namespace Actors;

/// <summary>Another node: what waits for it, and one connection to it after the other.</summary>
/// <param name="system">The system of this node.</param>
/// <param name="codec">What makes bytes of envelopes.</param>
/// <param name="outgoing">What waits for the other node.</param>
internal sealed class Peer(ActorSystem system, ICodec codec, Mailbox<Envelope> outgoing)
{
    // A network takes no longer for so many bytes than for a single message.
    private const int FullBytes = 1 << 15;

    private const int MostArrived = 256;

    // What the system holds of a connection is lost when a process dies.
    private const int SocketBytes = 1 << 18;

    // What the last connection has taken and not written, the next one writes.
    private ArraySegment<Envelope> _taken = ArraySegment<Envelope>.Empty;
    private long _bytes;

    /// <summary>Gets the number of bytes that have been written, over all connections.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Gets the number of connections that there have been.</summary>
    public int Connections { get; private set; }

    /// <summary>Sends and receives over a connection until it ends. Its sessions live as long as it does.</summary>
    public async Task RunAsync(TcpClient connection)
    {
        Connections++;
        (connection.NoDelay, connection.SendBufferSize, connection.ReceiveBufferSize) = (true, SocketBytes, SocketBytes);
        using ICodecSession session = codec.Open();
        using var ending = new CancellationTokenSource();
        PipeWriter output = PipeWriter.Create(connection.GetStream(), new(minimumBufferSize: 2 * FullBytes));
        PipeReader input = PipeReader.Create(connection.GetStream(), new(bufferSize: 2 * FullBytes));
        Task[] directions =
        [
            Task.Run(() => WriteAllAsync(session, output, ending.Token)),
            Task.Run(() => ReadAllAsync(session, input, ending.Token)),
        ];
        Task ended = await Task.WhenAny(directions);
        await ending.CancelAsync();
        connection.Dispose();
        await Task.WhenAll(directions).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Exception? reason = ended.Exception?.InnerException;
        await output.CompleteAsync(reason ?? new EndOfStreamException());
        await input.CompleteAsync();
        if (reason is not (null or IOException))
        {
            // Not the loss of the other process, which is nothing unusual here.
            system.DeadLetters.Add($"A connection has ended: {reason.Message}");
        }
    }

    private async Task WriteAllAsync(ICodecSession session, PipeWriter output, CancellationToken ending)
    {
        while (true)
        {
            if (_taken.Count == 0)
            {
                _taken = await outgoing.TakeAllAsync(ending);
            }

            // While these are sent, others come: a busy connection sends large pieces, and an idle one each message at once.
            Write(session, output);
            await output.FlushAsync(ending);
        }
    }

    private void Write(ICodecSession session, PipeWriter output)
    {
        int written = 0, bytes = 0;
        while (written < _taken.Count && bytes < FullBytes)
        {
            Envelope envelope = _taken[written++];
            try
            {
                bytes += session.Write(envelope, output); // no flush
            }
            catch (Exception e)
            {
                system.DeadLetters.Add($"A {envelope.Body.GetType()} cannot be written: {e.Message}");
            }
        }

        _taken = _taken[written..];
        Volatile.Write(ref _bytes, _bytes + bytes);
    }

    private async Task ReadAllAsync(ICodecSession session, PipeReader input, CancellationToken ending)
    {
        var arrived = new Envelope[MostArrived];
        int count = 0;
        await using IAsyncEnumerator<Envelope?> source = session.ReadAllAsync(input, AddDeadLetter, ending).GetAsyncEnumerator(ending);
        while (true)
        {
            // As many at a time as there are: an actor that is faster would otherwise be woken for each.
            ValueTask<bool> next = source.MoveNextAsync();
            if (count == MostArrived || !next.IsCompletedSuccessfully)
            {
                await DeliverAsync(arrived.AsMemory(0, count));
                count = 0;
            }

            if (!await next)
            {
                break;
            }

            if (system.Accepts(source.Current))
            {
                arrived[count++] = source.Current;
            }
        }

        await DeliverAsync(arrived.AsMemory(0, count));
    }

    // It waits while a mailbox is full, and then so does the sender: the connection fills up.
    private static async ValueTask DeliverAsync(ReadOnlyMemory<Envelope> envelopes)
    {
        for (int count; !envelopes.IsEmpty; envelopes = envelopes[count..])
        {
            ActorRef target = envelopes.Span[0].Target;
            for (count = 1; count < envelopes.Length && ReferenceEquals(envelopes.Span[count].Target, target);)
            {
                count++;
            }

            await target.DeliverAsync(envelopes[..count]);
        }
    }

    private ValueTask AddDeadLetter(DeadLetter letter)
    {
        system.DeadLetters.Add(letter.Exception.Message);
        return default;
    }
}
