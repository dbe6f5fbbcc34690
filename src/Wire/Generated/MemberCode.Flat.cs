using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Compilation.Flat;
using Wire.Flat;
using Wire.Format;
using Wire.Sessions;
using Wire.ValueSerializers;

namespace Wire;

/// <content>The members in flat messages: each part returns how many bytes it has.</content>
public abstract partial class MemberCode
{
    // Of the messages that it is the code for.
    private byte[] _prefix = [];
    private Blocks.Places _blocks;
    private int _types;
    private int _head;
    private int _maxLength;
    private bool _isKnown;

    internal sealed override FlatWriter? CompileWriter(byte[] prefix, int types, bool takesTag)
    {
        var code = (MemberCode)MemberwiseClone();
        (code._prefix, code._types, code._head) = (prefix, types, prefix.Length + (takesTag ? 1 : 0));
        code._blocks = new Blocks.Places(prefix.Length);
        return code.WriteMessage;
    }

    internal sealed override FlatReader? CompileReader(byte[] prefix, int types, bool isKnown, int maxLength, Func<object> create)
    {
        var code = (MemberCode)MemberwiseClone();
        (code._prefix, code._types, code._head) = (prefix, types, prefix.Length);
        (code._isKnown, code._maxLength, code._create) = (isKnown, maxLength, create);
        return code.ReadMessage;
    }

    /// <summary>Writes a whole message, whose root is an object of the class.</summary>
    /// <param name="destination">The destination.</param>
    /// <param name="room">The number of bytes that may be written there.</param>
    /// <param name="value">The object.</param>
    /// <param name="tag">The byte that stands for its type in a message of a session.</param>
    /// <param name="known">The types that the session's reader knows; null for a standalone message.</param>
    protected virtual int WriteMessage(ref byte destination, int room, object value, byte tag, object? known) => NotFlat;

    /// <summary>Reads a whole message, whose root is an object of the class.</summary>
    /// <param name="source">The payload.</param>
    /// <param name="length">How many bytes it has, with those that follow.</param>
    /// <param name="session">The session that it belongs to; null for a standalone message.</param>
    /// <param name="unread">How many bytes follow it, which is set only where some do; a null reference when none may.</param>
    protected virtual object? ReadMessage(ref byte source, int length, DeserializerSession? session, ref int unread) => null;

