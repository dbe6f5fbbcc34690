using System.Buffers;
using Wire.Testing;
using Wire.Tool.Running;

namespace Wire.Tool.Tests;

/// <summary>The files from which web/page is tested and shown: <c>WIRE_SHOTS_WRITE=1</c> writes them anew.</summary>
public sealed class PagePayloadTests
{
    public static TheoryData<string> Files() => [.. Make().Keys];

    [Theory]
    [MemberData(nameof(Files))]
    public void The_files_of_the_page_are_what_is_written(string name)
    {
        string path = Path.Combine(Repository.Root, "web", "page", "test", "payloads", name);
        byte[] bytes = Make()[name];
        if (Repository.IsAskedFor("WIRE_SHOTS_WRITE"))
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllBytes(path, bytes);
        }

        Assert.Equal(File.ReadAllBytes(path), bytes);
    }

    private static Dictionary<string, byte[]> Make()
    {
        object[] messages = Shop.NewMessages();
        var frames = new ArrayBufferWriter<byte>();
        var session = new ArrayBufferWriter<byte>();
        using SerializerSession writer = Shop.Serializer.GetSerializerSession();
        for (int i = 0; i < messages.Length; i++)
        {
            Shop.Serializer.SerializeFramed(messages[i], frames);
            Shop.Serializer.SerializeFramed(messages[i], session, writer);
            if (i == 2)
            {
                // What is refused must not hide what is behind it.
                frames.Write<byte>([7, 0, 0, 0, 0x10, 0x05, 0x2F, 0x02, 0x00, 0x06, 0x00]);
            }
        }

        byte[] order = Shop.Serializer.Serialize(messages[0]);
        return new()
        {
            ["order.bin"] = order,
            ["queue.frames"] = frames.WrittenSpan.ToArray(),
            ["session.frames"] = session.WrittenSpan.ToArray(),
            ["order.show"] = Shown(order),
        };
    }

    // As a terminal gets it.
    private static byte[] Shown(byte[] payload)
    {
        using var output = new MemoryStream();
        using var console = new ToolConsole(() => new MemoryStream(payload), output, TextWriter.Null, usesColors: true);
        Assert.Equal(0, WireTool.Run(["show", "-"], console));
        return output.ToArray();
    }
}
