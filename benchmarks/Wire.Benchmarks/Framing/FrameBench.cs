using System.Diagnostics;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Framing;

/// <summary>
/// A million small messages from one end of a connection to the other, both in this process: with a flush for each, by hand with a flush
/// for many, and by <see cref="Serializer.SerializeAllFramedAsync{T}(IEnumerable{T}, PipeWriter, CancellationToken)"/>. All ways in turn.
/// </summary>
internal static class FrameBench
{
    private const int Messages = 1_000_000;
    private const int Rounds = 5;

    private static readonly Serializer Serializer = new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Poco>() });
    private static readonly Refused Intruder = new();
    private static readonly Poco[] Pocos = [.. Enumerable.Range(0, 1000).Select(Poco.Create)];

    private delegate Task Sending(PipeWriter writer, SerializerSession? session, int count);

    public static async Task RunAsync()
    {
        List<string[]> lines = [["Connection", "by", "messages/s", "x", "processor ns", "x"]];
        foreach ((string connection, Func<Task<Connection>> connect) in new (string, Func<Task<Connection>>)[]
        {
            ("Pipe", ConnectPipeAsync),
            ("Loopback TCP", ConnectSocketsAsync),
        })
        {
            lines.AddRange(await MeasureAsync(connection, connect).ConfigureAwait(false));
        }

        string table = $"{Machine.Describe()}\n\n{Table.Format(lines)}\n"
            + $"{Messages:N0} messages (the POCO of the serializer's table), median of {Rounds} interleaved runs; "
            + "both ends in one process; the message in the middle of each run is refused, and arrives as the only dead letter, and all "
            + "others arrive as they were; "
            + "`processor ns` is what both ends take for a message; `x` is the median ratio to the first row of the connection in the same "
            + "round (`./bench.sh --frames`).";
        Console.WriteLine(table);
        Page.Frames.Write("frames", table);
        string sizes = SizeBench.Measure();
        Console.WriteLine(sizes);
        Page.Frames.Write("sizes", sizes);
    }

    private static async Task<IEnumerable<string[]>> MeasureAsync(string connection, Func<Task<Connection>> connect)
    {
        (string Name, Sending Send, bool InSession)[] ways =
        [
            ("one flush each", OneFlushEachAsync, false),
            ("SerializeFramed, a flush per 32 KiB", ByHandAsync, false),
            ("SerializeAllFramedAsync", AllAsync, false),
            ("one flush each, session", OneFlushEachAsync, true),
            ("SerializeAllFramedAsync, session", AllAsync, true),
        ];
        List<(double Seconds, double Processor)>[] figures = [.. ways.Select(_ => new List<(double, double)>())];
        for (int round = -1; round < Rounds; round++)
        {
            for (int i = 0; i < ways.Length; i++)
            {
                // The first round has the code compiled.
                int count = round < 0 ? Messages / 10 : Messages;
                (double, double) figure = await MeasureAsync(connect, ways[i].Send, ways[i].InSession, count).ConfigureAwait(false);
                if (round >= 0)
                {
                    figures[i].Add(figure);
                }
            }
        }

        return ways.Select((way, i) => (string[])
        [
            i == 0 ? connection : "",
            way.Name,
            Table.Number(figures[i].Select(figure => Messages / figure.Seconds).Median(), "N0"),
            Table.Number(figures[0].Zip(figures[i], (first, own) => first.Seconds / own.Seconds).Median(), "0.00"),
            Table.Number(figures[i].Select(figure => figure.Processor / Messages).Median(), "N0"),
            Table.Number(figures[i].Zip(figures[0], (own, first) => own.Processor / first.Processor).Median(), "0.00"),
        ]);
    }

    private static async Task<(double Seconds, double Processor)> MeasureAsync(
        Func<Task<Connection>> connect, Sending send, bool inSession, int count)
    {
        using Connection connection = await connect().ConfigureAwait(false);
        using SerializerSession? writing = inSession ? Serializer.GetSerializerSession() : null;
        using DeserializerSession? reading = inSession ? Serializer.GetDeserializerSession() : null;
        GC.Collect();
        double processor = ProcessorClock.Nanoseconds();
        long start = Stopwatch.GetTimestamp();
        Task sending = Task.Run(async () =>
        {
            await send(connection.Writer, writing, count).ConfigureAwait(false);
            await connection.Writer.CompleteAsync().ConfigureAwait(false);
            connection.EndSending();
        });
        int received = 0;
        List<DeadLetter> dead = [];
        IAsyncEnumerable<Poco?> messages = reading is null
            ? Serializer.DeserializeAllFramedAsync<Poco>(connection.Reader, Bury)
            : Serializer.DeserializeAllFramedAsync<Poco>(connection.Reader, reading, Bury);
        await foreach (Poco? message in messages.ConfigureAwait(false))
        {
            received += received == count / 2 ? 1 : 0;
            if (message!.IntProp != Pocos[received % Pocos.Length].IntProp)
            {
                throw new InvalidOperationException($"Message {received} is another one.");
            }

            received++;
        }

        await sending.ConfigureAwait(false);
        if (dead is not [{ Exception: TypeRefusedException } letter] || letter.Position != count / 2)
        {
            throw new InvalidOperationException($"{dead.Count} dead letters, and not the one in the middle.");
        }

        return received == count
            ? (Stopwatch.GetElapsedTime(start).TotalSeconds, ProcessorClock.Nanoseconds() - processor)
            : throw new InvalidOperationException($"{received} of {count} messages have arrived.");

        ValueTask Bury(DeadLetter letter)
        {
            dead.Add(letter);
            return default;
        }
    }

    // The reader allows only the others.
    private static Poco Message(int i, int count) => i == count / 2 ? Intruder : Pocos[i % Pocos.Length];

    private static async Task OneFlushEachAsync(PipeWriter writer, SerializerSession? session, int count)
    {
        for (int i = 0; i < count; i++)
        {
            Poco message = Message(i, count);
            if (session is null)
            {
                await Serializer.SerializeFramedAsync(message, writer).ConfigureAwait(false);
            }
            else
            {
                await Serializer.SerializeFramedAsync(message, writer, session).ConfigureAwait(false);
            }
        }
    }

    private static async Task ByHandAsync(PipeWriter writer, SerializerSession? session, int count)
    {
        int waiting = 0;
        for (int i = 0; i < count; i++)
        {
            waiting += Serializer.SerializeFramed(Message(i, count), writer);
            if (waiting >= 1 << 15)
            {
                await writer.FlushAsync().ConfigureAwait(false);
                waiting = 0;
            }
        }

        await writer.FlushAsync().ConfigureAwait(false);
    }

    private static async Task AllAsync(PipeWriter writer, SerializerSession? session, int count)
    {
        IEnumerable<Poco> messages = Enumerable.Range(0, count).Select(i => Message(i, count));
        if (session is null)
        {
            await Serializer.SerializeAllFramedAsync(messages, writer).ConfigureAwait(false);
        }
        else
        {
            await Serializer.SerializeAllFramedAsync(messages, writer, session).ConfigureAwait(false);
        }
    }

    private static Task<Connection> ConnectPipeAsync()
    {
        var pipe = new Pipe();
        return Task.FromResult(new Connection(pipe.Writer, pipe.Reader, null, null));
    }

    private static async Task<Connection> ConnectSocketsAsync()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var sender = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await sender.ConnectAsync(listener.LocalEndPoint!).ConfigureAwait(false);
        Socket receiver = await listener.AcceptAsync().ConfigureAwait(false);
        var reader = PipeReader.Create(new NetworkStream(receiver), new StreamPipeReaderOptions(bufferSize: 1 << 16));
        return new Connection(PipeWriter.Create(new NetworkStream(sender)), reader, sender, receiver);
    }

    /// <summary>A type that the reader refuses.</summary>
    private sealed class Refused : Poco;

    /// <summary>Both ends of a connection.</summary>
    private sealed record Connection(PipeWriter Writer, PipeReader Reader, Socket? Sender, Socket? Receiver) : IDisposable
    {
        public void EndSending() => Sender?.Shutdown(SocketShutdown.Send);

        public void Dispose()
        {
            Sender?.Dispose();
            Receiver?.Dispose();
        }
    }
}
