using System.Numerics;
using System.Text.Json;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;
using Wire.ValueSerializers;

namespace Wire.Documents;

/// <summary>
/// The table of how values of the built-in types, and of enums, are skipped, read, converted and shown without a session: a row for each
/// tag. Sizes and texts are in <see cref="TagTypes"/>; values of fixed size are checked and read by their format.
/// </summary>
internal static class Scalars
{
    private static readonly Row[] Table =
    [
        new(Tag.Boolean, IsPlain: _ => true, Json: (json, value) => json.WriteBooleanValue((bool)value)),
        Integer<sbyte>(Tag.SByte),
        Integer<byte>(Tag.Byte),
        Integer<short>(Tag.Int16),
        Integer<ushort>(Tag.UInt16),
        Integer<int>(Tag.Int32),
        Integer<uint>(Tag.UInt32),
        Integer<long>(Tag.Int64),
        Integer<ulong>(Tag.UInt64),
        Integer<Int128>(Tag.Int128),
        Integer<UInt128>(Tag.UInt128),
        Integer<nint>(Tag.IntPtr),
        Integer<nuint>(Tag.UIntPtr),
        Float<Half>(Tag.Half, JsonForms.WriteHalf),
        Float<float>(Tag.Single, (json, value) => json.WriteNumberValue((float)value)),
        Float<double>(Tag.Double, (json, value) => json.WriteNumberValue((double)value)),
        new(Tag.Decimal, IsPlain: value => JsonForms.IsExact((decimal)value), Integer: (null, Numbers.ToDecimal)),
        new(Tag.Char, Show: value => $"'{DumpText.Escape([(char)value])}'"),
        new(Tag.Rune, Show: value => $"'{DumpText.Escape(value.ToString())}'"),
        new(Tag.DateTime, Show: DumpText.RoundTrip),
        new(Tag.DateTimeOffset, Show: DumpText.RoundTrip),
        new(Tag.DateOnly, Show: DumpText.RoundTrip),
        new(Tag.TimeOnly, Show: DumpText.RoundTrip),
        new(Tag.Complex, Show: ScalarText.Own, IsPlain: _ => true, Json: JsonForms.WriteComplex),
        new(Tag.String, SkipText, source => source.ReadText(), DumpText.Text),
        new(Tag.Type, (ref source, _) => SkipText(ref source, isTagged: true), source => source.ReadText(), DumpText.Text),
        new(Tag.Uri, SkipUri, ReadUri, source => $"{UriForm.NameOf(source.ReadByte())} {DumpText.Text(source)}"),
        new(Tag.Version, (ref source, _) => Version(ref source), source => Version(ref source), DumpText.Version),
        Integer<BigInteger>(Tag.BigInteger) with
        {
            Skip = (ref source, _) => Digits(ref source),
            Read = source => new BigInteger(Digits(ref source)),
            Dump = source => DumpText.Integer(Digits(ref source)),
        },
    ];

    private static readonly Row?[] ByTag = new Row?[Tag.FirstShortIdentifier];
    private static readonly Dictionary<Type, Row> ByType = Table.ToDictionary(row => TagTypes.TypeOf(row.Tag));

    static Scalars() => Array.ForEach(Table, row => ByTag[row.Tag] = row);

    /// <summary>Checks and passes over a value of varying size; a tag before it is why a string is not null.</summary>
    public delegate void Pass(scoped ref ByteCursor source, bool isTagged);

    /// <summary>Finds the row of a tag; types of which there is nothing to say have none.</summary>
    public static Row? Find(byte tag) => tag < ByTag.Length ? ByTag[tag] : null;

    /// <summary>Finds the row of a type.</summary>
    public static Row? Find(Type type) => ByType.GetValueOrDefault(type);

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
        Pass skip = Find(tag)?.Skip ?? ThrowHelper.Format<Pass>(WireFormatError.Tag, $"0x{tag:X2} is not the tag of a value.");
        skip(ref source, isTagged);
    }

    /// <summary>Reads a value of a built-in type; a Type as its name, a Uri as its text.</summary>
    /// <param name="source">The position of the value, which has been checked if its size varies.</param>
    /// <param name="tag">The tag of the type.</param>
    /// <exception cref="WireFormatException">The bytes of a fixed size are no value.</exception>
    public static object? Read(ByteCursor source, byte tag)
    {
        if (Find(tag)?.Read is { } read)
        {
            return read(source);
        }

        // It comes from the bytes alone: no session takes part.
        var reader = new WireReader(null!, source.ReadBytes(TagTypes.FixedSizeOf(tag)), null);
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

    private static Row Integer<T>(byte tag)
        where T : struct, INumberBase<T> => new(
            tag,
            IsPlain: value => JsonForms.IsExact(BigInteger.CreateChecked((T)value)),
            Integer: (value => BigInteger.CreateChecked((T)value), Numbers.From<T>));

    private static Row Float<T>(byte tag, Action<Utf8JsonWriter, object> json)
        where T : struct, INumberBase<T> => new(
            tag,
            IsPlain: value => T.IsFinite((T)value),
            Json: json,
            Integer: (null, Numbers.From<T>),
            Double: (value => double.CreateSaturating((T)value), Numbers.From<T>));

    private static void SkipText(scoped ref ByteCursor source, bool isTagged)
    {
        if (source.ReadTextHead(out bool isWide) is not { } length)
        {
            if (isTagged)
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

    private static void SkipUri(scoped ref ByteCursor source, bool isTagged)
    {
        UriForm.Checked(source.ReadByte());
        SkipText(ref source, isTagged: true);
    }

    private static string? ReadUri(ByteCursor source)
    {
        source.ReadByte();
        return source.ReadText();
    }

    private static Version Version(scoped ref ByteCursor source) =>
        VersionSerializer.Make(source.ReadInt32(), source.ReadInt32(), source.ReadInt32(), source.ReadInt32());

    private static ReadOnlySpan<byte> Digits(scoped ref ByteCursor source)
    {
        uint count = source.ReadCount(1);
        if (count == 0)
        {
            ThrowHelper.InvalidValue("BigInteger", "it has no bytes");
        }

        return source.ReadBytes(count);
    }

    /// <summary>A row.</summary>
    /// <param name="Tag">The tag.</param>
    /// <param name="Skip">Checks and passes over a value of varying size.</param>
    /// <param name="Read">Reads it.</param>
    /// <param name="Dump">Shows it in a dump.</param>
    /// <param name="Show">Shows a value of fixed size in a dump; null for its text.</param>
    /// <param name="IsPlain">Returns whether JSON has the value as it is; where null or false, its text is written.</param>
    /// <param name="Json">Writes such a value; null for its digits.</param>
    /// <param name="Integer">Makes an integer of a value, and a value of an integer: null where none is equal to it.</param>
    /// <param name="Double">Makes a fraction in binary of a value, and a value of it, likewise.</param>
    public sealed record Row(
        byte Tag,
        Pass? Skip = null,
        Func<ByteCursor, object?>? Read = null,
        Func<ByteCursor, string>? Dump = null,
        Func<object, string>? Show = null,
        Func<object, bool>? IsPlain = null,
        Action<Utf8JsonWriter, object>? Json = null,
        (Func<object, BigInteger>? To, Func<BigInteger, object?>? From) Integer = default,
        (Func<object, double>? To, Func<double, object?>? From) Double = default);
}
