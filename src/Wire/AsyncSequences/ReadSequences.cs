using Wire.Errors;
using Wire.Framing;

namespace Wire.AsyncSequences;

/// <summary>The async sequences behind a value that is being read: those to which it leads, by their numbers.</summary>
/// <param name="count">How many there are.</param>
internal sealed class ReadSequences(uint count)
{
    private readonly Dictionary<uint, SequenceFrames> _found = [];

    /// <summary>Gets the frames of a sequence to which the value leads.</summary>
    public SequenceFrames Find(uint number)
    {
        if (number >= count)
        {
            ThrowHelper.InvalidValue(
                "async sequence", $"its number is {number}, and {count} sequence(s) follow the value, which are numbered from 0 on");
        }

        if (!_found.TryGetValue(number, out SequenceFrames? sequence))
        {
            _found.Add(number, sequence = new SequenceFrames(number));
        }

        return sequence;
    }

    /// <summary>Gets how many sequences there are.</summary>
    public uint Count => count;

    /// <summary>Returns whether the value leads to a sequence.</summary>
    public bool LeadsTo(uint number) => _found.ContainsKey(number);

    /// <summary>
    /// Lets the sequences be read one behind the other, once the value has been read: before, what is in front of them is the value.
    /// </summary>
    /// <param name="source">Where their frames come from.</param>
    /// <param name="isWhole">
    /// True if those to which nothing leads are passed over as well, so that the source is behind the payload in the end.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for frames, where nothing leads to any.</param>
    public async ValueTask BeginAsync(FrameSource source, bool isWhole, CancellationToken cancellationToken)
    {
        uint last = _found.Count == 0 ? 0 : _found.Keys.Max();
        var frames = new OrderedFrames(source, first: 0, last, isWhole ? count : 0);
        foreach (SequenceFrames found in _found.Values)
        {
            found.Source = frames;
        }

        if (_found.Count == 0)
        {
            await frames.PassAllAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}

/// <summary>The frames of one async sequence, which are read once.</summary>
/// <param name="number">The number of the sequence in its payload.</param>
internal sealed class SequenceFrames(uint number)
{
    private int _hasBegun;

    /// <summary>Gets or sets where they come from; null until the value in front of them has been read.</summary>
    public OrderedFrames? Source { get; set; }

    /// <summary>Gets or sets what enumerates them; null until the value has led there.</summary>
    public object? Sequence { get; set; }

    /// <summary>Begins to read them.</summary>
    /// <exception cref="InvalidOperationException">That was done before.</exception>
    public void Begin()
    {
        if (Interlocked.Exchange(ref _hasBegun, 1) != 0)
        {
            throw new InvalidOperationException(
                "The elements of this async sequence are read from its payload as they come, once: it has been enumerated before. Collect "
                + "them in a list to go through them again.");
        }
    }

    /// <inheritdoc cref="OrderedFrames.NextAsync"/>
    public ValueTask<ReceivedFrame> NextAsync(CancellationToken cancellationToken) => Source is { } source
        ? source.NextAsync(number, cancellationToken)
        : throw new InvalidOperationException(
            "The elements of this async sequence follow the value that it is a part of: enumerate it when that has been read.");
}
