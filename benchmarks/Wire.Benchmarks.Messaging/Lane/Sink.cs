using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Codecs;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>
/// A server of AMQP 0-9-1 in a process of its own that takes messages and forgets them, or delivers made-up ones, with as little work as
/// can be: so that what is measured is the client. It prints its port and the one that <see cref="SinkProcess"/> asks it by, and ends with
/// the latter's connection.
/// </summary>
internal sealed class Sink
{
    public const string Mode = "--sink";

    private readonly TcpListener _clients = new(IPAddress.Loopback, 0);
    private readonly ManualResetEventSlim _reached = new();
    private long _taken;
    private long _target = long.MaxValue;

    /// <summary>Serves until the process that started this one goes.</summary>
    public static void Run()
    {
        var sink = new Sink();
        var control = new TcpListener(IPAddress.Loopback, 0);
        sink._clients.Start();
        control.Start();
        Console.WriteLine($"{((IPEndPoint)sink._clients.LocalEndpoint).Port} {((IPEndPoint)control.LocalEndpoint).Port}");
        new Thread(sink.Accept) { IsBackground = true }.Start();
        using Socket starter = control.AcceptSocket();
        sink.Answer(starter);
    }

    /// <summary>Counts messages that have arrived.</summary>
    public void Take(int messages)
    {
        if (messages > 0 && Interlocked.Add(ref _taken, messages) >= Volatile.Read(ref _target))
        {
            _reached.Set();
        }
    }

    private void Accept()
    {
        while (true)
        {
            Socket client = _clients.AcceptSocket();
            client.NoDelay = true;

            // A thread each: a call that waits costs less than one that is woken by way of others.
            new Thread(() => new SinkConnection(this, client).Run()) { IsBackground = true }.Start();
        }
    }

    // Each question is how many messages to wait for, counted from the first; the answer is one byte.
    private void Answer(Socket starter)
    {
        starter.NoDelay = true;
        byte[] question = new byte[sizeof(long)];
        while (starter.Receive(question) == question.Length)
        {
            _reached.Reset();
            Interlocked.Exchange(ref _target, BinaryPrimitives.ReadInt64LittleEndian(question));
            if (Interlocked.Read(ref _taken) < _target)
            {
                _reached.Wait();
            }

            Interlocked.Exchange(ref _target, long.MaxValue);
            starter.Send(question.AsSpan(0, 1));
        }
    }
}

/// <summary>A <see cref="Sink"/> that has been started.</summary>
internal sealed class SinkProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly Socket _control = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[] _question = new byte[sizeof(long)];
    private readonly byte[] _answer = new byte[1];
    private long _expected;

    private SinkProcess(Process process, int port)
    {
        _process = process;
        Uri = new Uri($"amqp://guest:guest@127.0.0.1:{port}/");
    }

    /// <summary>Where clients connect to.</summary>
    public Uri Uri { get; }

    /// <summary>The processor time that the process has used.</summary>
    public TimeSpan Processor
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    public static async Task<SinkProcess> StartAsync()
    {
        Process process = OwnProcess.Start(Sink.Mode);
        string[] ports = (await process.StandardOutput.ReadLineAsync())?.Split(' ')
            ?? throw new InvalidOperationException("The sink ended before it listened.");
        var sink = new SinkProcess(process, int.Parse(ports[0], CultureInfo.InvariantCulture));
        await sink._control.ConnectAsync(IPAddress.Loopback, int.Parse(ports[1], CultureInfo.InvariantCulture));
        return sink;
    }

    /// <summary>Waits until so many messages more have arrived than have been waited for before. Allocates nothing.</summary>
    public async ValueTask AwaitAsync(int messages)
    {
        _expected += messages;
        BinaryPrimitives.WriteInt64LittleEndian(_question, _expected);
        await _control.SendAsync(_question.AsMemory());
        if (await _control.ReceiveAsync(_answer.AsMemory()) == 0)
        {
            throw new InvalidOperationException("The sink has ended.");
        }
    }

    public async ValueTask DisposeAsync()
    {
        _control.Dispose();
        _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }
}

/// <summary>
/// A made-up queue of a <see cref="Sink"/>, whose name says what is in it: see <see cref="Named"/>. All its messages are the same frames,
/// with another delivery tag.
/// </summary>
internal sealed class Source
{
    private readonly byte[] _frames;
    private readonly int _tagAt;
    private readonly long _messages;
    private ulong _tag;

    public Source(string queue, ushort channel, string consumerTag)
    {
        string[] parts = queue.Split('-');
        _messages = long.Parse(parts[2], CultureInfo.InvariantCulture);
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, channel, new BasicDeliver { ConsumerTag = consumerTag, RoutingKey = queue });

        // Behind the head of the frame, the number of the method and the consumer's tag.
        _tagAt = HandFrames.Head + sizeof(uint) + 1 + consumerTag.Length;
        byte[] body = Parcels.Body(int.Parse(parts[1], CultureInfo.InvariantCulture));
        var properties =
            new BasicProperties { ContentType = AmqpBody.ContentType, DeliveryMode = Parcels.DeliveryMode, Type = Parcels.TypeName };
        FrameWriter.WriteContentHeader(output, channel, (ulong)body.Length, in properties);
        FrameWriter.WriteBody(output, channel, body, PublishedMessage.FrameMax);
        _frames = output.WrittenSpan.ToArray();
    }

    /// <summary>Whether all has been delivered.</summary>
    public bool IsEmpty => (long)_tag == _messages;

    /// <summary>The name of a queue that has so many parcels of this size.</summary>
    public static string Named(int size, int messages) => $"parcels-{size}-{messages}";

    /// <summary>Writes the next delivery.</summary>
    public void Write(AmqpBuffer output)
    {
        BinaryPrimitives.WriteUInt64BigEndian(_frames.AsSpan(_tagAt), ++_tag);
        output.Write(_frames);
    }
}
