using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// Types of which one session knows that they cannot be unloaded: where roots of several types take turns, asking the runtime
/// again would cost more than everything else that a change of root costs.
/// </summary>
internal sealed class LastingTypes
{
    private readonly Type?[] _known = new Type?[16];

    public bool Contains(Type type)
    {
        int slot = RuntimeHelpers.GetHashCode(type) & (_known.Length - 1);
        return ReferenceEquals(_known[slot], type) || Ask(type, slot);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Ask(Type type, int slot)
    {
        if (type.IsCollectible)
        {
            return false;
        }

        _known[slot] = type;
        return true;
    }
}
