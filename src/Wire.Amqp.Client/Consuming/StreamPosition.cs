using System.Collections;
using System.Diagnostics;
using System.Globalization;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Consuming;

/// <summary>
/// The position of a consumer in a stream: which of its messages are settled, and so where it goes on. The broker keeps no such position
/// for consumers of AMQP 0-9-1, and would begin again as the arguments say. Of a queue that is no stream it keeps nothing. Thread-safe.
/// </summary>
/// <remarks>
/// A queue is taken for a stream by the header that the broker gives each message of one. A copy of such a message may be in any queue: a
/// message without the header, one that is delivered again, and an offset that does not grow show that it is none.
/// <code>
/// offset   41       42    43       44       45
/// state    settled  open  settled  settled  open     goes on at 42, and passes over 43 and 44
///                   ^ _next  ^ _settled: [43, 45)
/// </code>
/// </remarks>
internal sealed class StreamPosition
{
    /// <summary>The name of the header, and of the argument.</summary>
    public const string OffsetKey = "x-stream-offset";

    private static readonly AmqpString OffsetHeader = OffsetKey;

    private readonly Lock _gate = new();
    private readonly IReadOnlyDictionary<string, object?>? _arguments;
    private readonly bool _isGiven;

    // How long before the start of the consumer its messages begin, in seconds; null where the arguments say it in another way.
    private readonly long? _age;

    // Beyond the first that is not, in order, without gaps of length 0 between two.
    private readonly List<(long First, long End)> _settled = [];
    private volatile Kind _kind;
    private long? _next;
    private object? _owner;
    private long _started;

    // The lowest offset that the owner can be brought.
    private long? _expected;

    /// <summary>Makes the position of a consumer that has not begun.</summary>
    /// <param name="arguments">The program's arguments; null for none.</param>
    /// <exception cref="ArgumentException">The broker would close the connection over the offset among them.</exception>
    public StreamPosition(IReadOnlyDictionary<string, object?>? arguments)
    {
        _arguments = arguments;
        object? offset = null;
        _isGiven = arguments?.TryGetValue(OffsetKey, out offset) == true;
        offset = offset is AmqpString text ? text.ToString() : offset;
        _age = AgeOf(offset);
        if (_isGiven && !MayBeOffset(offset))
        {
            string shown = offset is string ? $"'{offset}'" : string.Create(CultureInfo.InvariantCulture, $"{offset ?? "null"}");
            throw new ArgumentException(
                $"The argument '{OffsetKey}' of a consumer is {shown}, over which RabbitMQ closes the connection: give 'first', 'last', " +
                "'next', an offset, a time, or an interval such as '1h'.", nameof(arguments));
        }
    }

    private enum Kind
    {
        Unknown,
        Stream,
        Other,
    }

    /// <summary>Gets whether the queue may be a stream; false for good once it is not.</summary>
    public bool MayBeStream => _kind != Kind.Other;

    /// <summary>Gets the offset of a message; null where it has none.</summary>
    /// <exception cref="AmqpFormatException">The properties are damaged.</exception>
    public static long? OffsetOf(in BasicProperties properties) =>
        properties.Headers.TryGetValue(OffsetHeader, out FieldValue value) && value.Type == FieldType.Int64 ? value.AsInt64() : null;

    /// <summary>Returns whether a message has an offset, as those of streams and their copies have. Damaged properties have none.</summary>
    public static bool HasOffset(in BasicProperties properties)
    {
        try
        {
            return OffsetOf(properties) is not null;
        }
        catch (AmqpFormatException)
        {
            return false;
        }
    }

    /// <summary>Returns whether a message of this consumer is taken for one of a stream, which takes none back.</summary>
    public bool IsOfStream(in BasicProperties properties) => MayBeStream && HasOffset(properties);

    /// <summary>Begins to consume, at the first time or again.</summary>
    /// <param name="owner">Who is brought the messages from now on, and nobody else.</param>
    /// <param name="longestCall">How long it may take until the broker has begun.</param>
    /// <returns>The arguments to consume with.</returns>
    public IReadOnlyDictionary<string, object?>? Begin(object owner, TimeSpan longestCall)
    {
        lock (_gate)
        {
            object? offset = _kind == Kind.Other || _owner is null ? null : _next ?? (object?)Since(longestCall);
            _started = _owner is null ? Stopwatch.GetTimestamp() : _started;
            (_owner, _expected) = (owner, _next);
            return offset is null
                ? _arguments
                : new Dictionary<string, object?>(_arguments ?? new Dictionary<string, object?>()) { [OffsetKey] = offset };
        }
    }

