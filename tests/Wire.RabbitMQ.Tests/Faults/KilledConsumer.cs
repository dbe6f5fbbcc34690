using System.Buffers.Binary;
using System.Diagnostics;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>
/// A process that consumes numbers, each in an object, and is killed: it writes each number into a file before it is acknowledged. What is
/// written is the system's, and outlives the process.
/// </summary>
internal sealed class KilledConsumer : IDisposable
{
    /// <summary>Writes and reads the objects, here and in the process.</summary>
    public static readonly WireBodySerializer Serializer = new(new SerializerOptions());

    private readonly Process _process;
    private readonly string _file;

    private KilledConsumer(Process process, string file) => (_process, _file) = (process, file);

    /// <summary>Gets the number of numbers that it has written.</summary>
    public long Count => File.Exists(_file) ? new FileInfo(_file).Length / sizeof(int) : 0;

    /// <summary>Gets whether it has ended, although nobody has killed it.</summary>
    public bool HasEnded => _process.HasExited;

    /// <summary>Starts one.</summary>
    public static KilledConsumer Start(Uri broker, string queue, string file)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "Wire.RabbitMQ.Tests.dll");
        return new(Process.Start(Environment.ProcessPath!, [program, broker.ToString(), queue, file]), file);
    }

    /// <summary>Kills it: nothing of it runs any more, not even its end.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync();
    }

    /// <summary>Reads the numbers that it has written; the last may be cut.</summary>
    public IEnumerable<int> Numbers()
    {
        byte[] bytes = File.Exists(_file) ? ReadAll() : [];
        for (int i = 0; i + sizeof(int) <= bytes.Length; i += sizeof(int))
        {
            yield return BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(i));
        }
    }

    public void Dispose() => _process.Dispose();

    // While the process may be writing.
    private byte[] ReadAll()
    {
        using var file = new FileStream(_file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        byte[] bytes = new byte[file.Length];
        file.ReadExactly(bytes);
        return bytes;
    }

    /// <summary>The process.</summary>
    public static async Task<int> RunAsync(string[] arguments)
    {
        if (arguments is not [string uri, string queue, string file])
        {
            await Console.Error.WriteLineAsync("A URI, a queue and a file are expected.");
            return 1;
        }

        await using WireConnection connection = await WireConnection.ConnectAsync(uri);
        await using var written = new FileStream(file, FileMode.Create, FileAccess.Write, FileShare.Read, bufferSize: 0);
        var turn = new Lock();
        await using var consumer = new WireConsumer(
            connection, Serializer, new WireConsumerOptions { Queue = queue, MaxConcurrency = 8, PrefetchCount = 8 });
        consumer.Handle<Plain>((plain, _) =>
        {
            Span<byte> number = stackalloc byte[sizeof(int)];
            BinaryPrimitives.WriteInt32LittleEndian(number, plain.Number);
            lock (turn)
            {
                written.Write(number);
            }

            return Task.CompletedTask;
        });
        await consumer.StartAsync();
        await Task.Delay(Timeout.Infinite);
        return 0;
    }
}
