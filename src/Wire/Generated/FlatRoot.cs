using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Flat;
using Wire.Sessions;

namespace Wire;

/// <summary>
/// The code for the members of a class or struct in flat messages, and for the messages whose root is an object of the class. Its members
/// may change with any release.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class FlatRoot : FlatPart
{
    // Of the messages that it is the code for.
    private byte[] _prefix = [];
    private Blocks.Places _blocks;
    private int _types;
    private int _head;
    private int _maxLength;
    private bool _isKnown;
    private Func<object>? _create;

    private protected FlatRoot()
    {
    }

    /// <summary>Makes the code for whole messages.</summary>
    /// <param name="prefix">The bytes in front of the members.</param>
    /// <param name="types">How many types they define.</param>
    /// <param name="takesTag">True if the byte that stands for the type follows them.</param>
    internal FlatWriter CompileWriter(byte[] prefix, int types, bool takesTag)
    {
        var code = (FlatRoot)MemberwiseClone();
        (code._prefix, code._types, code._head) = (prefix, types, prefix.Length + (takesTag ? 1 : 0));
        code._blocks = new Blocks.Places(prefix.Length);
        return code.WriteMessage;
    }

    /// <summary>Makes the code for whole payloads.</summary>
    /// <param name="prefix">The bytes in front of the members.</param>
    /// <param name="types">How many types they define.</param>
    /// <param name="isKnown">True if callers have compared them.</param>
    /// <param name="maxLength">The maximal length of a payload, with the bytes that follow.</param>
    /// <param name="create">Makes an object without its members.</param>
    internal FlatReader CompileReader(byte[] prefix, int types, bool isKnown, int maxLength, Func<object> create)
    {
        var code = (FlatRoot)MemberwiseClone();
        (code._prefix, code._types, code._head) = (prefix, types, prefix.Length);
        (code._blocks, code._isKnown) = (new Blocks.Places(prefix.Length), isKnown);
        (code._maxLength, code._create) = (maxLength, create);
        return code.ReadMessage;
    }

    /// <summary>Writes a whole message, whose root is an object of the class.</summary>
    /// <param name="destination">The destination.</param>
    /// <param name="length">The number of bytes that may be written there.</param>
    /// <param name="value">The object.</param>
    /// <param name="tag">The byte that stands for its type in a message of a session.</param>
    /// <param name="known">The types that the session's reader knows; null for a standalone message.</param>
    protected virtual int WriteMessage(ref byte destination, int length, object value, byte tag, object? known)
    {
        int head = Head;
        if (length < head)
        {
            return Missing(length, length - head);
        }

        FlatOutput output = BeginOutput(known);
        ref byte start = ref Unsafe.Add(ref destination, head);
        int size = Write(ref output, ref start, length - head, ref Unsafe.As<object, byte>(ref value));
        return size < 0 ? Fail(length, size) : EndOutput(ref destination, ref start, head + size, tag);
    }

    /// <summary>Reads a whole message, whose root is an object of the class.</summary>
    /// <param name="source">The payload.</param>
    /// <param name="length">How many bytes it has, with those that follow.</param>
    /// <param name="session">The session that it belongs to; null for a standalone message.</param>
    /// <param name="unread">How many bytes follow it, which is set only where some do; a null reference when none may.</param>
    protected virtual object? ReadMessage(ref byte source, int length, DeserializerSession? session, ref int unread)
    {
        if (!BeginInput(ref source, length, session, out FlatInput input, out object? made))
        {
            return null;
        }

        int size = Read(ref input, ref Unsafe.Add(ref source, Head), length - Head, ref Unsafe.As<object, byte>(ref made));
        return size >= 0 && EndInput(length - Head - size, ref unread) ? made : null;
    }

    /// <summary>Gets the number of bytes in front of the members.</summary>
    protected int Head
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _head;
    }

    /// <summary>Begins to write a message.</summary>
    /// <param name="known">The types that the session's reader knows; null for a standalone message.</param>
    /// <returns>The state that the parts of the message share.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected FlatOutput BeginOutput(object? known) => new(_types, Unsafe.As<WrittenTypes>(known));

    /// <summary>Ends a message whose members have been written: writes what is in front of them.</summary>
    /// <param name="destination">The destination.</param>
    /// <param name="start">The first byte of the members.</param>
    /// <param name="size">The number of bytes of the message.</param>
    /// <param name="tag">The byte that stands for its type in a message of a session.</param>
    /// <returns>The number of bytes of the message.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected int EndOutput(ref byte destination, ref byte start, int size, byte tag)
    {
        // The last byte is another one where the tag is not taken.
        Unsafe.Subtract(ref start, 1) = tag;
        if (!_blocks.IsPlain)
        {
            return EndOther(ref destination, size);
        }

        Blocks.Copy(_prefix, _blocks, ref destination);
        return size;
    }

    // Few or many bytes. Called as the last thing, so that no register is kept for it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int EndOther(ref byte destination, int size)
    {
        Blocks.Copy(_prefix, ref destination);
        return size;
    }

    /// <summary>Returns what stands for a message for which there is too little room.</summary>
    /// <param name="length">The number of bytes that may be written.</param>
    /// <param name="left">The number of bytes that are left, which is negative.</param>
    protected static int Missing(int length, int left) => ~(length - left);

    /// <summary>Returns what stands for a message of which a part has not been written.</summary>
    /// <param name="length">The number of bytes that may be written.</param>
    /// <param name="part">What the part has returned, which is negative.</param>
    protected static int Fail(int length, int part) =>
        part == NotFlat ? FlatType.NotFlat : part == TooLittle ? ~length : Missing(length, part);

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
        if (length > _maxLength || length < _head || !(_isKnown || Blocks.Begins(ref source, _prefix, _blocks)))
        {
            made = null;
            return false;
        }

        made = _create!();
        return true;
    }

    /// <summary>Ends a message whose members have been read; false where it is not flat.</summary>
    /// <param name="left">How many bytes follow it.</param>
    /// <param name="unread">How many bytes follow it, which is set only where some do; a null reference when none may.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static bool EndInput(int left, ref int unread)
    {
        if (left == 0)
        {
            return true;
        }

        if (Unsafe.IsNullRef(ref unread))
        {
            return false;
        }

        unread = left;
        return true;
    }
}
