using System.IO.Pipelines;
using System.Text;
using Wire.Amqp.Client;
using Wire.Amqp.V091;

namespace Parcels;

/// <summary>Bodies that are no objects, and objects that are large.</summary>
internal static class Bodies
{
    public static async Task RunAsync(AmqpChannel channel, string queue)
    {
        var to = new BasicPublish { RoutingKey = queue };
        byte[] bytes = Encoding.UTF8.GetBytes(new string('a', 40_000));
        PipeReader reader = await WrittenAsync(bytes);

        #region bodies
        var text = new BasicProperties { ContentType = "text/plain" };
        await channel.PublishBytesAsync(in to, in text, bytes); // a byte[] or ReadOnlyMemory<byte>
        await channel.PublishWrittenAsync(in to, in text, bytes.Length, static (output, length) =>
        {
            output.GetSpan(length)[..length].Fill((byte)'b');
            output.Advance(length);
        });
        #endregion

        #region sequence
        ReadResult read = await reader.ReadAsync();
        await channel.PublishBytesAsync(in to, in text, read.Buffer, FrameWriting.Inline); // from where it lies
        reader.AdvanceTo(read.Buffer.End); // now, and not before: the task has ended
        #endregion

        #region large
        await channel.PublishAsync("", queue, new Scan(1, new byte[8 << 20])); // above StreamAbove: in pieces, as it is serialized
        #endregion

        Console.WriteLine($"  {await channel.Topology.PurgeQueueAsync(queue)} bodies arrived, one of them of 8 MB");
    }

    // In parts of 16 KiB, as a program might have received them.
    private static async Task<PipeReader> WrittenAsync(byte[] bytes)
    {
        var pipe = new Pipe(new PipeOptions(minimumSegmentSize: 1 << 14));
        await pipe.Writer.WriteAsync(bytes);
        await pipe.Writer.CompleteAsync();
        return pipe.Reader;
    }
}
