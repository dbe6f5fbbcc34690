using System.Runtime.CompilerServices;
using Wire.Sessions.Objects;

namespace Wire.Slots;

/// <summary>A value serializer that reads into a variable of the caller, over what that holds.</summary>
internal interface IOverwritingSlot
{
    /// <summary>Reads a value: the message has <see cref="DeserializerSession.Overwritten"/>.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="variable">The variable, of the type of the value serializer.</param>
    void ReadOver(ref WireReader reader, ref byte variable);
}

/// <summary>A value serializer that reads elements of collections over those of the caller in a way of its own.</summary>
internal interface IOverwritingElements<T>
{
    /// <summary>Reads elements.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="values">The elements of the caller.</param>
    /// <param name="start">The index of the first of them.</param>
    void ReadManyOver(ref WireReader reader, Span<T> values, int start);
}

/// <summary>Reading over what the caller has, where a value serializer has a way to; otherwise anew.</summary>
internal static class Overwriting
{
    /// <summary>Reads a value into a variable that holds one of the caller's.</summary>
    public static void ReadOver(this ValueSerializer serializer, ref WireReader reader, ref byte variable)
    {
        if (serializer is IOverwritingSlot slot)
        {
            slot.ReadOver(ref reader, ref variable);
        }
        else
        {
            serializer.ReadAt(ref reader, ref variable);
        }
    }

    /// <summary>Reads elements of a collection over those of the caller.</summary>
    /// <param name="element">The value serializer of the elements.</param>
    /// <param name="reader">The reader.</param>
    /// <param name="values">The elements.</param>
    /// <param name="start">The index of the first of them.</param>
    public static void ReadManyOver<T>(this ValueSerializer<T> element, ref WireReader reader, Span<T> values, int start)
    {
        if (element is IOverwritingElements<T> own)
        {
            own.ReadManyOver(ref reader, values, start);
            return;
        }

        if (element is not IOverwritingSlot slot || !element.HoldsReferences)
        {
            element.ReadMany(ref reader, values, start);
            return;
        }

        int member = reader.Member;
        for (int i = 0; i < values.Length; i++)
        {
            reader.Member = ~(start + i);
            slot.ReadOver(ref reader, ref Unsafe.As<T, byte>(ref values[i]));
        }

        reader.Member = member;
    }

    /// <summary>
    /// Takes an object inside of the root, if it is free and values of the serializer may be read into it; otherwise null.
    /// </summary>
    public static object? Take(this OverwrittenObjects overwritten, object there, ValueSerializer serializer) =>
        ReferenceEquals(there.GetType(), serializer.Type) && serializer is IOverwriter { MayOverwrite: true } && overwritten.TryTake(there)
            ? there
            : null;

    /// <summary>Takes an object of a type that may be read into; false where it has been taken before. Flat code calls it.</summary>
    public static bool TryTake(ref WireReader reader, object there) => reader.Session.Overwritten!.TryTake(there);
}
