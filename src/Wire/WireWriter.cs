using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Buffers;
using Wire.Format;
using Wire.Sessions;
using Wire.Values;

namespace Wire;

/// <summary>
/// Writes the parts of one payload into contiguous memory. The <see cref="Serializer"/> passes it to value serializers by reference. Not
/// thread-safe.
/// </summary>
public ref struct WireWriter
{
    // A hint that covers most messages, and that every buffer writer can satisfy without growing far.
    internal const int MinWindow = 256;

    /// <summary>The path to the value being written, for error messages: a member's number, or the complement of an index.</summary>
    internal int Member;

    internal readonly SerializerSession Session;

    // The window, and the place in it. Ends are kept and not lengths: to continue is then one store.
    private ref byte _current;
    private ref byte _end;
    private ref byte _start;

    // How many bytes have been handed over.
    private long _sent;

    // Where there is an output, it is written to, also when the message began in a buffer writer. That is kept here and not in an
    // Output, whose field would cost a write barrier.
    private Output? _output;
    private IBufferWriter<byte>? _bufferWriter;

    /// <summary>The position in the window, for emitted code.</summary>
    internal static FieldInfo CurrentField { get; } =
        typeof(WireWriter).GetField(nameof(_current), BindingFlags.Instance | BindingFlags.NonPublic)!;

    /// <summary>The end of the window, for emitted code.</summary>
    internal static FieldInfo EndField { get; } =
        typeof(WireWriter).GetField(nameof(_end), BindingFlags.Instance | BindingFlags.NonPublic)!;

    internal WireWriter(SerializerSession session, Output output)
    {
        Session = session;
        Member = GraphPath.Root;
        _output = output;
    }

    internal WireWriter(SerializerSession session, IBufferWriter<byte> output)
    {
        Session = session;
        Member = GraphPath.Root;
        _bufferWriter = output;
        Span<byte> window = output.GetSpan(MinWindow);
        Open(window);
    }

    private readonly int Left => (int)Unsafe.ByteOffset(ref _current, ref _end);

    private readonly int Written => (int)Unsafe.ByteOffset(ref _start, ref _current);

    /// <summary>Writes one byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteByte(byte value) => Reserve(1) = value;

    /// <summary>Writes a number in as many bytes as its type has, little-endian.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed<T>(T value)
        where T : unmanaged, IBinaryNumber<T> => LittleEndian.Store(ref Reserve(Unsafe.SizeOf<T>()), value);

    /// <summary>Writes an integer in one to five bytes of seven bits, low bits first, the eighth bit set on all but the last.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteVarUInt32(uint value)
    {
        if (value < 0x80)
        {
            WriteByte((byte)value);
        }
        else
        {
            WriteVarUInt64(value);
        }
    }

    /// <summary>Writes an integer in one to ten bytes of seven bits, low bits first, the eighth bit set on all but the last.</summary>
    public void WriteVarUInt64(ulong value)
    {
        while (value >= 0x80)
        {
            WriteByte((byte)(value | 0x80));
            value >>= 7;
        }

        WriteByte((byte)value);
    }

    /// <summary>Writes bytes as they are, without a length.</summary>
    public void WriteBytes(ReadOnlySpan<byte> value)
    {
        if (value.Length <= Left)
        {
            value.CopyTo(MemoryMarshal.CreateSpan(ref _current, value.Length));
            Advance(value.Length);
        }
        else
        {
            WriteBytesOverWindows(value);
        }
    }

    /// <summary>Writes a string, or null. Every UTF-16 string is kept exactly, unpaired surrogates included.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteString(string? value) => _current = ref WriteStringAt(ref _current, value, Member);

    /// <summary>
    /// Writes a value as a variable of type <typeparamref name="T"/>: null, references and runtime types that differ from <typeparamref
    /// name="T"/> included. Read it with <see cref="WireReader.ReadValue{T}"/>.
    /// </summary>
    public void WriteValue<T>(T value) => Session.Serializer.Registry.Slot<T>().Write(ref this, value);

    /// <summary>The <see cref="SerializerOptions.Context"/> of the serializer, which all threads share.</summary>
    /// <exception cref="InvalidOperationException">The option is not set, or is no <typeparamref name="T"/>.</exception>
    public readonly T Context<T>()
        where T : notnull => Session.Serializer.Options.ContextAs<T>();

    /// <summary>Writes a reference to an earlier object.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteReference(uint number)
    {
        if (number < 0x80)
        {
            LittleEndian.Store(ref Reserve(sizeof(ushort)), (ushort)(Tag.Reference | (number << 8)));
        }
        else
        {
            WriteByte(Tag.Reference);
            WriteVarUInt64(number);
        }
    }

    /// <summary>Takes <paramref name="size"/> bytes of the output, to be filled by the caller.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Reserve(int size)
    {
        ref byte start = ref Ensure(size);
        Advance(size);
        return ref start;
    }

    /// <summary>Makes sure that <paramref name="size"/> bytes can be written from here, without taking them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Ensure(int size)
    {
        if (Left < size)
        {
            Grow(size, size);
        }

        return ref _current;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Advance(int size) => _current = ref Unsafe.Add(ref _current, size);

    /// <summary>Writes the count of a collection.</summary>
    /// <param name="count">How many elements.</param>
    /// <param name="memorySize">How many bytes of memory an element takes when it is read.</param>
    internal void WriteCount(int count, int memorySize)
    {
        CheckCount(count, memorySize);
        WriteVarUInt32((uint)count);
    }

    /// <summary>Refuses a collection that no reader with the same limits would read.</summary>
    internal readonly void CheckCount(long count, int memorySize)
    {
        if (count > Session.Limits.MaxElements)
        {
            Session.Costs.Refuse(Member, nameof(Limits.MaxElements), Session.Limits.MaxElements, $"A collection of {count} elements");
        }

        Session.Costs.Charge(Member, count * memorySize);
    }

    /// <summary>Refuses a payload that no reader with the same limits would read.</summary>
    /// <param name="more">How many bytes come next.</param>
    internal readonly void CheckBytes(int more = 0)
    {
        if (Offset + more > Session.MaxBytes)
        {
            Session.Costs.RefuseBytes(Member);
        }
    }

    /// <summary>Gets the number of bytes of the payload that have been written.</summary>
    internal readonly long Offset => _sent + Written;

    /// <summary>Counts bytes that are to be written again as not written.</summary>
    internal void TakeBack(int size) => _sent -= size;

    /// <summary>
    /// Hands the rest of the message to the buffer writer that it is written to; false when that is an output. Nothing may be written after
    /// that.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly bool TryFinishBufferWriter()
    {
        if (_output is not null)
        {
            return false;
        }

        _bufferWriter!.Advance(Written);
        return true;
    }

    /// <summary>Hands the rest of the message to the output. Nothing may be written after that.</summary>
    internal readonly void FinishOutput() => _output!.Next(Written, 0, 0);

    /// <summary>Gets whether the message goes to a buffer writer in the end.</summary>
    internal readonly bool HasBufferWriter => _bufferWriter is not null;

    /// <summary>
    /// Hands a message that has been finished in an output to the buffer writer in which it began; false when it did not.
    /// </summary>
    internal readonly bool TrySendOn(ReadOnlySpan<byte> message)
    {
        if (_bufferWriter is null)
        {
            return false;
        }

        _bufferWriter.Write(message);
        return true;
    }

    /// <summary>Continues writing to an output, after handing what has been written to the current one.</summary>
    internal Output Redirect(Output target)
    {
        Output before = _output!;
        int written = Written;
        _sent += written;
        before.Next(written, 0, 0);
        Open(default);
        _output = target;
        return before;
    }

    /// <summary>Continues writing to an output with what lies in the current window of a buffer writer, if there is one.</summary>
    internal void LeaveBufferWriter(Output target)
    {
        if (_output is not null)
        {
            return;
        }

        ReadOnlySpan<byte> written = MemoryMarshal.CreateReadOnlySpan(ref _start, Written);
        _output = target;
        Open(default);
        WriteBytes(written);
    }

    // Out of line: most payloads fit the first window.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int needed, long wanted)
    {
        CheckBytes();
        int written = Written;
        _sent += written;
        Open(_output is not null ? _output.Next(written, needed, wanted) : NextSpan(_bufferWriter!, written, needed));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Open(Span<byte> window)
    {
        _start = ref _current = ref MemoryMarshal.GetReference(window);
        _end = ref Unsafe.Add(ref _current, window.Length);
    }

    private Span<byte> NextSpan(IBufferWriter<byte> output, int written, int needed)
    {
        if (written > 0)
        {
            // Before the call: if it throws, its effect is unknown.
            Session.BeginSending();
            output.Advance(written);
            Open(default);
        }

        int hint = Math.Max(needed, MinWindow);
        Span<byte> window = output.GetSpan(hint);
        if (window.Length < needed)
        {
            throw new InvalidOperationException(
                $"{output.GetType()}.GetSpan({hint}) returned only {window.Length} bytes; IBufferWriter<byte> has to return at least the " +
                "size hint.");
        }

        return window;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteBytesOverWindows(ReadOnlySpan<byte> value)
    {
        CheckBytes(value.Length);
        while (!value.IsEmpty)
        {
            if (Left == 0)
            {
                Grow(1, value.Length);
            }

            int part = Math.Min(Left, value.Length);
            value[..part].CopyTo(MemoryMarshal.CreateSpan(ref _current, part));
            Advance(part);
            value = value[part..];
        }
    }

    // Writing from a position that emitted code keeps in a local, from one member to the next. Whatever may leave the window, or refuse
    // the value, first moves the writer to that position, and takes the member's number, which no one else needs.

    /// <summary>Writes a string, or null.</summary>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte WriteStringAt([UnscopedRef] ref byte position, string? value, int member)
    {
        int left = (int)Unsafe.ByteOffset(ref position, ref _end);
        if (value is null)
        {
            if (left > 0)
            {
                position = 0;
                return ref Unsafe.Add(ref position, 1);
            }
        }
        else
        {
            int length = value.Length;
            if (length <= StringFormat.MaxShortLength && length < left
                && Latin1.TryNarrow(ref Unsafe.AsRef(in value.GetPinnableReference()), length, ref Unsafe.Add(ref position, 1)))
            {
                position = (byte)StringFormat.Header(length, wide: false);
                return ref Unsafe.Add(ref position, 1 + length);
            }
        }

        return ref WriteAnyString(ref position, value, member);
    }

    /// <summary>The position in the window.</summary>
    internal readonly ref byte Position => ref _current;

    /// <summary>Returns the number of bytes of the window that follow a position.</summary>
    internal readonly int LeftFrom(ref readonly byte position) => (int)Unsafe.ByteOffset(in position, ref _end);

    /// <summary>Moves to a position.</summary>
    internal void GoTo([UnscopedRef] ref byte position) => _current = ref position;

    /// <summary>Makes sure that bytes can be written from a position on.</summary>
    /// <returns>The position, perhaps in another window.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte EnsureAt([UnscopedRef] ref byte position, int size, int member)
    {
        if (LeftFrom(ref position) < size)
        {
            return ref GrowAt(ref position, size, member);
        }

        return ref position;
    }

    /// <summary>Makes sure that bytes can be written from a position on, where they cannot.</summary>
    /// <returns>The position, perhaps in another window.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal ref byte GrowAt([UnscopedRef] ref byte position, int size, int member)
    {
        Member = member;
        _current = ref position;
        Grow(size, size);
        return ref _current;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ref byte WriteAnyString([UnscopedRef] ref byte position, string? value, int member)
    {
        Member = member;
        _current = ref position;
        StringFormat.Write(ref this, value);
        return ref _current;
    }
}
