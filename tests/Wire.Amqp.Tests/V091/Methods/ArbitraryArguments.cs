using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.V091.Methods;

/// <summary>Makes values of bytes, the simplest ones when there are none left: shorter noise is a smaller sample.</summary>
internal sealed class Noise(byte[] bytes)
{
    private int _position;

    public byte Next() => _position < bytes.Length ? bytes[_position++] : (byte)0;

    /// <summary>A table that a broker takes.</summary>
    public FieldTable NextTable()
    {
        int length = Next();
        return length % 4 == 0 ? default : FieldTable.Create([new("noise", Next(length)), new($"{length}", (long)length)]);
    }

    public byte[] Next(int length) => [.. Enumerable.Range(0, length).Select(_ => Next())];

    public AmqpString NextString()
    {
        byte kind = Next();
        int length = Next();
        return (kind % 4) switch
        {
            0 => default,
            1 => new AmqpString(Next(length)),
            2 => new string((char)('a' + (Next() % 26)), length),
            _ => string.Concat(Enumerable.Repeat("\u00fc\u20ac", length / 5)),
        };
    }
}

/// <summary>Fills the arguments of a method.</summary>
internal readonly struct ArbitraryArguments(Noise noise) : IArguments
{
    public void Number<T>(ref T value, string name)
        where T : unmanaged, IBinaryInteger<T> => value = MemoryMarshal.Read<T>(noise.Next(Unsafe.SizeOf<T>()));

    public void Bit(ref bool value, string name) => value = (noise.Next() & 1) != 0;

    public void ShortString(ref AmqpString value, string name) => value = noise.NextString();

    public void LongString(ref AmqpString value, string name) => value = noise.NextString();

    public void Table(ref FieldTable value, string name) => value = noise.NextTable();
}
