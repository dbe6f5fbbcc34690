using Wire.Errors;
using Wire.Framing;

namespace Wire.AsyncSequences;

/// <summary>The async sequences behind a value that is being read: those to which it leads, by their numbers.</summary>
/// <param name="count">How many there are.</param>
/// <param name="frames">Their frames; null where they are to be kept in memory, once the value has been read.</param>
internal sealed class ReadSequences(uint count, OrderedFrames? frames)
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
            _found.Add(number, sequence = new SequenceFrames(number) { Source = frames });
        }

        return sequence;
    }

    /// <summary>Gets how many sequences there are.</summary>
    public uint Count => count;

    /// <summary>Gets whether the frames are to be kept in memory.</summary>
    public bool AreKept => frames is null;

    /// <summary>Returns whether the value leads to a sequence.</summary>
    public bool LeadsTo(uint number) => _found.ContainsKey(number);
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
