using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Runtime;
using Wire.Types;

namespace Wire.Plans;

/// <summary>
/// The plans of messages whose type both sides know: by that type, and for reading by the fingerprint behind the header, which is as good
/// as a hash. Thread-safe; readers take no lock.
/// </summary>
internal sealed class TypedPlans(TypeRegistry registry)
{
    private const int SlotsPerPlan = 32;

    private readonly Lock _lock = new();
    private readonly TypeMap<TypedPlan> _plans = new();
    private ReadPlan?[] _readers = new ReadPlan?[8];
    private int _added;

    /// <summary>Gets the plan of a type, and makes it if there is none.</summary>
    public TypedPlan<T> Get<T>() => (TypedPlan<T>)_plans.GetOrAdd(typeof(T), static (_, owner) => new TypedPlan<T>(owner), registry);

    /// <summary>Finds the plan of a type; null when there is none.</summary>
    public TypedPlan? Find(Type type) => _plans.TryGetValue(type, out TypedPlan? plan) ? plan : null;

    /// <summary>Finds the plan of an object's own type; null when there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TypedPlan? FindFor(object value) => _plans.FindFor(value);

    /// <summary>
    /// Returns the plan of a payload, or of another that looks like it, whatever type its callers request; null when there is none.
    /// </summary>
    /// <param name="payload">The payload.</param>
    /// <param name="sessionFlag">The flag of a session's messages in the header, or 0 for standalone messages.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadPlan? GuessReader(ReadOnlySpan<byte> payload, byte sessionFlag)
    {
        ReadPlan?[] readers = _readers;
        return payload.Length > sizeof(uint) && (payload[0] & PayloadHeader.Session) == sessionFlag
            ? readers[SlotOf(ref MemoryMarshal.GetReference(payload)) & (readers.Length - 1)]
            : null;
    }

    /// <summary>Finds the plan for payloads that are read as a type, even if another one has its slot; null when there is none.</summary>
    public ReadPlan<T>? FindReader<T>(bool isLasting) =>
        Find(typeof(T)) is TypedPlan<T> plan ? isLasting ? plan.SessionReader : plan.Reader : null;

    /// <summary>Adds a plan for payloads that begin with a header and a fingerprint.</summary>
    public void Add(ReadPlan reader)
    {
        lock (_lock)
        {
            if (Array.Exists(_readers, known => known is not null && known.Prefix.AsSpan().SequenceEqual(reader.Prefix)))
            {
                // Two threads have read their first message of a type at once.
                return;
            }

            _added++;
            while (_readers[SlotOf(reader) & (_readers.Length - 1)] is not null && _readers.Length < _added * SlotsPerPlan)
            {
                var larger = new ReadPlan?[_readers.Length * 2];
                foreach (ReadPlan known in _readers.OfType<ReadPlan>())
                {
                    larger[SlotOf(known) & (larger.Length - 1)] = known;
                }

                Volatile.Write(ref _readers, larger);
            }

            _readers[SlotOf(reader) & (_readers.Length - 1)] = reader;
        }
    }

    private static int SlotOf(ReadPlan reader) => SlotOf(ref reader.Prefix[0]);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int SlotOf(ref byte start) => start + Unsafe.ReadUnaligned<int>(ref Unsafe.Add(ref start, 1));
}
