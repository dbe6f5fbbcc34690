using Wire.Runtime;

namespace Wire.Sessions;

/// <summary>
/// The sizes that messages of each kind took, by the types of their roots, for callers that want to know one beforehand. Thread-safe.
/// </summary>
internal sealed class SizeEstimates
{
    /// <summary>
    /// The most that is concluded from earlier messages: after a huge one, a small one should not be given as much memory.
    /// </summary>
    public const int MaxBytes = 1 << 20;

    // Larger sizes count at once, and an estimate comes down by an eighth of the difference: memory that is too small costs a copy.
    private const int Decay = 8;

    private readonly TypeMap<Estimate> _estimates = new();

    /// <summary>Adds the size of a message.</summary>
    public void Add<T>(T root, long size)
    {
        if (root is null)
        {
            return;
        }

        Type type = root.GetType();
        Estimate estimate = _estimates.TryGetValue(type, out Estimate? known) ? known : _estimates.GetOrAdd(type, new Estimate());
        int added = (int)Math.Min(size, MaxBytes), before = estimate.Bytes;
        estimate.Bytes = added >= before ? added : before - ((before - added) / Decay);
    }

    /// <summary>Gets the estimate for messages with a root of the type; 0 when there has been none.</summary>
    public int Find(Type type) => _estimates.TryGetValue(type, out Estimate? estimate) ? estimate.Bytes : 0;

    private sealed class Estimate
    {
        public int Bytes;
    }
}
