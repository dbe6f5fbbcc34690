using System.Buffers;
using System.Runtime.CompilerServices;

namespace Wire.Tool.Tests;

internal enum State
{
    Open,
    Paid,
}

[Flags]
internal enum Marks
{
    Gift = 1,
    Fast = 2,
    Insured = 4,
}

internal sealed class Line
{
    public string? Article { get; set; }

    public decimal Price { get; set; }
}

internal sealed class Order
{
    public int Id { get; set; }

    public string? Customer { get; set; }

    public State State { get; set; }

    public List<Line> Lines { get; set; } = [];

    public Dictionary<string, int> Stock { get; set; } = [];

    public byte[]? Picture { get; set; }
}

internal sealed class Chain
{
    public int Number { get; set; }

    public object? Next { get; set; }
}

/// <summary>Payloads, as files.</summary>
internal sealed class Samples : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("wire-tool-");

    /// <summary>Gets the serializer that writes them.</summary>
    public static Serializer Serializer { get; } = new();

    /// <summary>Makes an order.</summary>
    public static Order NewOrder(int id = 7) => new()
    {
        Id = id,
        Customer = "Ann",
        State = State.Paid,
        Lines = [new() { Article = "apple", Price = 1.50m }, new() { Article = "pear", Price = 2.25m }],
        Stock = { ["apple"] = 3, ["pear"] = 4 },
        Picture = [1, 2, 3, 255],
    };

    /// <summary>Makes objects inside each other.</summary>
    public static Chain NewChain(int levels)
    {
        Chain? chain = null;
        for (int i = levels - 1; i >= 0; i--)
        {
            chain = new Chain { Number = i, Next = chain };
        }

        return chain!;
    }

    /// <summary>Writes a payload.</summary>
    public static byte[] Payload(object? value, SerializerOptions? options = null) =>
        (options is null ? Serializer : new Serializer(options)).Serialize(value);

    /// <summary>Writes frames.</summary>
    public static byte[] Frames(params object?[] values)
    {
        var frames = new ArrayBufferWriter<byte>();
        foreach (object? value in values)
        {
            Serializer.SerializeFramed(value, frames);
        }

        return frames.WrittenSpan.ToArray();
    }

    /// <summary>Writes frames of one session.</summary>
    public static byte[] SessionFrames(params object?[] values)
    {
        var frames = new ArrayBufferWriter<byte>();
        using SerializerSession session = Serializer.GetSerializerSession();
        foreach (object? value in values)
        {
            Serializer.SerializeFramed(value, frames, session);
        }

        return frames.WrittenSpan.ToArray();
    }

    /// <summary>Makes a payload of objects with one member, a struct with another one, whose name is long.</summary>
    public static byte[] LongNames(int length, int objects)
    {
        using var manifest = new MemoryStream();
        using (var writer = new BinaryWriter(manifest))
        {
            // A type T with a schema: members, one of them M, which has members, one of them an int.
            writer.Write([0x02, (byte)'T', 0x01, 0x44, 0x01, 0x01, (byte)'M', 0x44, 0x01]);
            writer.Write7BitEncodedInt(length);
            writer.Write(Enumerable.Repeat((byte)'n', length).ToArray());
            writer.Write((byte)0x15);
        }

        using var payload = new MemoryStream();
        using (var writer = new BinaryWriter(payload))
        {
            writer.Write([0x10, 0x05, 0x2F]);
            writer.Write7BitEncodedInt(objects);
            for (int i = 0; i < objects; i++)
            {
                writer.Write((byte)(i == 0 ? 0x02 : 0x80));
                if (i == 0)
                {
                    writer.Write7BitEncodedInt((int)manifest.ToArray().Length);
                    writer.Write(manifest.ToArray());
                }

                writer.Write(i);
            }
        }

        return payload.ToArray();
    }

    /// <summary>Writes bytes to a file, and returns its path.</summary>
    public string Write(byte[] bytes, [CallerArgumentExpression(nameof(bytes))] string name = "")
    {
        string path = Path.Combine(_folder.FullName, string.Concat(name.Where(char.IsLetterOrDigit)) + ".bin");
        File.WriteAllBytes(path, bytes);
        return path;
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
