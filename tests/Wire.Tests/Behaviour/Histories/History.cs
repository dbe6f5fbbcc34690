using System.Buffers;
using Wire.Comparing;
using Wire.Tests.Testing;
using static Wire.Tests.Behaviour.Histories.HistoryModel;

namespace Wire.Tests.Behaviour.Histories;

/// <summary>
/// A connection with one session at each end, made by choices: what is written, what fails to be, and what becomes of it on the way. Then
/// the reader reads. What must hold is said by <see cref="Violation"/>.
/// </summary>
internal sealed class History
{
    private const int MaxMessages = 40;

    private readonly Choices _choices;
    private readonly bool _isFaithful;
    private readonly Serializer _writer;
    private readonly Serializer _reader;
    private readonly Channel _channel;
    private readonly List<Delivery> _deliveries = [];

    private History(Choices choices, bool isFaithful)
    {
        _choices = choices;
        _isFaithful = isFaithful;

        // Without the schema a reader cannot pass over what it refuses, and so not know what stands behind it.
        (_writer, _reader) = Of(references: choices.OneIn(2), dynamicCode: choices.OneIn(2), tolerance: isFaithful || !choices.OneIn(4));
        _channel = (Channel)choices.Pick((int)Channel.AllFramesOfPipe + 1);

        // Nor does it learn what stands behind a failure in a stream that cannot seek: that can only be left where it is.
        if (isFaithful && _channel == Channel.SlowStream)
        {
            _channel = Channel.SeekableStream;
        }
    }

    /// <summary>How a history broke what was promised; null when it did not.</summary>
    /// <param name="choices">What it is made by.</param>
    /// <param name="isFaithful">
    /// Whether every message arrives once, whole and in order. Then each one that can be read is read, whatever became of those before it.
    /// Otherwise a message may be refused; but nothing is ever read as another type or value than was sent.
    /// </param>
    public static string? Violation(byte[] choices, bool isFaithful)
    {
        var history = new History(new Choices(choices), isFaithful);
        history.Write();
        return history.Read();
    }

    private void Write()
    {
        using SerializerSession session = _writer.GetSerializerSession();
        for (int i = 0; i < MaxMessages && !_choices.AreOver; i++)
        {
            object value = Message.Make(_choices);
            switch (_choices.Pick(12))
            {
                case 0:
                    FailToWrite(value, session);
                    continue;
                case 1:
                    Send(new Message(value, _writer.Serialize(value), IsTyped: false, IsInSession: false));
                    break;
                case 2 when !Reader.IsFramed(_channel) && Ask.CanBeTyped(value):
                    byte[] typed = Ask.For(value.GetType()).WriteTyped(_writer, value, session);
                    Send(new Message(value, typed, IsTyped: true, IsInSession: true));
                    break;
                default:
                    Send(new Message(value, Written(value, session), IsTyped: false, IsInSession: true));
                    break;
            }
        }
    }

    private byte[] Written(object value, SerializerSession session)
    {
        using var stream = new MemoryStream();
        switch (_choices.Pick(4))
        {
            case 0:
                return _writer.Serialize(value, session);
            case 1:
                var output = new ArrayBufferWriter<byte>();
                _writer.Serialize(value, output, session);
                return output.WrittenSpan.ToArray();
            case 2:
                _writer.Serialize(value, stream, session);
                return stream.ToArray();
            default:
                _writer.SerializeFramedAsync(value, stream, session).AsTask().GetAwaiter().GetResult();
                return stream.ToArray()[sizeof(int)..];
        }
    }

    // What was not written was not sent. The types that it has defined meanwhile were not, either.
    private void FailToWrite(object value, SerializerSession session)
    {
        object?[] bad = [value, new Wrapped { Inside = new Deposit() }, _choices.OneIn(2) ? new Faulty() : Task.CompletedTask];
        using var stream = new MemoryStream();
        Exception? failure = Record.Exception(() =>
        {
            switch (_choices.Pick(3))
            {
                case 0:
                    _writer.Serialize(bad, session);
                    break;
                case 1:
                    _writer.Serialize(bad, stream, session);
                    break;
                default:
                    var cancelled = new CancellationToken(canceled: true);
                    _writer.SerializeFramedAsync(value, stream, session, cancelled).AsTask().GetAwaiter().GetResult();
                    break;
            }
        });
        Assert.True(failure is FaultyException or UnsupportedTypeException or OperationCanceledException,
            $"Writing what cannot be written gives {failure?.ToString() ?? "no error"}.");
        Assert.Equal(0, stream.Length);
    }

