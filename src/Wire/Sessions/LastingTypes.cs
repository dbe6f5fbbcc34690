using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Wire.Resolution;

namespace Wire.Sessions;

/// <summary>
/// Types of which one session knows that they cannot be unloaded, and which load context is theirs: where roots of several types take
/// turns, asking the runtime again would cost more than everything else that a change of root costs.
/// </summary>
internal sealed class LastingTypes
{
    private readonly Type?[] _known = new Type?[16];
    private AssemblyLoadContext?[]? _contexts;

    public bool Contains(Type type)
    {
        int slot = RuntimeHelpers.GetHashCode(type) & (_known.Length - 1);
        return ReferenceEquals(_known[slot], type) || Ask(type, slot);
    }

    /// <summary>The context other than the default one that such a type is in; null for most.</summary>
    public AssemblyLoadContext? ContextOf(Type type) =>
        Contains(type) && _contexts is { } contexts ? contexts[RuntimeHelpers.GetHashCode(type) & (contexts.Length - 1)] : null;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Ask(Type type, int slot)
    {
        if (type.IsCollectible)
        {
            return false;
        }

        _known[slot] = type;
        if (LoadContexts.OwnOf(type) is { } context)
        {
            (_contexts ??= new AssemblyLoadContext?[_known.Length])[slot] = context;
        }
        else if (_contexts is not null)
        {
            _contexts[slot] = null;
        }

        return true;
    }
}
