using Wire.Sessions;
using Wire.Types;

namespace Wire.Plans;

/// <summary>The common part of all messages of one kind: the bytes in front of the root's members, and the budget after the root.</summary>
internal abstract class MessagePlan
{
    // After a message that is not flat, that many are not tried as flat ones: those of a kind are often alike.
    private const int Untried = 15;

    private readonly Budget _left;
    private int _untried;

    private protected MessagePlan(TypeRegistry registry, byte[] prefix, in Budget left, ValueSerializer serializer)
    {
        Registry = registry;
        Prefix = prefix;
        _left = left;
        HoldsNoObjects = serializer.HoldsNoObjects;
        MaxFlat = serializer.Flat?.Bounds.MaxBytesWithin(registry.Options.Limits) ?? 0;
    }

    /// <summary>The registry of the plan's serializer.</summary>
    public TypeRegistry Registry { get; }

    /// <summary>The bytes in front of the members.</summary>
    public byte[] Prefix { get; }

    /// <summary>Gets the message's budget after the root.</summary>
    public ref readonly Budget Left => ref _left;

    /// <summary>Gets whether the root is the message's only object, so that it needs neither path nor tables.</summary>
    public bool HoldsNoObjects { get; }

    /// <summary>Gets whether messages may be flat.</summary>
    public bool IsFlat => MaxFlat > 0;

    /// <summary>Gets the maximal number of bytes of a flat message; zero when there is none.</summary>
    protected int MaxFlat { get; }

    /// <summary>Compiles its code now: for flat messages, where there are any.</summary>
    public abstract void Prepare();

    /// <summary>Begins to leave out the attempts to treat a message as a flat one.</summary>
    private protected void BeginGivingUp() => _untried = Untried;

    /// <summary>Counts a message that is not tried as a flat one; true when the next one is to be tried.</summary>
    private protected bool EndsGivingUp() => --_untried < 0;
}
