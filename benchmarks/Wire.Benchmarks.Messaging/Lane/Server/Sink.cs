using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Messaging.Lane.Server;

/// <summary>
/// A server of AMQP 0-9-1 in a process of its own that takes messages and forgets them, or delivers made-up ones, with as little work as can be: so that what
/// is measured is the client. It prints its port and the one that <see cref="SinkProcess"/> asks it by, and ends with the latter's connection.
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
