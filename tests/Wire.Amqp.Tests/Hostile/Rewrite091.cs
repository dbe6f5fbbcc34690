using System.Buffers;
using System.Numerics;
using System.Reflection;
using Wire.Amqp.Bodies;
using Wire.Amqp.V091;
using Wire.Testing.Fuzzing;

namespace Wire.Amqp.Tests.Hostile;

/// <summary>Reads AMQP 0-9-1 to its last field, and writes it again.</summary>
internal static class Rewrite091
{
    public const int FrameMax = 4096;

    /// <summary>The bytes that gathered messages may grow to.</summary>
    public const int MaxGathered = 1 << 17;

    // Deeper than that, a table is copied as it is.
    private const int MaxDepth = 60;

    private static readonly Dictionary<MethodId, Action<Frame, IBufferWriter<byte>>> Methods = typeof(BasicPublish).Assembly.GetTypes()
        .Where(
            type => type.IsValueType && type.GetInterfaces().Any(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IMethod<>)))
        .Select(type => typeof(Rewrite091).GetMethod(nameof(Of), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(type)
            .Invoke(null, null))
        .Cast<(MethodId Id, Action<Frame, IBufferWriter<byte>> Rewrite)>()
        .ToDictionary(method => method.Id, method => method.Rewrite);

    public static byte[] Frames(ReadOnlySequence<byte> input)
    {
        var output = new ArrayBufferWriter<byte>();
        var frames = new FrameReader(in input, FrameMax);
        while (frames.TryRead(out Frame frame))
        {
            Add(in frame, output);
        }

        return output.WrittenSpan.ToArray();
    }

    public static byte[] Table(ReadOnlySequence<byte> input)
    {
        var reader = new AmqpReader(in input);
        FieldTable copy = Copy(FieldTable.Read(ref reader));
        byte[] bytes = new byte[sizeof(int) + copy.Encoded.Length];
        var writer = new AmqpWriter(bytes);
        copy.Write(ref writer);
        return bytes;
    }

    /// <summary>Messages, each of which holds a Wire object.</summary>
    public static byte[] Bodies(ReadOnlySequence<byte> input)
    {
        var body = new AmqpBody(new Serializer(), new AmqpBodyOptions { MaxDecompressedBytes = 1 << 14 });
        using var output = new AmqpBuffer();
        using var content = new ContentReader(maxBodySize: 1 << 20);
        var frames = new FrameReader(in input, FrameMax);
        while (frames.TryRead(out Frame frame))
        {
            if (!content.IsIncomplete && frame.Type == FrameType.Method && frame.MethodId == MethodId.BasicPublish)
            {
                content.BeginMessage(in frame);
            }
            else if (content.IsIncomplete && content.Add(in frame))
            {
                BasicProperties properties = content.Header.ReadContentHeader().Properties;
                object? value = body.Read<object>(in properties, content.Body);
                body.Write(output, content.Method.Channel, content.Method.ReadMethod<BasicPublish>(), in properties, value, FrameMax);
            }

            content.Keep();
        }

        return output.Written.ToArray();
    }

    /// <summary>A body of many messages.</summary>
    public static byte[] Gathered(ReadOnlySequence<byte> input)
    {
        using var writer = new GatheredBodyWriter();
        foreach (GatheredMessage message in GatheredBody.Read(default, in input, MaxGathered))
        {
            writer.Add(message.Properties, message.Body.Span);
        }

        return writer.Written.ToArray();
    }

    private static void Add(in Frame frame, IBufferWriter<byte> output)
    {
        switch (frame.Type)
        {
            case FrameType.Method when Methods.TryGetValue(frame.MethodId, out Action<Frame, IBufferWriter<byte>>? rewrite):
                rewrite(frame, output);
                break;
            case FrameType.Header:
                ContentHeader header = frame.ReadContentHeader();
                if (!header.Properties.Headers.IsNull)
                {
                    header.Properties.Headers = Copy(header.Properties.Headers);
                }

                FrameWriter.WriteContentHeader(output, frame.Channel, header.BodySize, in header.Properties);
                break;
            case FrameType.Body:
                FrameWriter.WriteBody(output, frame.Channel, frame.Payload, FrameMax);
                break;
            case FrameType.Heartbeat:
                FrameWriter.WriteHeartbeat(output);
                break;
        }
    }

    private static (MethodId Id, Action<Frame, IBufferWriter<byte>> Rewrite) Of<TMethod>()
        where TMethod : struct, IMethod<TMethod> =>
        (TMethod.Id, (frame, output) =>
        {
            TMethod method = frame.ReadMethod<TMethod>();
            var copies = default(Copies);
            TMethod.Arguments(ref method, ref copies);
            FrameWriter.Write(output, frame.Channel, in method);
        }
    );

    private static FieldTable Copy(FieldTable table)
    {
        _ = table.ToDictionary();
        var builder = new FieldTableBuilder();
        AddFields(builder, table, 0);
        return builder.ToTable();
    }

    private static void AddFields(FieldBuilder builder, FieldTable table, int depth)
    {
        foreach ((AmqpString key, FieldValue value) in table)
        {
            if (!table.TryGetValue(key, out _))
            {
                throw new BrokenPromiseException("rewrite", $"The key {key} is there and not found.");
            }

            switch (value.Type)
            {
                case FieldType.Table when depth < MaxDepth:
                    builder.BeginTable(key);
                    AddFields(builder, value.AsTable(), depth + 1);
                    builder.End();
                    break;
                case FieldType.Array when depth < MaxDepth:
                    builder.BeginArray(key);
                    AddValues(builder, value.AsArray(), depth + 1);
                    builder.End();
                    break;
                default:
                    builder.Add(key, value);
                    break;
            }
        }
    }

    private static void AddValues(FieldBuilder builder, FieldArray array, int depth)
    {
        foreach (FieldValue value in array)
        {
            switch (value.Type)
            {
                case FieldType.Table when depth < MaxDepth:
                    builder.BeginTable();
                    AddFields(builder, value.AsTable(), depth + 1);
                    builder.End();
                    break;
                case FieldType.Array when depth < MaxDepth:
                    builder.BeginArray();
                    AddValues(builder, value.AsArray(), depth + 1);
                    builder.End();
                    break;
                default:
                    builder.Add(value);
                    break;
            }
        }
    }

    /// <summary>Makes every text a string once, and every table a copy of its fields.</summary>
    private struct Copies : IArguments
    {
        public readonly void Number<T>(ref T value, string name)
            where T : unmanaged, IBinaryInteger<T>
        {
        }

        public readonly void Bit(ref bool value, string name)
        {
        }

        public readonly void ShortString(ref AmqpString value, string name) => _ = value.ToString();

        public readonly void LongString(ref AmqpString value, string name) => _ = value.ToString();

        public readonly void Table(ref FieldTable value, string name) => value = Copy(value);
    }
}
