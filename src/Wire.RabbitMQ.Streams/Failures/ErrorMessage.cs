using System.Buffers;
using System.Text;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.RabbitMQ.Streams.Failures;

/// <summary>
/// A message as it is put into an error stream: all of its own sections, byte for byte, and application properties with the reason. What
/// is no AMQP 1.0 message becomes the data of one.
/// </summary>
/// <param name="message">The message, which has to be valid until this is written.</param>
/// <param name="failure">What has become of it.</param>
/// <param name="longest">The most characters of each text about the exception.</param>
internal sealed class ErrorMessage(in StreamMessage message, StreamConsumerException failure, int longest)
{
    private const string Prefix = "x-wire-error-";

    private readonly StreamMessage _message = message;

    /// <summary>Writes it.</summary>
    /// <exception cref="ArgumentException">It does not fit the output.</exception>
    public void WriteTo(IBufferWriter<byte> output)
    {
        ReadOnlySpan<byte> bytes = _message.Span;
        var entries = new List<(AmqpValue Key, AmqpValue Value)>();
        if (_message.HasSections
            && UsualSections.TryLocate(bytes, SectionKind.ApplicationProperties, out Range own)
            && TryReadOwn(entries))
        {
            output.Write(bytes[..own.Start]);
            MessageWriter.Write(output, new ApplicationProperties { Map = AmqpValue.Map([.. entries, .. Reasons(isBody: false)]) });
            output.Write(bytes[own.End..]);
            return;
        }

        MessageWriter.Write(output, new ApplicationProperties { Map = AmqpValue.Map([.. Reasons(isBody: true)]) });
        MessageWriter.Write(output, new DataSection { Bytes = _message.Sequence });
    }

    // Its own application properties, without those of an earlier error stream: sent back, it begins anew.
    private bool TryReadOwn(List<(AmqpValue Key, AmqpValue Value)> entries)
    {
        try
        {
            foreach ((AmqpValue key, AmqpValue value) in _message.ReadApplicationProperties())
            {
                if (key.Type != AmqpType.String || !key.As<string>().StartsWith(Prefix, StringComparison.Ordinal))
                {
                    entries.Add((key, value));
                }
            }

            return true;
        }
        catch (AmqpFormatException)
        {
            // Damaged, which may be why it is here: kept as it is.
            return false;
        }
    }

    private List<(AmqpValue Key, AmqpValue Value)> Reasons(bool isBody)
    {
        Exception thrown = failure.InnerException!;
        var reasons = new List<(AmqpValue Key, AmqpValue Value)>
        {
            (Prefix + "reason", failure.Reason),
            (Prefix + "stream", _message.Stream),
            (Prefix + "offset", (long)_message.Offset),
            (Prefix + "attempts", failure.Attempts),
            (Prefix + "time", DateTimeOffset.UtcNow),
            (Prefix + "exception", Cut(thrown.GetType().FullName ?? "")),
            (Prefix + "message", Cut(thrown.Message)),
            (Prefix + "stack-trace", Cut(thrown.StackTrace ?? "")),
        };
        if (isBody)
        {
            reasons.Add((Prefix + "body", "message"));
        }

        return reasons;
    }

    // Not within a character of two; and what is half of one only, which no message can have, is replaced.
    private string Cut(string text)
    {
        if (text.Length > longest)
        {
            text = text[..(char.IsHighSurrogate(text[longest - 1]) ? longest - 1 : longest)];
        }

        return Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text));
    }
}
