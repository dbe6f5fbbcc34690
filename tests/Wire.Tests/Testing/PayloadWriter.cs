using System.Text;
using Wire.Testing;

namespace Wire.Tests.Testing;

/// <summary>Payloads that no writer of Wire makes, put together piece by piece.</summary>
internal sealed class PayloadWriter
{
    private readonly List<byte> _bytes = [];

    public byte[] Bytes => [.. _bytes];

    public PayloadWriter Byte(params byte[] bytes)
    {
        _bytes.AddRange(bytes);
        return this;
    }

    /// <summary>A number of variable length.</summary>
    public PayloadWriter Number(int value)
    {
        for (; value >= 0x80; value >>= 7)
        {
            _bytes.Add((byte)(value | 0x80));
        }

        return Byte((byte)value);
    }

    /// <summary>A definition as a message of a session has it: with its identifier, and a check behind it.</summary>
    /// <param name="identifier">The identifier.</param>
    /// <param name="manifest">The manifest.</param>
    public static byte[] InSession(int identifier, byte[] manifest) =>
    [
        0x02,
        .. new PayloadWriter().Number(identifier).Number(manifest.Length).Byte(manifest).Bytes,
        .. BitConverter.GetBytes(Crc32C.OfDefinition((uint)identifier, manifest)),
    ];

    /// <summary>The name of a member in a schema.</summary>
    public PayloadWriter Name(string name) => Number(Encoding.UTF8.GetByteCount(name)).Byte(Encoding.UTF8.GetBytes(name));

    /// <summary>A string of one byte for each character.</summary>
    public PayloadWriter Text(string text) => Number(1 + (2 * text.Length)).Byte(Encoding.Latin1.GetBytes(text));

    /// <summary>Many of one kind.</summary>
    public PayloadWriter Many(int count, Action<PayloadWriter, int> write)
    {
        for (int i = 0; i < count; i++)
        {
            write(this, i);
        }

        return this;
    }

    /// <summary>The definition of a type by its full name, with its schema.</summary>
    public PayloadWriter Definition(Type type, Action<PayloadWriter> schema)
    {
        string name = NameOf(type);
        var manifest = new PayloadWriter();
        manifest.Number(Encoding.UTF8.GetByteCount(name) << 1).Byte(Encoding.UTF8.GetBytes(name)).Byte(1);
        schema(manifest);
        return Byte(2).Number(manifest._bytes.Count).Byte(manifest.Bytes);
    }

    private static string NameOf(Type type)
    {
        string name = !type.IsConstructedGenericType ? type.FullName!
            : $"{type.GetGenericTypeDefinition().FullName}"
                + $"[{string.Join(',', type.GetGenericArguments().Select(argument => $"[{NameOf(argument)}]"))}]";
        return type.Assembly == typeof(PayloadWriter).Assembly ? $"{name}, {type.Assembly.GetName().Name}" : name;
    }
}
