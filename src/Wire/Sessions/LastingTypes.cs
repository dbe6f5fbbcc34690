using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Wire.Resolution;

namespace Wire.Sessions;

/// <summary>
/// A session's cache of types that cannot be unloaded, with their load contexts: where root types alternate, asking the runtime each time
/// would cost more than the rest of the switch.
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

    /// <summary>The load context of such a type; null for the default one.</summary>
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
