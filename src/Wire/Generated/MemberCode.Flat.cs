using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Compilation.Flat;
using Wire.Compilation.Flat.Parts;
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

    /// <summary>Asks for the code for an array or a list in flat messages, of values whose bytes are their memory.</summary>
    /// <typeparam name="T">The type of the values.</typeparam>
    /// <param name="index">The place among the members.</param>
    /// <param name="part">The code.</param>
    protected bool Memory<T>(int index, [NotNullWhen(true)] out FlatPart? part) =>
        Flat(index, out part) && part is FlatSequence<T> { Element: null };

    /// <summary>Writes such an array, or null.</summary>
    /// <typeparam name="T">The type of the values.</typeparam>
    /// <param name="part">The code.</param>
    /// <param name="start">Where the first byte goes.</param>
    /// <param name="room">The number of bytes that may be written from there on.</param>
    /// <param name="value">The array.</param>
    /// <returns>The number of bytes; negative where it is not written.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Memory<T>(FlatPart part, ref byte start, int room, T[]? value) =>
        Unsafe.As<FlatSequence<T>>(part).WriteMemory(ref start, room, value, isOfList: false);

    /// <summary>Writes such a list, or null.</summary>
    /// <inheritdoc cref="Memory{T}(FlatPart, ref byte, int, T[])"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Memory<T>(FlatPart part, ref byte start, int room, List<T>? value) =>
        Unsafe.As<FlatSequence<T>>(part).WriteMemory(ref start, room, value, isOfList: true);

    /// <summary>Begins to write an array or list of objects of the class, or null.</summary>
    /// <typeparam name="T">The class.</typeparam>
    /// <param name="part">The code for the collection.</param>
    /// <param name="start">Where the first byte goes.</param>
    /// <param name="room">The number of bytes that may be written from there on.</param>
    /// <param name="value">The collection.</param>
    /// <param name="isList">True if it is a list.</param>
    /// <param name="element">The code for an element.</param>
    /// <param name="values">The elements.</param>
    /// <returns>The number of bytes; 0 for null, which is one byte; negative where it is not written.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Begin<T>(
        FlatPart part, ref byte start, int room, object? value, bool isList, out FlatPart element, out Span<T> values)
    {
        FlatSequence<T> sequence = Unsafe.As<FlatSequence<T>>(part);
        element = sequence.Element!;
        return sequence.Begin(ref start, room, value, isList, 0, out values);
    }

    /// <summary>Begins to read an array or list of objects of the class, or null.</summary>
    /// <typeparam name="T">The class.</typeparam>
    /// <param name="part">The code for the collection.</param>
    /// <param name="start">Where the first byte is.</param>
    /// <param name="room">The number of bytes that may be read from there on.</param>
    /// <param name="isList">True if it is a list.</param>
    /// <param name="element">The code for an element.</param>
    /// <param name="made">The collection.</param>
    /// <param name="values">Its elements.</param>
    /// <returns>The number of bytes; negative where it is not read.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Begin<T>(
        FlatPart part, ref byte start, int room, bool isList, out FlatPart element, out object? made, out Span<T> values)
    {
        FlatSequence<T> sequence = Unsafe.As<FlatSequence<T>>(part);
        element = sequence.Element!;
        return sequence.Begin(ref start, room, isList, out made, out values);
    }

    /// <summary>Asks for the code for a member in flat messages whose objects are of a class with generated code.</summary>
    /// <typeparam name="T">The code for the members of the class.</typeparam>
    /// <param name="index">The place among the members.</param>
    /// <param name="part">The code for the variable.</param>
    /// <param name="code">The code for the members of the objects.</param>
    protected bool Nested<T>(int index, [NotNullWhen(true)] out FlatPart? part, [NotNullWhen(true)] out T? code)
        where T : MemberCode, new()
    {
        code = null;
        if (!Flat(index, out part)
            || (part is FlatSequence { Element: { } element } ? element : part) is not FlatObject { Members: var members, Plan: var plan })
        {
            return false;
        }

        // Another context may have code for the class, too.
        code = members as T ?? new T();
        return code == members || code.Takes(plan.Members, _parts);
    }

    /// <summary>Writes null, or what announces an object of a nested class.</summary>
    /// <param name="output">What the parts of the message share.</param>
    /// <param name="part">The code for the variable.</param>
    /// <param name="start">Where the first byte goes.</param>
    /// <param name="room">The number of bytes that may be written from there on.</param>
    /// <param name="value">The object.</param>
    /// <returns>The number of bytes; 0 for null, which is one byte; negative where it is not written.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Begin(ref FlatOutput output, FlatPart part, ref byte start, int room, object? value) =>
        Unsafe.As<FlatObject>(part).Begin(ref output, ref start, room, value);

    /// <summary>Reads what announces an object of a nested class.</summary>
    /// <param name="input">What the parts of the message share.</param>
    /// <param name="part">The code for the variable.</param>
    /// <param name="start">Where the first byte is.</param>
    /// <param name="room">The number of bytes that may be read from there on.</param>
    /// <returns>The number of bytes; 0 for null, which is one byte; negative where it is not read.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static int Begin(ref FlatInput input, FlatPart part, ref byte start, int room) =>
        Unsafe.As<FlatObject>(part).Begin(ref input, ref start, room);

    /// <summary>Makes an object of a nested class, without its members.</summary>
    /// <param name="part">The code for the variable.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static object Make(FlatPart part) => Unsafe.As<FlatObject>(part).Make();

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
