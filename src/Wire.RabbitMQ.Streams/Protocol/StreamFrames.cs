using System.Buffers.Binary;
using Wire.Amqp;
using Wire.Amqp.Primitives;

namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>
/// Writes frames and parses their heads.
/// </summary>
/// <remarks>
/// <code>
/// one-way:  size uint32 | key uint16          | version uint16 | fields
/// request:  size uint32 | key uint16          | version uint16 | correlation uint32 | fields
/// response: size uint32 | key uint16 | 0x8000 | version uint16 | correlation uint32 | code uint16, mostly | fields
/// </code>
/// The size does not count itself. The response to a question for metadata has no code: it has one for each stream.
/// </remarks>
internal static class StreamFrames
{
    /// <summary>The number of bytes that the size takes.</summary>
    public const int SizeBytes = sizeof(uint);

    /// <summary>Key and version.</summary>
    public const int HeadBytes = sizeof(ushort) + sizeof(ushort);

    /// <summary>Key, version and correlation, which the code follows where there is one.</summary>
    public const int CorrelatedHeadBytes = HeadBytes + sizeof(uint);

    /// <summary>The bit that makes a key that of a response.</summary>
    public const ushort ResponseBit = 0x8000;

    /// <summary>
    /// Returns whether the response to a command has a code: that to a question for metadata has one for each stream instead.
    /// </summary>
    public static bool HasCode(CommandKey key) => key != CommandKey.Metadata;

    /// <summary>Writes a command that is not answered.</summary>
    public static void Write<TCommand>(AmqpBuffer output, TCommand command)
        where TCommand : struct, ICommand<TCommand> => Write(output, (ushort)TCommand.Key, TCommand.Version, new Correlated(), command);

    /// <summary>Writes a command that is answered under a number.</summary>
    public static void WriteRequest<TCommand>(AmqpBuffer output, uint correlation, TCommand command)
        where TCommand : struct, ICommand<TCommand> =>
            Write(output, (ushort)TCommand.Key, TCommand.Version, new Correlated { Number = correlation }, command);

    /// <summary>Writes the answer to a command.</summary>
    public static void WriteResponse<TResponse>(
        AmqpBuffer output, CommandKey key, uint correlation, StreamResponseCode code, TResponse response)
        where TResponse : struct, IFieldGroup<TResponse> =>
        Write(
            output,
            (ushort)((ushort)key | ResponseBit),
            1,
            new Correlated { Number = correlation, Code = HasCode(key) ? code : null },
            response);

    /// <summary>Reads the fields of a frame, or of a part of it.</summary>
    /// <param name="fields">The bytes of the fields.</param>
    /// <param name="offset">Their offset, for messages.</param>
    public static TGroup Read<TGroup>(ReadOnlySpan<byte> fields, long offset = 0)
        where TGroup : struct, IFieldGroup<TGroup>
    {
        var reader = new ReadFields(fields, offset);
        TGroup group = default;
        TGroup.Fields(ref group, ref reader);
        return group;
    }

    private static void Write<TFields>(AmqpBuffer output, ushort key, ushort version, Correlated correlated, TFields command)
        where TFields : struct, IFieldGroup<TFields>
    {
        Placeholder size = output.Reserve(SizeBytes);
        long start = output.Length;
        try
        {
            var fields = new WriteFields(output);
            fields.Number(ref key);
            fields.Number(ref version);
            Correlated.Fields(ref correlated, ref fields);
            TFields.Fields(ref command, ref fields);
        }
        catch
        {
            output.Truncate(start - SizeBytes);
            throw;
        }

        BinaryPrimitives.WriteUInt32BigEndian(size.Span, checked((uint)(output.Length - start)));
    }

    private struct Correlated
    {
        public uint? Number;
        public StreamResponseCode? Code;

        public static void Fields(ref Correlated correlated, ref WriteFields fields)
        {
            if (correlated.Number is uint number)
            {
                fields.Number(ref number);
            }

            if (correlated.Code is { } code)
            {
                ushort value = (ushort)code;
                fields.Number(ref value);
            }
        }
    }
}