    /// <summary>Takes a message of a queue that may be a stream, in the order in which they come.</summary>
    /// <param name="owner">Who was brought it.</param>
    /// <param name="offset">Its offset; null where it has none.</param>
    /// <param name="isRedelivered">True if the broker calls it delivered before.</param>
    /// <returns>False where it is not to be handled: it was settled before, or comes again to the next owner.</returns>
    public bool TryDeliver(object owner, long? offset, bool isRedelivered)
    {
        lock (_gate)
        {
            if (_kind == Kind.Other || (offset is null && _isGiven))
            {
                return true;
            }

            if (offset is not { } number || (!_isGiven && (isRedelivered || (owner == _owner && number < _expected))))
            {
                _kind = Kind.Other;
                return true;
            }

            if (owner != _owner)
            {
                return _kind == Kind.Unknown;
            }

            _kind = Kind.Stream;
            _next ??= number;
            if (_expected is { } expected)
            {
                // What is in between is not there any more, or not for this consumer.
                Settle(expected, number);
            }

            _expected = Math.Max(_expected ?? 0, number + 1);
            return !IsSettled(number);
        }
    }

    /// <summary>A message is settled: it does not come again.</summary>
    public void Settle(long offset)
    {
        lock (_gate)
        {
            if (_kind == Kind.Stream)
            {
                Settle(offset, offset + 1);
            }
        }
    }

    /// <summary>The queue is gone: another one of its name begins anew.</summary>
    public void Restart()
    {
        lock (_gate)
        {
            (_next, _expected) = (null, null);
            _settled.Clear();
        }
    }

    /// <summary>The broker has refused the arguments. True where they are the program's again from now on.</summary>
    public bool TryGiveUp()
    {
        lock (_gate)
        {
            if (_isGiven || _kind != Kind.Stream)
            {
                return false;
            }

            _kind = Kind.Other;
            return true;
        }
    }

    // Years and months as the broker counts them.
    private static bool MayBeOffset(object? offset) => offset switch
    {
        string text => text is "first" or "next" or "last" || AgeOf(text) is not null,
        null or bool or float or double or decimal or IEnumerable => false,
        _ => true,
    };

    private static long? AgeOf(object? offset) => offset switch
    {
        null or "next" or "last" => 0,
        string { Length: > 1 } text when long.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.None, null, out long number) =>
            text[^1] switch
            {
                'Y' => number * 365 * 86_400,
                'M' => number * 30 * 86_400,
                'D' => number * 86_400,
                'h' => number * 3600,
                'm' => number * 60,
                's' => number,
                _ => null,
            },
        _ => null,
    };

    // Where nothing has come, all since the start, by the clock of the broker; of what came within the time of a call before it, some more.
    private string? Since(TimeSpan longestCall) => _age is { } age && (_isGiven || _kind == Kind.Stream)
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"{age + (long)Math.Ceiling((Stopwatch.GetElapsedTime(_started) + longestCall).TotalSeconds)}s")
        : null;

    private bool IsSettled(long offset)
    {
        if (offset < _next)
        {
            return true;
        }

        foreach ((long first, long end) in _settled)
        {
            if (offset < end)
            {
                return offset >= first;
            }
        }

        return false;
    }

    // Up to an end that does not belong to it.
    private void Settle(long first, long end)
    {
        first = Math.Max(first, _next ?? long.MaxValue);
        if (first >= end)
        {
            return;
        }

        int at = 0;
        while (at < _settled.Count && _settled[at].End < first)
        {
            at++;
        }

        int behind = at;
        for (; behind < _settled.Count && _settled[behind].First <= end; behind++)
        {
            (first, end) = (Math.Min(first, _settled[behind].First), Math.Max(end, _settled[behind].End));
        }

        _settled.RemoveRange(at, behind - at);
        if (first == _next)
        {
            _next = end;
        }
        else
        {
            _settled.Insert(at, (first, end));
        }
    }
}
