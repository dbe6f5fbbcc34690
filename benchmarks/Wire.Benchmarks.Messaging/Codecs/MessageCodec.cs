using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V10;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>Section by section.</summary>
internal readonly struct MessageCodec() : IAmqpCodec<long>
{
    private readonly ArrayBufferWriter<byte> _output = new(2048);

    public ReadOnlySequence<byte> Written => new(_output.WrittenMemory);

    public long Write()
    {
        _output.ResetWrittenCount();
        var properties = new Properties
        {
            MessageId = MessageScenario.MessageId,
            To = MessageScenario.To,
            Subject = MessageScenario.Subject,
            ContentType = new AmqpSymbol(MessageScenario.ContentType),
            CreationTime = new Timestamp(MessageScenario.CreationTime),
        };
        MessageWriter.Write(_output, in properties);
        MessageWriter.Write(_output, new DataSection { Bytes = new ReadOnlySequence<byte>(MessageScenario.Data) });
        return _output.WrittenCount;
    }

    public long Read()
    {
        var message = new MessageReader(_output.WrittenMemory);
        Properties properties = Next(ref message).Read<Properties>();
        DataSection data = Next(ref message).Read<DataSection>();
        return Sum(properties.MessageId.As<AmqpString>()) + Sum(properties.To) + Sum(properties.Subject) + Sum(properties.ContentType.Text)
            + properties.CreationTime.GetValueOrDefault().Milliseconds + TenFields.Sum(data.Bytes.FirstSpan);
    }

    private static Section Next(ref MessageReader message) =>
        message.TryRead(out Section section) ? section : throw new InvalidOperationException("A section is missing.");

    private static long Sum(AmqpString text) => TenFields.Sum(text.Utf8.Span);
}
