using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.Primitives;
using Wire.Amqp.V091.Fields;
using Wire.Amqp.V091.Frames;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.V091.Content;

/// <summary>Adds up how many bytes the properties of a message take, the flags that say which there are included.</summary>
internal struct SizeProperties : IProperties
{
    private int _size;

    /// <summary>The bytes so far.</summary>
    public readonly int Size => sizeof(ushort) + _size;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Number<T>(ref T? value, string name)
        where T : unmanaged, IBinaryInteger<T> => _size += value.HasValue ? Unsafe.SizeOf<T>() : 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ShortString(ref AmqpString value, string name) => _size += value.IsNull ? 0 : Domains.SizeOfShortString(value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Table(ref FieldTable value, string name)
    {
        if (!value.IsNull)
        {
            FieldCheck.CheckHeaders(value);
            _size = checked(_size + Domains.SizeOfTable(value));
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Timestamp(ref Timestamp? value, string name) => _size += value.HasValue ? sizeof(long) : 0;
}

/// <summary>Writes the properties of a message, and before them which there are.</summary>
internal ref struct WriteProperties : IProperties
{
    private readonly ref byte _flagsAt;
    private PayloadWriter _writer;
    private PropertyFlags _flags;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public WriteProperties(PayloadWriter writer)
    {
        _writer = writer;
        _flagsAt = ref MemoryMarshal.GetReference(_writer.Reserve(sizeof(ushort)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Number<T>(ref T? value, string name)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (_flags.Add(value.HasValue))
        {
            _writer.Write(value.GetValueOrDefault());
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ShortString(ref AmqpString value, string name)
    {
        if (_flags.Add(!value.IsNull))
        {
            _writer.WriteShortString(value);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Table(ref FieldTable value, string name)
    {
        if (_flags.Add(!value.IsNull))
        {
            _writer.WriteTable(value);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Timestamp(ref Timestamp? value, string name)
    {
        if (_flags.Add(value.HasValue))
        {
            _writer.Write(value.GetValueOrDefault().Seconds);
        }
    }

    /// <summary>Fills in the flags.</summary>
    /// <returns>The number of bytes that are left in the frame.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int Finish()
    {
        NetworkOrder.Store(ref _flagsAt, _flags.Word);
        return _writer.Left;
    }
}

/// <summary>Reads the properties of a message.</summary>
internal struct ReadProperties : IProperties
{
    private ArrayReader _reader;
    private PropertyFlags _flags;

    public ReadProperties(ArrayReader reader)
    {
        _reader = reader;
        _flags = PropertyFlags.Read(ref _reader, BasicProperties.Count);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Number<T>(ref T? value, string name)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (_flags.ReadNext())
        {
            value = _reader.Read<T>();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ShortString(ref AmqpString value, string name)
    {
        if (_flags.ReadNext())
        {
            value = _reader.ReadShortString();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Table(ref FieldTable value, string name)
    {
        if (_flags.ReadNext())
        {
            value = _reader.ReadTable();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Timestamp(ref Timestamp? value, string name)
    {
        if (_flags.ReadNext())
        {
            value = new Timestamp(_reader.Read<long>());
        }
    }

    /// <summary>Checks that nothing follows the properties.</summary>
    public readonly void Finish() => _reader.CheckAtEnd("the properties of a message");
}
