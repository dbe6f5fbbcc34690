using System.Numerics;
using Wire.Copying;
using Wire.Errors;
using Wire.Format;
using Wire.Types;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>A Uri, as the text it was made from, and what is made of that.</summary>
internal sealed class UriSerializer : ValueSerializer<Uri>, IVectorElement
{
    public static readonly UriSerializer Instance = new();

    internal override bool IsLeaf => true;

    internal override bool IsImmutable => true;

    public override void Write(ref WireWriter writer, Uri value)
    {
        writer.WriteByte(UriForm.Of(value));
        writer.WriteString(value.OriginalString);
    }

    public override Uri Read(ref WireReader reader)
    {
        byte form = UriForm.Checked(reader.ReadByte());
        return (reader.ReadString() is { } text ? UriForm.Make(form, text) : null)
            ?? ThrowHelper.Format<Uri>(
                WireFormatError.InvalidValue, $"Not a valid Uri: the text is not a valid {UriForm.NameOf(form)} URI.");
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.BuiltIn(Tag.Uri);

    public ValueSerializer CreateVectorSerializer() => new ArraySerializer<Uri?>(new ReferenceSlot<Uri>());
}

/// <summary>A Version: four integers, -1 for undefined ones.</summary>
internal sealed class VersionSerializer : ValueSerializer<Version>, IVectorElement
{
    public static readonly VersionSerializer Instance = new();

    internal override bool IsLeaf => true;

    internal override bool IsImmutable => true;

    public override void Write(ref WireWriter writer, Version value)
    {
        writer.WriteFixed(value.Major);
        writer.WriteFixed(value.Minor);
        writer.WriteFixed(value.Build);
        writer.WriteFixed(value.Revision);
    }

    public override Version Read(ref WireReader reader) =>
        Make(reader.ReadFixed<int>(), reader.ReadFixed<int>(), reader.ReadFixed<int>(), reader.ReadFixed<int>());

    /// <summary>Makes a version of its four integers.</summary>
    /// <exception cref="WireFormatException">They are none.</exception>
    public static Version Make(int major, int minor, int build, int revision)
    {
        if (major < 0 || minor < 0 || build < -1 || revision < -1 || (build == -1 && revision != -1))
        {
            ThrowHelper.InvalidValue("Version", $"{major}.{minor}.{build}.{revision} has a part out of range");
        }

        return build < 0 ? new Version(major, minor)
            : revision < 0 ? new Version(major, minor, build)
            : new Version(major, minor, build, revision);
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.BuiltIn(Tag.Version);

    public ValueSerializer CreateVectorSerializer() => new ArraySerializer<Version?>(new ReferenceSlot<Version>());
}

/// <summary>A BigInteger: its two's complement bytes, low first, and their count.</summary>
internal sealed class BigIntegerSerializer : ValueSerializer<BigInteger>, IVectorElement
{
    // Up to this length the bytes are allocated at once even when the input's length is unknown.
    private const int Block = 1 << 14;

    public static readonly BigIntegerSerializer Instance = new();

    internal override bool IsLeaf => true;

    internal override bool IsImmutable => true;

    public override void Write(ref WireWriter writer, BigInteger value)
    {
        byte[] bytes = value.ToByteArray();
        writer.WriteCount(bytes.Length, 1);
        writer.WriteBytes(bytes);
    }

    public override BigInteger Read(ref WireReader reader)
    {
        int count = reader.ReadCount(1, 1, out _);
        if (count == 0)
        {
            ThrowHelper.InvalidValue("BigInteger", "it has no bytes");
        }

        var bytes = new byte[Math.Min(count, Block)];
        for (int done = 0; ;)
        {
            reader.ReadBytes(bytes.AsSpan(done));
            done = bytes.Length;
            if (done == count)
            {
                return new BigInteger(bytes);
            }

            Array.Resize(ref bytes, (int)Math.Min(count, done * 2L));
        }
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.BuiltIn(Tag.BigInteger);

    public ValueSerializer CreateVectorSerializer() => new ArraySerializer<BigInteger>(this);
}

/// <summary>A Type, as its name. The name is checked like that of a manifest: a payload cannot make the program load anything.</summary>
internal sealed class TypeSerializer : ValueSerializer<Type>, IVectorElement
{
    public static readonly TypeSerializer Instance = new();

    /// <summary>Stands for a type that is refused, where the session leaves those out.</summary>
    public static readonly Type LeftOut = typeof(TypeSerializer);

    internal override bool IsLeaf => true;

    public override void Write(ref WireWriter writer, Type value)
    {
        writer.WriteString(NameOf(value, writer.Session.Serializer.Registry));
    }

    // A copy is refused where writing is.
    internal override Type Copy(ref GraphCopier copier, Type value)
    {
        NameOf(value, copier.Registry);
        return value;
    }

    public override Type Read(ref WireReader reader)
    {
        string? name = reader.ReadString();
        if (name is null)
        {
            return ThrowHelper.Format<Type>(WireFormatError.InvalidValue, "Not a valid Type: it has no name.");
        }

        DeserializerSession session = reader.Session;
        TypeRegistry registry = session.Serializer.Registry;
        try
        {
            return session.IsTrusted
                ? registry.WrittenType(name, session.Near)
                : registry.Resolver.Resolve(name, session.RootType, out _);
        }
        catch (Exception e)
            when (e is TypeRefusedException or WireFormatException { Error: WireFormatError.TypeNotFound } && session.TryLeaveOutType())
        {
            // It is only a detail of what is read.
            return LeftOut;
        }
    }

    /// <summary>Returns whether a type can be written.</summary>
    public static bool CanWrite(Type value, TypeRegistry registry) => !IsUnbound(value) && registry.CanName(value);

    private static string NameOf(Type value, TypeRegistry registry) => IsUnbound(value)
        ? throw new UnsupportedTypeException(value, "it has unbound generic parameters.")
        : registry.NameToWrite(value);

    private static bool IsUnbound(Type value) => value.ContainsGenericParameters && !value.IsGenericTypeDefinition;

    internal override Shape Describe(ShapeBuilder builder) => Shape.BuiltIn(Tag.Type);

    public ValueSerializer CreateVectorSerializer() => new ArraySerializer<Type?>(new ReferenceSlot<Type>());
}

/// <summary>An instance of <see cref="object"/> itself: only its identity.</summary>
internal sealed class PlainObjectSerializer : ValueSerializer<object>, IVectorElement
{
    public static readonly PlainObjectSerializer Instance = new();

    internal override bool IsLeaf => true;

    public override void Write(ref WireWriter writer, object value)
    {
    }

    public override object Read(ref WireReader reader) => new();

    internal override object Copy(ref GraphCopier copier, object value) => new();

    internal override Shape Describe(ShapeBuilder builder) => Shape.BuiltIn(Tag.Object);

    public ValueSerializer CreateVectorSerializer() => new ArraySerializer<object?>(new ReferenceSlot<object>());
}
