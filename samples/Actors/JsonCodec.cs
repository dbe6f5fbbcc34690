using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Wire;

namespace Actors;

/// <summary>Envelopes by System.Text.Json and its polymorphism, in frames like those of Wire: four bytes of length in front.</summary>
internal sealed class JsonCodec(ActorSystem system) : ICodec
{
    private readonly JsonSerializerOptions _options = new()
    {
        Converters = { new JsonReferences(system), new JsonExceptions() },
        // Reflection, as whoever says nothing gets it; a native program has none, and code for what it has named.
        TypeInfoResolver = JsonSerializer.IsReflectionEnabledByDefault ? JsonSerializerOptions.Default.TypeInfoResolver : JsonTypes.Default,
    };

    public ICodecSession Open() => new Session((JsonTypeInfo<Envelope>)_options.GetTypeInfo(typeof(Envelope)));

    private sealed class Session(JsonTypeInfo<Envelope> envelopes) : ICodecSession
    {
        private const int Head = sizeof(int);
        private const int MaxBytes = 1 << 26;

        // The length stands in front, and is known behind.
        private readonly ArrayBufferWriter<byte> _text = new();
        private Utf8JsonWriter? _writer;

        public int Write(Envelope envelope, IBufferWriter<byte> output)
        {
            _text.ResetWrittenCount();
            _writer ??= new Utf8JsonWriter(_text);
            _writer.Reset();
            JsonSerializer.Serialize(_writer, envelope, envelopes);
            int size = Head + _text.WrittenCount;
            Span<byte> frame = output.GetSpan(size);
            BinaryPrimitives.WriteInt32LittleEndian(frame, _text.WrittenCount);
            _text.WrittenSpan.CopyTo(frame[Head..]);
            output.Advance(size);
            return size;
        }

        public async IAsyncEnumerable<Envelope?> ReadAllAsync(
            PipeReader input, Func<DeadLetter, ValueTask> deadLetters, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            long position = 0, offset = 0;
            ReadResult result;
            do
            {
                result = await input.ReadAsync(cancellationToken);
                ReadOnlySequence<byte> rest = result.Buffer;
                while (TryTake(ref rest, out ReadOnlySequence<byte> text))
                {
                    (Envelope? envelope, Exception? failure) = Read(text);
                    if (failure is null)
                    {
                        yield return envelope;
                    }
                    else
                    {
                        await deadLetters(new DeadLetter(text.ToArray(), failure, position, offset));
                    }

                    position++;
                    offset += Head + text.Length;
                }

                input.AdvanceTo(rest.Start, rest.End);
            }
            while (!result.IsCompleted);
        }

        public void Dispose() => _writer?.Dispose();

        private static bool TryTake(ref ReadOnlySequence<byte> rest, out ReadOnlySequence<byte> text)
        {
            var reader = new SequenceReader<byte>(rest);
            if (!reader.TryReadLittleEndian(out int length) || (length is >= 0 and <= MaxBytes && reader.Remaining < length))
            {
                text = default;
                return false;
            }

            ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)length, (uint)MaxBytes);
            text = rest.Slice(Head, length);
            rest = rest.Slice(text.End);
            return true;
        }

        private (Envelope? Envelope, Exception? Failure) Read(in ReadOnlySequence<byte> text)
        {
            try
            {
                var reader = new Utf8JsonReader(text);
                return (JsonSerializer.Deserialize(ref reader, envelopes), null);
            }
            catch (Exception e)
            {
                return (null, e);
            }
        }
    }
}

/// <summary>What a native program writes and reads: an envelope leads to all messages, but not to what a parcel holds.</summary>
[JsonSerializable(typeof(Envelope))]
[JsonSerializable(typeof(Stowaway))]
[JsonSerializable(typeof(string))]
internal sealed partial class JsonTypes : JsonSerializerContext;

/// <summary>A reference as one number.</summary>
internal sealed class JsonReferences(ActorSystem system) : JsonConverter<ActorRef>
{
    private const int NumberBits = 32;

    public override ActorRef Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        ulong number = reader.GetUInt64();
        return system.Resolve(new ActorAddress((ushort)(number >> NumberBits), (uint)number));
    }

    public override void Write(Utf8JsonWriter writer, ActorRef value, JsonSerializerOptions options) =>
        writer.WriteNumberValue(((ulong)value.Address.Node << NumberBits) | value.Address.Number);
}

/// <summary>An exception as its text: System.Text.Json has nothing for exceptions.</summary>
internal sealed class JsonExceptions : JsonConverter<Exception>
{
    public override Exception Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        new InvalidOperationException(reader.GetString());

    public override void Write(Utf8JsonWriter writer, Exception value, JsonSerializerOptions options) =>
        writer.WriteStringValue($"{value.GetType()}: {value.Message}");
}
