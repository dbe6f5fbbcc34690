using System.Numerics;
using System.Runtime.CompilerServices;
using Wire.Amqp.Primitives;
using Wire.Amqp.V091.Fields;
using Wire.Amqp.V091.Frames;

namespace Wire.Amqp.V091.Methods;

/// <summary>An argument that several methods have in common.</summary>
internal static class CommonArguments
{
    /// <summary>The access ticket of AMQP 0-8, with which methods on exchanges and queues begin: reserved in 0-9-1.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Ticket<TArguments>(this ref TArguments arguments)
        where TArguments : struct, IArguments, allows ref struct
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
    }
}

/// <summary>Adds up how many bytes the arguments of a method take.</summary>
internal struct SizeArguments : IArguments
{
    private int _bits;

    /// <summary>The bytes so far.</summary>
    public int Size { get; private set; }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Number<T>(ref T value, string name)
        where T : unmanaged, IBinaryInteger<T> => Add(Unsafe.SizeOf<T>());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Bit(ref bool value, string name) => Size += (_bits++ & 7) == 0 ? 1 : 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ShortString(ref AmqpString value, string name) => Add(Domains.SizeOfShortString(value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void LongString(ref AmqpString value, string name) => Add(Domains.SizeOfLongString(value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Table(ref FieldTable value, string name)
    {
        FieldCheck.CheckTable(value);
        Add(Domains.SizeOfTable(value));
    }

    private void Add(int size)
    {
        Size = checked(Size + size);
        _bits = 0;
    }
}

/// <summary>Writes the arguments of a method.</summary>
internal ref struct WriteArguments(PayloadWriter writer) : IArguments
{
    private PayloadWriter _writer = writer;
    private int _bits;
    private byte _octet;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Number<T>(ref T value, string name)
        where T : unmanaged, IBinaryInteger<T>
    {
        EndBits();
        _writer.Write(value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Bit(ref bool value, string name)
    {
        if (_bits == 8)
        {
            EndBits();
        }

        _octet |= (byte)((value ? 1 : 0) << _bits++);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ShortString(ref AmqpString value, string name)
    {
        EndBits();
        _writer.WriteShortString(value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void LongString(ref AmqpString value, string name)
    {
        EndBits();
        _writer.WriteLongString(value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Table(ref FieldTable value, string name)
    {
        EndBits();
        _writer.WriteTable(value);
    }

    /// <summary>Ends the arguments.</summary>
    /// <returns>The number of bytes that are left in the frame.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Finish()
    {
        EndBits();
        return _writer.Left;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void EndBits()
    {
        if (_bits != 0)
        {
            _writer.Write(_octet);
            _octet = 0;
            _bits = 0;
        }
    }
}

/// <summary>Reads the arguments of a method.</summary>
internal struct ReadArguments(ArrayReader reader) : IArguments
{
    private ArrayReader _reader = reader;
    private int _bits;
    private byte _octet;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Number<T>(ref T value, string name)
        where T : unmanaged, IBinaryInteger<T>
    {
        _bits = 0;
        value = _reader.Read<T>();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Bit(ref bool value, string name)
    {
        if ((_bits & 7) == 0)
        {
            _octet = _reader.Read<byte>();
        }

        value = ((_octet >> (_bits++ & 7)) & 1) != 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ShortString(ref AmqpString value, string name)
    {
        _bits = 0;
        value = _reader.ReadShortString();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void LongString(ref AmqpString value, string name)
    {
        _bits = 0;
        value = _reader.ReadLongString();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Table(ref FieldTable value, string name)
    {
        _bits = 0;
        value = _reader.ReadTable();
    }

    /// <summary>Checks that nothing follows the arguments.</summary>
    public readonly void Finish() => _reader.CheckAtEnd("the arguments of a method");
}
