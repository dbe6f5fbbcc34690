using System.Runtime.InteropServices;
using Wire.Amqp.Primitives;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>
/// Any value of AMQP 1.0, without boxing: make one by assigning to it, and ask it for its <see cref="Type"/> and its contents. The default
/// is null. Lists, maps, arrays and described values are their bytes, decoded when they are asked for.
/// </summary>
/// <remarks>
/// One that was read is a view of the input and is valid as long as that is; <see cref="Copy"/> keeps it. Thread-safe while the bytes are
/// not modified. Two are equal when their types are and they hold equal values, however they are encoded: floating point and decimal
/// numbers by their bits, texts and binary by their bytes, and maps in the order of their entries, which is significant (part 1 section
/// 1.6.23).
/// </remarks>
public readonly partial struct AmqpValue : IEquatable<AmqpValue>
{
    /// <summary>
    /// The number of nested containers and descriptors that are followed when a value is materialized, compared or built.
    /// </summary>
    internal const int MaxDepth = 64;

    // A string, or the array with the bytes. The two words are a number, or where in that array the value lies and where in the input.
    private readonly object? _source;
    private readonly ulong _low;
    private readonly ulong _high;

    // For a described value: the position of its constructor, which an array of such values stores separately.
    private readonly int _constructor;
    private readonly AmqpType _type;

    // For a list, map or array: its encoding.
    private readonly byte _code;

    private AmqpValue(AmqpType type, ulong low, ulong high = 0) => (_type, _low, _high) = (type, low, high);

    private AmqpValue(AmqpType type, object? source, int start, int length, byte code = 0, long offset = 0, int constructor = 0)
    {
        _source = source;
        _low = (uint)start | ((ulong)(uint)length << 32);
        _high = (ulong)offset;
        _constructor = constructor;
        _type = type;
        _code = code;
    }

    /// <summary>The value's type.</summary>
    public AmqpType Type => _type;

    /// <summary>Gets whether it is null.</summary>
    public bool IsNull => _type == AmqpType.Null;

    /// <summary>Gets the number of bytes that the value takes when it is written, its constructor included.</summary>
    /// <exception cref="ArgumentException">A string has an unpaired surrogate.</exception>
    public int EncodedSize => Sizes.Measure(this);

    /// <summary>The constructor of a list, map or array.</summary>
    internal byte Code => _code;

    /// <summary>Gets the position of the value's contents in the input, or -1 when it is not known.</summary>
    internal long Offset => _type >= AmqpType.List ? (long)_high : -1;

    /// <summary>All bits of a decimal128 or a uuid.</summary>
    internal UInt128 Wide => new(_high, _low);

    /// <summary>The bits of a number.</summary>
    internal ulong Bits => _low;

    /// <summary>The text of a string or symbol.</summary>
    internal AmqpString Text => new(_source, Start, Length);

    /// <summary>
    /// The bytes of binary; of a list, map or array what follows its size: count, constructor and elements; of a described value the data
    /// that follow its constructor.
    /// </summary>
    internal ReadOnlyMemory<byte> Memory => ((byte[]?)_source).AsMemory(Start, Length);

    internal ArraySegment<byte> Segment => _source is byte[] bytes ? new ArraySegment<byte>(bytes, Start, Length) : [];

    internal ReadOnlySpan<byte> Span => ((byte[]?)_source).AsSpan(Start, Length);

    private int Start => (int)(uint)_low;

    private int Length => (int)(uint)(_low >> 32);

    /// <summary>Makes a value that lies in memory.</summary>
    internal static AmqpValue FromMemory(AmqpType type, byte code, ReadOnlyMemory<byte> memory, long offset)
    {
        ArraySegment<byte> array = ArrayOf(memory);
        return new AmqpValue(type, array.Array, array.Offset, array.Count, code, offset);
    }

    /// <summary>Makes a value that lies in an array.</summary>
    internal static AmqpValue FromArray(AmqpType type, byte code, byte[] array, int start, int length, long offset) =>
        new(type, array, start, length, code, offset);

    /// <summary>Makes a described value.</summary>
    /// <param name="array">The array that it is in.</param>
    /// <param name="constructor">Where its constructor begins, at the zero byte.</param>
    /// <param name="data">How far behind that the data begin that follow the constructor.</param>
    /// <param name="length">How many bytes the data have.</param>
    /// <param name="offset">Where the constructor begins in the input.</param>
    internal static AmqpValue FromDescribed(byte[] array, int constructor, int data, int length, long offset) =>
        new(AmqpType.Described, array, constructor + data, length, Constructor.Described, offset, constructor);

    /// <summary>Begins to read the bytes of a list, map or array, or the data of a described value.</summary>
    /// <param name="offset">Where they begin in the input.</param>
    internal ArrayReader Open(long offset) => new((byte[]?)_source ?? [], Start, Length, offset);

    /// <summary>A boolean, number or other value of fixed width, of its bits.</summary>
    internal static AmqpValue FromBits(AmqpType type, ulong low, ulong high = 0) => new(type, low, high);

    private static AmqpValue FromText(AmqpType type, AmqpString text)
    {
        (object? source, int start, int length) = text;
        return source is null ? default : new AmqpValue(type, source, start, length);
    }

    private static ArraySegment<byte> ArrayOf(ReadOnlyMemory<byte> memory) =>
        MemoryMarshal.TryGetArray(memory, out ArraySegment<byte> array) && array.Array is not null ? array : memory.ToArray();

    private Guid ToGuid()
    {
        Span<byte> bytes = stackalloc byte[16];
        NetworkOrder.Write(bytes, Wide);
        return new Guid(bytes, bigEndian: true);
    }
}

/// <summary>A described value as <see cref="AmqpValue.ToObject"/> makes it.</summary>
/// <param name="Descriptor">What the value means.</param>
/// <param name="Value">The value.</param>
public sealed record DescribedObject(object? Descriptor, object? Value);
