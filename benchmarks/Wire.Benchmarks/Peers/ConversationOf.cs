using System.Buffers;
using System.Buffers.Binary;
using Wire.Benchmarks.Floors;

namespace Wire.Benchmarks.Peers;

/// <summary>
/// A conversation with a library that has no sessions: each message by itself, as it is in <see cref="Traffic"/>, behind its length. The
/// copy behind the length takes the time of a memory copy, as a socket's does.
/// </summary>
internal readonly struct ConversationOf<TCodec>(TCodec codec) : ICodec<Conversation>
    where TCodec : struct, ICodec<object>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(Conversation value)
    {
        _output.ResetWrittenCount();
        foreach (object message in value.Messages)
        {
            ReadOnlySpan<byte> written = codec.Write(message);
            Span<byte> place = _output.GetSpan(sizeof(int) + written.Length);
            BinaryPrimitives.WriteInt32LittleEndian(place, written.Length);
            written.CopyTo(place[sizeof(int)..]);
            _output.Advance(sizeof(int) + written.Length);
        }

        return _output.WrittenSpan;
    }

    public Conversation Read(ReadOnlySpan<byte> payload)
    {
        var messages = new object[ConversationFloor.Count];
        for (int i = 0; i < messages.Length; i++)
        {
            int length = BinaryPrimitives.ReadInt32LittleEndian(payload);
            messages[i] = codec.Read(payload.Slice(sizeof(int), length));
            payload = payload[(sizeof(int) + length)..];
        }

        return new Conversation(messages);
    }
}