    private void Send(Message message)
    {
        // Who asks for a type allows it.
        Type asked = message.IsTyped || (_choices.OneIn(3) && !message.HasHidden) ? message.Value.GetType() : typeof(object);
        if (_choices.OneIn(8) && !message.IsTyped)
        {
            asked = _choices.Of(typeof(Refund), typeof(Transfer), typeof(Batch), typeof(string), typeof(Actor));
        }

        var delivery = new Delivery(message, message.Bytes, asked, _choices.OneIn(6));
        if (_isFaithful)
        {
            _deliveries.Add(delivery);
            return;
        }

        switch (_choices.Pick(16))
        {
            case 0:
                break;
            case 1:
                _deliveries.AddRange([delivery, delivery]);
                break;
            case 2:
                _deliveries.Insert(Math.Max(0, _deliveries.Count - 1), delivery);
                break;
            case 3:
                _deliveries.Insert(Math.Max(0, _deliveries.Count - _choices.Pick(6)), delivery);
                break;
            case 4:
                _deliveries.Add(delivery with { Bytes = message.Bytes[.._choices.Pick(message.Bytes.Length)] });
                break;
            case 5:
                _deliveries.Add(Changed(delivery, 0, _choices.Of<byte>(0x20, 0x08, 0x02, 0x01)));
                break;
            case 6:
                _deliveries.Add(Changed(delivery, Math.Min(1, message.Bytes.Length - 1), _choices.Of<byte>(1, 2, 4, 0x80)));
                break;
            case 7:
                _deliveries.Add(delivery with { Bytes = [.. message.Bytes, 0] });
                break;
            case 8 when _deliveries.Count > 0:
                // A message of long ago.
                _deliveries.AddRange([delivery, _deliveries[_choices.Pick(_deliveries.Count)]]);
                break;
            default:
                _deliveries.Add(delivery);
                break;
        }
    }

    private static Delivery Changed(Delivery delivery, int at, byte by)
    {
        byte[] bytes = [.. delivery.Bytes];
        bytes[at] ^= by;
        return delivery with { Bytes = bytes };
    }

    private string? Read()
    {
        using var reader = new Reader(_reader, _channel, _deliveries);
        for (int i = 0; i < _deliveries.Count; i++)
        {
            Delivery delivery = _deliveries[i];
            object? value = null;
            Exception? failure = null;
            IsMissing = delivery.IsMissing;
            try
            {
                value = reader.Next(delivery);
            }
            catch (Exception e)
            {
                failure = e;
            }
            finally
            {
                IsMissing = false;
            }

            if (Judge(delivery, value, failure) is { } violation)
            {
                string sent = string.Join(", ", _deliveries.Take(i + 1));
                return $"{_channel}, message {i}, {Convert.ToHexString(delivery.Bytes)}: {violation} Delivered: {sent}.";
            }
        }

        return null;
    }

    private string? Judge(Delivery delivery, object? value, Exception? failure)
    {
        bool isRefusal = failure is WireFormatException or InvalidOperationException
            || (failure is ActorMissingException && delivery.IsMissing);
        if (failure is not null && !isRefusal)
        {
            return $"Reading fails with {failure}.";
        }

        if (!delivery.IsWhole)
        {
            return null;
        }

        if (failure is null)
        {
            return delivery.Reason is { } reason && reason != "its conversion throws"
                ? $"{value} was read though it is {reason}."
                : GraphAssert.Difference(delivery.Message.Value, value, _reader.Options.PreserveObjectReferences);
        }

        if (!_isFaithful)
        {
            return null;
        }

        return delivery.Reason switch
        {
            null => $"It can be read, and is not: {failure}",
            "its conversion throws" => failure is ActorMissingException ? null : $"The conversion's exception is {failure}.",
            "refused by the filter" when failure is TypeRefusedException => null,
            _ when failure is ActorMissingException && delivery.IsMissing => null,
            "refused by the filter" => $"The refusal is {failure}.",
            _ => failure is WireFormatException ? null : $"The refusal is {failure}.",
        };
    }
}
