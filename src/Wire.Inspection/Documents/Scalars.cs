using System.Numerics;
using Wire.Errors;
using Wire.Format;
using Wire.Slots;
using Wire.Types;
using Wire.ValueSerializers;

namespace Wire.Documents;

/// <summary>Checks and reads values of the built-in types, and of enums.</summary>
internal static class Scalars
{
    /// <summary>Checks the bytes of values of a built-in type of fixed size.</summary>
    /// <exception cref="WireFormatException">Some of them are no value.</exception>
    public static void CheckFixed(byte tag, ReadOnlySpan<byte> bytes) =>
        ((IFixedSerializer)BuiltInTypes.ByTag(tag)).Check(bytes);

    /// <summary>Checks and passes over a value of a built-in type of varying size.</summary>
    /// <param name="source">The position of the value; then that behind it.</param>
    /// <param name="tag">The tag of the type.</param>
    /// <param name="isTagged">True if the value is behind its tag, so that a string is not null.</param>
    public static void Skip(scoped ref ByteCursor source, byte tag, bool isTagged = false)
    {
        switch (tag)
        {
            case Tag.String:
                Text(ref source, mayBeNull: !isTagged);
                break;
            case Tag.Type:
                Text(ref source, mayBeNull: false);
                break;
            case Tag.Uri:
                UriForm.Checked(source.ReadByte());
                Text(ref source, mayBeNull: false);
                break;
            case Tag.Version:
                Version(ref source);
                break;
            case Tag.BigInteger:
                uint count = source.ReadCount(1);
                if (count == 0)
                {
                    ThrowHelper.InvalidValue("BigInteger", "it has no bytes");
                }

                source.Skip(count);
                break;
            default:
                ThrowHelper.Format(WireFormatError.Tag, $"0x{tag:X2} is not the tag of a value.");
                break;
        }
    }

    /// <summary>Reads a value of a built-in type; a Type as its name, a Uri as its text.</summary>
    /// <param name="source">The position of the value, which has been checked.</param>
    /// <param name="tag">The tag of the type.</param>
    public static object? Read(ref ByteCursor source, byte tag)
    {
        switch (tag)
        {
            case Tag.String or Tag.Type:
                return source.ReadText();
            case Tag.Uri:
                source.ReadByte();
                return source.ReadText();
            case Tag.Version:
                return Version(ref source);
            case Tag.BigInteger:
                return new BigInteger(source.ReadBytes(source.ReadCount(1)));
            default:
                return ReadFixed(tag, source.ReadBytes(TagTypes.FixedSizeOf(tag)));
        }
    }

    /// <summary>Reads a value of a built-in type of fixed size.</summary>
    /// <exception cref="WireFormatException">The bytes are no value.</exception>
    public static object ReadFixed(byte tag, ReadOnlySpan<byte> bytes)
    {
        // It comes from the bytes alone: no session takes part.
        var reader = new WireReader(null!, bytes, null);
        return BuiltInTypes.ByTag(tag).ReadObject(ref reader);
    }

    /// <summary>Returns whether bytes are values of a built-in type of fixed size.</summary>
    public static bool AreValues(byte tag, ReadOnlySpan<byte> bytes)
    {
        try
        {
            CheckFixed(tag, bytes);
            return true;
        }
        catch (WireFormatException)
        {
            return false;
        }
    }

    /// <summary>Reads a value of a built-in type of fixed size, if it is of the type that is asked for.</summary>
    public static bool TryRead<T>(ReadOnlySpan<byte> bytes, byte tag, out T? value)
    {
        if (TagTypes.FixedSizeOf(tag) > 0 && BuiltInTypes.ByTag(tag) is ValueSerializer<T> exact)
        {
            var reader = new WireReader(null!, bytes, null);
            value = exact.Read(ref reader);
            return true;
        }

        value = default;
        return false;
    }

    private static void Text(scoped ref ByteCursor source, bool mayBeNull)
    {
        if (source.ReadTextHead(out bool isWide) is not { } length)
        {
            if (!mayBeNull)
            {
                ThrowHelper.InvalidValue("text", "it is null, where it cannot be");
            }

            return;
        }

        if (length > (uint)source.Limits.MaxStringLength)
        {
            ThrowHelper.Limit(nameof(Limits.MaxStringLength), source.Limits.MaxStringLength, $"A string of {length} characters");
        }

        long size = isWide ? 2L * length : length;
        source.CheckLength(size);
        source.Skip(size);
    }

    private static Version Version(scoped ref ByteCursor source) =>
        VersionSerializer.Make(source.ReadInt32(), source.ReadInt32(), source.ReadInt32(), source.ReadInt32());
}
