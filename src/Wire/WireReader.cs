using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.Sessions;
using Wire.Values;

namespace Wire;

/// <summary>
/// Reads the parts of one payload. The <see cref="Serializer"/> passes it to value serializers by reference. Not thread-safe. Every method
/// throws <see cref="WireFormatException"/> when the bytes are not valid for it.
/// </summary>
public ref partial struct WireReader : IPayloadCursor
{
    // Bytes to skip are requested in pieces of this size, never beyond the value.
    private const int SkipPiece = 4096;

    /// <summary>The path to the value being read, for error messages: a member's number, or the complement of an index.</summary>
    internal int Member;

    internal readonly DeserializerSession Session;

    private readonly Input? _input;

    // The window: the position in it, its end, and the end's offset in the payload.
    private ref byte _current;
    private ref byte _end;
    private long _windowEnd;

    /// <summary>The position in the window, for emitted code.</summary>
    internal static FieldInfo CurrentField { get; } =
        typeof(WireReader).GetField(nameof(_current), BindingFlags.Instance | BindingFlags.NonPublic)!;

    /// <summary>The end of the window, for emitted code.</summary>
    internal static FieldInfo EndField { get; } =
        typeof(WireReader).GetField(nameof(_end), BindingFlags.Instance | BindingFlags.NonPublic)!;

    internal WireReader(DeserializerSession session, ReadOnlySpan<byte> window, Input? input, long offset = 0)
    {
        Session = session;
        Member = GraphPath.Root;
        _input = input;
        Open(window);
        _windowEnd = offset + window.Length;
    }

    /// <summary>Gets the number of bytes of the payload that have been read.</summary>
    public readonly long Offset => _windowEnd - Unread;

    /// <summary>The bytes of the current window that have not been read.</summary>
    internal readonly int Unread => (int)Unsafe.ByteOffset(ref _current, ref _end);

    /// <summary>Those bytes.</summary>
    internal readonly ReadOnlySpan<byte> Window => MemoryMarshal.CreateReadOnlySpan(ref _current, Unread);

    /// <summary>Gets whether the input knows how many bytes remain.</summary>
    internal readonly bool KnowsLeft => _input is null || _input.Left != long.MaxValue;

    /// <summary>Gets whether <see cref="GoBack"/> can reach earlier bytes.</summary>
    internal readonly bool CanGoBack => _input is null || _input.CanGoBack;

    private readonly long Left => _input is null ? Unread : KnowsLeft ? _input.Left + Unread : long.MaxValue;

    /// <summary>Reads one byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte ReadByte() => ReadRef(1);

    /// <summary>Reads a number in as many bytes as its type has, little-endian.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T ReadFixed<T>()
        where T : unmanaged, IBinaryNumber<T> => LittleEndian.Load<T>(ref ReadRef(Unsafe.SizeOf<T>()));

    /// <summary>Reads what <see cref="WireWriter.WriteVarUInt32"/> wrote.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadVarUInt32()
    {
        uint first = ReadByte();
        return first < 0x80 ? first : ContinueVarUInt32(first);
    }

    /// <summary>Reads what <see cref="WireWriter.WriteVarUInt64"/> wrote.</summary>
    public ulong ReadVarUInt64()
    {
        ulong value = 0;
        for (int shift = 0; ; shift += 7)
        {
            ulong part = ReadByte();
            if (shift == 63 && part > 1)
            {
                ThrowHelper.InvalidValue("variable-length integer", "it exceeds 64 bits");
            }

            value |= (part & 0x7F) << shift;
            if (part < 0x80)
            {
                return value;
            }
        }
    }

    /// <summary>Reads a string, or null, that <see cref="WireWriter.WriteString"/> wrote.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public string? ReadString()
    {
        _current = ref ReadStringAt(ref _current, Member, out string? value);
        return value;
    }

    /// <summary>Fills the destination with the next bytes.</summary>
    public void ReadBytes(Span<byte> destination)
    {
        int part = Math.Min(destination.Length, Unread);
        MemoryMarshal.CreateReadOnlySpan(ref _current, part).CopyTo(destination);
        Advance(part);
        if (part < destination.Length)
        {
            int missing = destination.Length - part;
            if (_input is null)
            {
                ThrowHelper.Truncated(missing);
            }

            Session.Recorder?.Save(ref this);
            Consume(missing);
            _input!.Fill(destination[part..]);
            Session.Recorder?.Save(ref this, destination[part..]);
        }
    }

    /// <summary>Reads a value that <see cref="WireWriter.WriteValue{T}"/> wrote as the same <typeparamref name="T"/>.</summary>
    public T ReadValue<T>() => Session.Serializer.Registry.Slot<T>().Read(ref this);

    /// <summary>The <see cref="SerializerOptions.Context"/> of the serializer, which all threads share.</summary>
    /// <exception cref="InvalidOperationException">The option is not set, or is no <typeparamref name="T"/>.</exception>
    public readonly T Context<T>()
        where T : notnull => Session.Serializer.Options.ContextAs<T>();

    /// <summary>Makes a reader of the same payload at an earlier position. This one keeps its position.</summary>
    /// <param name="begin">The place.</param>
    /// <param name="end">The end of the part that it reads.</param>
    /// <param name="input">The input to return to its pool afterwards, if any.</param>
    internal readonly WireReader GoBack(long begin, long end, out Input? input)
    {
        input = _input?.At(begin, end);
        if (input is not null)
        {
            return new WireReader(Session, default, input, begin);
        }

        // Without an input, the window is the whole payload.
        ref byte first = ref Unsafe.Subtract(ref _end, (int)(_windowEnd - begin));
        return new WireReader(Session, MemoryMarshal.CreateReadOnlySpan(ref first, (int)(end - begin)), null, begin);
    }

    /// <summary>Returns the next <paramref name="size"/> bytes as one contiguous span.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte ReadRef(int size)
    {
        if (Unread < size)
        {
            Refill(size);
        }

        ref byte start = ref _current;
        Advance(size);
        return ref start;
    }

    /// <summary>Returns the last bytes of the window that have been read.</summary>
    internal readonly ReadOnlySpan<byte> Behind(int size) =>
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Subtract(ref _current, size), size);

    /// <summary>Registers the object whose body has just begun, so that its members can refer to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly void Track(object value) => Session.Track(value);

    /// <summary>Skips bytes.</summary>
    internal void Skip(long size)
    {
        CheckLength(size);
        while (size > 0)
        {
            if (Unread == 0)
            {
                Refill((int)Math.Min(size, SkipPiece));
            }

            int part = (int)Math.Min(size, Unread);
            Advance(part);
            size -= part;
        }
    }

    internal uint ContinueVarUInt32(uint first)
    {
        uint value = first & 0x7F;
        for (int shift = 7; first >= 0x80; shift += 7)
        {
            first = ReadByte();
            if (shift == 28 && first > 0x0F)
            {
                ThrowHelper.InvalidValue("variable-length integer", "it exceeds 32 bits");
            }

            value |= (first & 0x7F) << shift;
        }

        return value;
    }

    /// <summary>Refuses a length that the rest of the input cannot hold, before anything is allocated for it.</summary>
    internal readonly void CheckLength(long size)
    {
        if (size > Left)
        {
            ThrowHelper.Length(size, Left);
        }

        if (Offset + size > Session.MaxBytes)
        {
            ThrowHelper.Limit(nameof(Limits.MaxBytes), Session.MaxBytes, "The payload");
        }
    }

    /// <summary>Reads the count of a collection whose elements take at least <paramref name="elementSize"/> bytes each.</summary>
    /// <param name="elementSize">At least 1.</param>
    /// <param name="memorySize">The number of bytes of memory that an element takes; 0 when elements take none.</param>
    /// <param name="capacity">The number of elements to allocate for at first: all when the input is known to hold them.</param>
    internal int ReadCount(int elementSize, int memorySize, out int capacity)
    {
        uint count = ReadVarUInt32();
        CheckCount(count, elementSize, memorySize, out capacity);
        return (int)count;
    }

    internal readonly void CheckCount(long count, int elementSize, int memorySize, out int capacity)
    {
        const int UntrustedCapacity = 1024;
        if (count > Session.Limits.MaxElements)
        {
            ThrowHelper.Limit(nameof(Limits.MaxElements), Session.Limits.MaxElements, $"A collection of {count} elements");
        }

        CheckLength(count * elementSize);
        Session.Costs.Charge(count * memorySize);
        capacity = (int)(KnowsLeft ? count : Math.Min(count, UntrustedCapacity));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Advance(int size) => _current = ref Unsafe.Add(ref _current, size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Open(ReadOnlySpan<byte> window)
    {
        _current = ref MemoryMarshal.GetReference(window);
        _end = ref Unsafe.Add(ref _current, window.Length);
    }

    // Out of line: a span has only one window.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Refill(int needed)
    {
        if (_input is null)
        {
            ThrowHelper.Truncated(needed - Unread);
        }

        Session.Recorder?.Save(ref this);
        int before = Unread;
        ReadOnlySpan<byte> window = _input!.Next(MemoryMarshal.CreateReadOnlySpan(ref _current, before), needed);
        Open(window);
        _windowEnd += window.Length - before;
        if (Offset + needed > Session.MaxBytes)
        {
            ThrowHelper.Limit(nameof(Limits.MaxBytes), Session.MaxBytes, "The payload");
        }
    }

    // Bytes that bypass the window: the window is empty then, and its end's offset moves.
    private void Consume(long size)
    {
        _windowEnd += size;
        if (Offset > Session.MaxBytes)
        {
            ThrowHelper.Limit(nameof(Limits.MaxBytes), Session.MaxBytes, "The payload");
        }
    }

    // Reading from a position that emitted code keeps in a local, from one member to the next. Methods that may leave the window or refuse
    // the bytes first move the reader to that position, and take the member's number for errors.

    /// <summary>Reads a string, or null.</summary>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte ReadStringAt([UnscopedRef] ref byte position, int member, out string? value)
    {
        int left = LeftFrom(ref position);
        if (left > 0)
        {
            uint header = position;
            int length = (int)(header >> 1);
            if ((header & 0x81) == 1 && length < left)
            {
                string text = new('\0', length);
                Latin1.Widen(ref Unsafe.Add(ref position, 1), length, ref Unsafe.AsRef(in text.GetPinnableReference()));
                value = text;
                return ref Unsafe.Add(ref position, 1 + length);
            }

            if (header == 0)
            {
                value = null;
                return ref Unsafe.Add(ref position, 1);
            }
        }

        value = ReadAnyString(ref position, member);
        return ref _current;
    }

    /// <summary>The position in the window.</summary>
    internal readonly ref byte Position => ref _current;

    /// <summary>Returns the number of bytes of the window that follow a position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int LeftFrom(ref readonly byte position) => (int)Unsafe.ByteOffset(in position, ref _end);

    /// <summary>Moves to a position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void GoTo([UnscopedRef] ref byte position) => _current = ref position;

    /// <summary>Moves to a position, so that an error there has the right offset.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void GoTo([UnscopedRef] ref byte position, int member)
    {
        Member = member;
        _current = ref position;
    }

    /// <summary>Makes sure that bytes can be read from a position on.</summary>
    /// <returns>The position, perhaps in another window.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte EnsureAt([UnscopedRef] ref byte position, int size, int member)
    {
        if (LeftFrom(ref position) < size)
        {
            return ref RefillAt(ref position, size, member);
        }

        return ref position;
    }

    /// <summary>Makes a number of bytes readable from a position on, when the window has fewer.</summary>
    /// <returns>The position, perhaps in another window.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal ref byte RefillAt([UnscopedRef] ref byte position, int size, int member)
    {
        GoTo(ref position, member);
        Refill(size);
        return ref _current;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private string? ReadAnyString([UnscopedRef] ref byte position, int member)
    {
        GoTo(ref position, member);
        return StringFormat.Read(ref this);
    }
}
