using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Messaging.Lane.Server;

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
        Process process = Process.Start(OwnProcess.With(Sink.Mode)) ?? throw new InvalidOperationException("The process of the sink did not start.");
        string[] ports = (await process.StandardOutput.ReadLineAsync())?.Split(' ') ?? throw new InvalidOperationException("The sink ended before it listened.");
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
