using Wire.Errors;

namespace Wire.Format;

/// <summary>The first byte of a comparer (docs/format.md, clause 7). Those below <see cref="KnownCodes"/> say all.</summary>
internal static class ComparerCode
{
    /// <summary>The default comparer.</summary>
    public const byte Default = 0;

    /// <summary>That of strings by their characters.</summary>
    public const byte Ordinal = 1;

    /// <summary>The number of comparers that have a code of their own, the default one's being 0.</summary>
    public const byte KnownCodes = 11;

    /// <summary>A culture's name and options follow.</summary>
    public const byte Culture = 0x10;

    /// <summary>A tagged value follows: an object that is the comparer.</summary>
    public const byte Object = 0x11;

    /// <summary>Two comparers follow: that of the keys, and that of the values.</summary>
    public const byte Pair = 0x12;

    /// <summary>The name of a culture follows: a <see cref="System.Collections.Comparer"/> of it.</summary>
    public const byte Untyped = 0x13;

    /// <summary>The name of a culture follows: a <see cref="System.Collections.CaseInsensitiveComparer"/> of it.</summary>
    public const byte UntypedIgnoringCase = 0x14;

    /// <summary>Returns whether a code says all of a comparer.</summary>
    public static bool IsKnown(byte code) => code < KnownCodes;

    /// <summary>Passes over the next comparer of a value with parts, or the first byte of a pair of them.</summary>
    /// <param name="source">The position.</param>
    /// <param name="frame">The value, which knows how many are left.</param>
    /// <returns>The shape of a comparer that is an object, in front of which the position is left; null for others.</returns>
    public static Shape? Skip<TCursor>(scoped ref TCursor source, ref WalkLevel frame)
        where TCursor : struct, IPayloadCursor, allows ref struct
    {
        byte code = source.ReadByte();
        if (code == Pair && !frame.IsPair)
        {
            frame.IsPair = true;
            frame.Comparers = 2;
            return null;
        }

        frame.Comparers--;
        switch (code)
        {
            case Culture:
                source.SkipScalar(Tag.String, isTagged: true);
                source.Skip(sizeof(int));
                break;
            case Untyped or UntypedIgnoringCase:
                source.SkipScalar(Tag.String, isTagged: true);
                break;
            case Object:
                return Shape.TaggedOnly;
            case var _ when !IsKnown(code):
                ThrowHelper.InvalidValue("comparer", $"{code} is not a comparer");
                break;
        }

        return null;
    }
}
