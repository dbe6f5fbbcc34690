using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using System.Reflection.Metadata;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using Wire.Errors;
using Wire.Resolution;
using Wire.Runtime;

namespace Wire.Migration.Reading;

/// <summary>Decodes payloads of BinaryFormatter into records, and has objects made of them. Thread-safe.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal sealed class Formatted(Serializer serializer)
{
    private readonly TypeReaders _readers = new(serializer.Registry);

    public T? Read<T>(ReadOnlyMemory<byte> payload, out string? shared)
    {
        if (payload.Length > serializer.Options.Limits.MaxBytes)
        {
            ThrowHelper.Limit(nameof(Limits.MaxBytes), serializer.Options.Limits.MaxBytes, "The payload");
        }

        using MemoryStream input = MemoryMarshal.TryGetArray(payload, out ArraySegment<byte> bytes)
            ? new MemoryStream(bytes.Array!, bytes.Offset, bytes.Count, writable: false)
            : new MemoryStream(payload.ToArray(), writable: false);
        T? value = Read<T>(input, out shared);
        if (input.Position != input.Length)
        {
            ThrowHelper.TrailingBytes(input.Length - input.Position);
        }

        return value;
    }

    public T? Read<T>(Stream input, out string? shared)
    {
        ArgumentNullException.ThrowIfNull(input);
        SerializationRecord root = Decode(input);
        var graph = new GraphReader(serializer, _readers, typeof(T));
        object? value = graph.ReadRoot(root);
        shared = graph.Shared;
        return value is T ? (T)value
            : value is null && default(T) is null ? default
            : throw new WireFormatException(
                WireFormatError.TypeMismatch,
                $"The program asked for a value of type {typeof(T)}, and the payload holds one of type {value?.GetType()}. "
                + "Ask for that type, or for one that both have as a base.");
    }

    private SerializationRecord Decode(Stream input)
    {
        using var bounded = new BoundedStream(input, serializer.Options.Limits.MaxBytes);
        try
        {
            var options = new PayloadOptions { TypeNameParseOptions = new TypeNameParseOptions { MaxNodes = TypeNames.MaxParts } };
            return NrbfDecoder.Decode(bounded, options, leaveOpen: true);
        }
        catch (Exception e) when (e is not WireFormatException && bounded.Failure is null && ThrowHelper.MayBeOfBytes(e))
        {
            throw Error(e, bounded);
        }
        catch (Exception) when (bounded.Failure is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure);
            throw;
        }
    }

    // The decoder throws what it meets: its own errors, and those of readers of numbers, texts and names.
    private static WireFormatException Error(Exception e, BoundedStream input)
    {
        var error = e is EndOfStreamException ? new WireFormatException(
                WireFormatError.Truncated, "The input ends inside what BinaryFormatter wrote.", e)
            : input.Count <= 1 + (4 * sizeof(int)) ? new WireFormatException(
                WireFormatError.Header, "The bytes do not begin with the header that BinaryFormatter wrote.", e)
            : e is NotSupportedException ? new WireFormatException(
                WireFormatError.InvalidValue,
                "BinaryFormatter wrote what System.Formats.Nrbf does not read: an array that does not begin at 0, a method call, or "
                + $"classes without the types of their members. {e.Message}",
                e)
            : new WireFormatException(
                WireFormatError.InvalidValue,
                "The bytes are not what BinaryFormatter wrote, or what System.Formats.Nrbf does not read, as a public field that hides one "
                + $"of a base class: {e.Message}",
                e);
        error.Locate(input.Count, "");
        return error;
    }
}
