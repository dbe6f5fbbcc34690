using System.Buffers;
using Orleans;
using Orleans.Serialization;
using Orleans.Serialization.Buffers;
using Orleans.Serialization.Cloning;
using Orleans.Serialization.Codecs;
using Orleans.Serialization.Serializers;
using Orleans.Serialization.WireProtocol;

namespace Wire.Orleans;

/// <summary>
/// The codec, copier and type filter of Orleans for types without attributes, which Wire writes and copies: <see
/// cref="WireSerialization.AddWireSerializer(ISerializerBuilder, SerializerOptions, Func{Type, bool})"/> registers it. Thread-safe.
/// </summary>
/// <remarks>
/// A value is one field of Orleans' stream: its length and Wire's payload, which names its own types, so that Orleans' tables of types have
/// one entry for the codec. A value that the same Orleans call holds twice is written once, as Orleans does with its own. Every failure is
/// a <see cref="SerializerException"/> around its cause, with which the call ends at the caller.
/// </remarks>
[Alias(Name)]
public sealed class WireCodec : IGeneralizedCodec, IGeneralizedCopier, ITypeFilter
{
    /// <summary>The name that stands for the codec in Orleans' streams.</summary>
    public const string Name = "wire";

    // What a thread keeps for its next value; one that has grown over this is left to the collector.
    private const int MaxKept = 1 << 20;

    // A failed call brings its exception to the caller, and Orleans has no codec for those of Wire.
    private static readonly Type[] Failures =
    [
        typeof(WireFormatException), typeof(TypeRefusedException), typeof(UnsupportedTypeException), typeof(ObjectGraphException),
        typeof(NotSupportedException),
    ];

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _kept;

    private readonly Serializer _serializer;
    private readonly Func<Type, bool> _isSupported;

    internal WireCodec(SerializerOptions options, Func<Type, bool> isSupported)
    {
        _serializer = new Serializer(options with
        {
            TypeFilter = Failures.Aggregate(options.TypeFilter, (filter, type) => filter.Allow(type)),
        });
        _isSupported = type => isSupported(type) || Failures.Contains(type);
    }

    /// <inheritdoc/>
    bool IGeneralizedCodec.IsSupportedType(Type type) => type == typeof(WireCodec) || IsSupported(type);

    /// <inheritdoc/>
    bool IGeneralizedCopier.IsSupportedType(Type type) => IsSupported(type);

    /// <inheritdoc/>
    bool? ITypeFilter.IsTypeAllowed(Type type) => type == typeof(WireCodec) || _isSupported(type) ? true : null;

    /// <summary>Writes a value as a field.</summary>
    /// <exception cref="SerializerException">The value cannot be written.</exception>
    void IFieldCodec.WriteField<TBufferWriter>(ref Writer<TBufferWriter> writer, uint fieldIdDelta, Type? expectedType, object? value)
    {
        if (ReferenceCodec.TryWriteReferenceField(ref writer, fieldIdDelta, expectedType, value))
        {
            return;
        }

        // The length stands in front, so that a reader without this field can skip it: the payload is complete before it is copied. A
        // surrogate that calls Orleans in turn finds no buffer, and makes one.
        ArrayBufferWriter<byte> payload = _kept ?? new ArrayBufferWriter<byte>();
        _kept = null;
        try
        {
            _serializer.Serialize(value is UnsupportedTypeException unsupported ? Told(unsupported) : value, payload);
            writer.WriteFieldHeader(fieldIdDelta, expectedType, typeof(WireCodec), WireType.LengthPrefixed);
            writer.WriteVarUInt32((uint)payload.WrittenCount);
            writer.Write(payload.WrittenSpan);
        }
        catch (Exception e) when (e is not SerializerException)
        {
            throw new SerializerException($"Wire cannot write a value of type {value!.GetType()}: {e.Message}", e);
        }
        finally
        {
            if (payload.Capacity <= MaxKept)
            {
                payload.ResetWrittenCount();
                _kept = payload;
            }
        }
    }

    /// <summary>Reads the value of a field.</summary>
    /// <exception cref="SerializerException">The payload is broken, or names a type that is not allowed.</exception>
    object? IFieldCodec.ReadValue<TInput>(ref Reader<TInput> reader, Field field)
    {
        if (field.IsReference)
        {
            return ReferenceCodec.ReadReference(ref reader, field.FieldType!);
        }

        field.EnsureWireType(WireType.LengthPrefixed);
        object? value;
        try
        {
            uint length = reader.ReadVarUInt32();
            if (length > reader.Remaining)
            {
                throw new SerializerException($"A payload of {length} bytes does not fit the {reader.Remaining} bytes that are left.");
            }

            value = reader.TryReadBytes((int)length, out ReadOnlySpan<byte> payload)
                ? _serializer.Deserialize<object>(payload)
                : ReadSegments(ref reader, (int)length);
        }
        catch (Exception e) when (e is not SerializerException)
        {
            throw new SerializerException($"Wire cannot read the value: {e.Message}", e);
        }

        if (value is null || !_isSupported(value.GetType()))
        {
            string found = value?.GetType().ToString() ?? "null";
            throw new SerializerException($"The payload holds {found}, which is not written with Wire here.");
        }

        ReferenceCodec.RecordObject(reader.Session, value);
        return value;
    }

    /// <summary>Copies a value as <see cref="Serializer.Clone"/> does.</summary>
    /// <exception cref="SerializerException">The value cannot be copied.</exception>
    object? IDeepCopier.DeepCopy(object? input, CopyContext context)
    {
        if (context.TryGetCopy(input, out object? copy))
        {
            return copy;
        }

        try
        {
            copy = _serializer.Clone(input);
        }
        catch (Exception e) when (e is not SerializerException)
        {
            throw new SerializerException($"Wire cannot copy a value of type {input!.GetType()}: {e.Message}", e);
        }

        context.RecordCopy(input!, copy!);
        return copy;
    }

    private object? ReadSegments<TInput>(ref Reader<TInput> reader, int length)
    {
        var payload = new PooledBuffer();
        try
        {
            reader.ReadBytes(ref payload, length);
            return _serializer.Deserialize<object>(payload.AsReadOnlySequence());
        }
        finally
        {
            payload.Dispose();
        }
    }

    // The exception holds the type, which no reader allows, so that only its text arrives: as the exception that it derives from.
    private static NotSupportedException Told(UnsupportedTypeException exception) => new(exception.Message);

    // A variable of an abstract type stays with Orleans, which asks again for the type of the value in it.
    private bool IsSupported(Type type) => !CommonCodecTypeFilter.IsAbstractOrFrameworkType(type) && _isSupported(type);
}
