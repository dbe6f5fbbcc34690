using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Compilation.Flat;
using Wire.Format;
using Wire.ValueSerializers;

namespace Wire;

/// <content>The members in flat messages: each part returns how many bytes it has.</content>
public abstract partial class MemberCode
{
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