    /// <summary>Gets the number of bytes in front of the members.</summary>
    protected int Head
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _head;
    }

    /// <summary>Begins to write a message: writes what is in front of its members, if there is room, and returns where they go.</summary>
    /// <param name="destination">The destination.</param>
    /// <param name="room">The number of bytes that may be written behind that; negative where there is too little.</param>
    /// <param name="head">The number of bytes in front of the members.</param>
    /// <param name="tag">The byte that stands for its type in a message of a session.</param>
    /// <param name="known">The types that the session's reader knows; null for a standalone message.</param>
    /// <param name="output">The state that the parts of the message share.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected ref byte BeginOutput(
        [UnscopedRef] ref byte destination, int room, int head, byte tag, object? known, out FlatOutput output)
    {
        output = new FlatOutput(_types, Unsafe.As<WrittenTypes>(known));
        if (room < 0)
        {
            return ref destination;
        }

        // The last byte is another one where the tag is not taken.
        Unsafe.Add(ref destination, head - 1) = tag;
        Blocks.Copy(_prefix, _blocks, ref destination);
        return ref Unsafe.Add(ref destination, head);
    }

    /// <summary>Ends a message whose members have been written.</summary>
    /// <param name="room">The number of bytes that may be written behind what is in front of them.</param>
    /// <param name="head">The number of bytes in front of the members.</param>
    /// <param name="size">The number of bytes of the members, or why they have not been written.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int EndOutput(int room, int head, int size) => size < 0 ? Fail(size, head + room) : head + size;

    // The members of the root say how many bytes are missing, and what is below does not know.
    private static int Fail(int size, int room) => size == NotFlat ? FlatType.NotFlat : ~(size == TooLittle ? room : room - size);

    /// <summary>Returns why a part below the root has not been written.</summary>
    /// <param name="size">What it has returned, which is negative.</param>
    protected static int Below(int size) => size == NotFlat ? NotFlat : TooLittle;

    /// <summary>Begins to read a message; false where it is not flat.</summary>
    /// <param name="source">The payload.</param>
    /// <param name="length">How many bytes it has, with those that follow.</param>
    /// <param name="session">The session that it belongs to; null for a standalone message.</param>
    /// <param name="input">What the parts of the message share.</param>
    /// <param name="made">An object of the class, without its members.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected bool BeginInput(
        ref byte source, int length, DeserializerSession? session, out FlatInput input, [NotNullWhen(true)] out object? made)
    {
        input = new FlatInput(_types, session);
        if (length > _maxLength || length < _head || !(_isKnown || Blocks.Begins(ref source, _prefix)))
        {
            made = null;
            return false;
        }

        made = _create!();
        return true;
    }

    /// <summary>Ends a message whose members have been read; false where it is not flat.</summary>
    /// <param name="length">How many bytes the payload has, with those that follow.</param>
    /// <param name="size">The number of bytes of the members; negative where they have not been read.</param>
    /// <param name="unread">How many bytes follow it, which is set only where some do; a null reference when none may.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected bool EndInput(int length, int size, ref int unread)
    {
        int left = length - _head - size;
        if (size < 0 || left == 0)
        {
            return size >= 0;
        }

        if (Unsafe.IsNullRef(ref unread))
        {
            return false;
        }

        unread = left;
        return true;
    }

    /// <summary>Asks for the code for each member that is no fixed value and no text.</summary>
    /// <returns>False if one of them is not flat.</returns>
    protected virtual bool FitsFlat() => true;

    /// <summary>Asks for the code for a member in flat messages.</summary>
    /// <param name="index">The place among the members.</param>
    /// <param name="part">The code.</param>
    protected bool Flat(int index, [NotNullWhen(true)] out FlatPart? part)
    {
        part = _parts!.Of(_members[index].Slot);
        return part is not null;
    }

    /// <summary>Returns how much room text takes at most, behind its header.</summary>
    /// <param name="output">What the parts of the message share.</param>
    /// <param name="text">The text.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int RoomOf(ref FlatOutput output, string? text) => output.RoomOf(text);

    /// <summary>Returns the number of bytes from one position to another.</summary>
    /// <param name="start">The first one.</param>
    /// <param name="end">The one behind the last.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Between(ref byte start, ref byte end) => (int)Unsafe.ByteOffset(ref start, ref end);

    /// <summary>Returns a variable without its type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="variable">The variable.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Untyped<T>([UnscopedRef] ref T variable) => ref Unsafe.As<T, byte>(ref variable);

    /// <summary>Loads a value of fixed size that is there.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="at">The position of the first of such values.</param>
    /// <param name="offset">How many bytes behind it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static T Load<T>(ref byte at, int offset)
        where T : unmanaged => StandardFormat<T>.Load(ref Unsafe.Add(ref at, offset));

    /// <summary>Writes a string or null, for which there is room.</summary>
    /// <param name="at">The position.</param>
    /// <param name="value">The string.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Text(ref byte at, string? value) => FlatText.Write(ref at, value);

    /// <summary>Reads a string or null.</summary>
    /// <param name="input">What the parts of the message share.</param>
    /// <param name="at">The position.</param>
    /// <param name="room">The number of bytes behind the first one.</param>
    /// <param name="value">The string.</param>
    /// <returns>How many bytes it has behind the first one; negative when it is not read.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Text(ref FlatInput input, ref byte at, int room, out string? value) =>
        FlatText.TryRead(ref at, room, out value, input.CountsText);

    /// <summary>Writes a value of fixed size or null, for which there is room.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="at">The position.</param>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Nullable<T>(ref byte at, T? value)
        where T : unmanaged => FixedNullable<T, StandardFormat<T>>.WriteFlat(ref at, value);

    /// <summary>Reads a value of fixed size or null.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="at">The position.</param>
    /// <param name="room">The number of bytes behind the first one.</param>
    /// <param name="value">The value.</param>
    /// <returns>How many bytes it has behind the first one; negative when it is not read.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Nullable<T>(ref byte at, int room, out T? value)
        where T : unmanaged => FixedNullable<T, StandardFormat<T>>.ReadFlat(ref at, room, out value);
}
