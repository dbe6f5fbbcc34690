using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// From type to manifest identifier, for one session. Most messages hold one type, so the first costs a comparison and
/// nothing is allocated before the second.
/// </summary>
internal sealed class FastTypeUShortDictionary
{
    private Type? _first;
    private bool _hasFirst;
    private ushort _firstId;
    private Dictionary<Type, ushort>? _all;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGet(Type type, out ushort id)
    {
        if (_hasFirst && ReferenceEquals(type, _first))
        {
            id = _firstId;
            return true;
        }

        if (_all is null)
        {
            id = 0;
            return false;
        }

        return _all.TryGetValue(type, out id);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(Type type, ushort id)
    {
        if (!_hasFirst)
        {
            // Often the type of the message before is still there.
            if (!ReferenceEquals(_first, type))
            {
                _first = type;
            }

            _firstId = id;
            _hasFirst = true;
        }
        else
        {
            AddFurther(type, id);
        }
    }

    /// <summary>Forgets the identifiers from <paramref name="count"/> up; the tables stay for reuse.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Truncate(int count)
    {
        if (_all is not null)
        {
            TruncateFurther(count);
        }

        if (_firstId >= count)
        {
            _hasFirst = false;
        }
    }

    /// <summary>Forgets everything, and gives the tables up.</summary>
    public void Release()
    {
        _hasFirst = false;
        _first = null;
        _all = null;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AddFurther(Type type, ushort id) => (_all ??= []).Add(type, id);

    private void TruncateFurther(int count)
    {
        foreach ((Type type, ushort id) in _all!)
        {
            if (id >= count)
            {
                _all.Remove(type);
            }
        }
    }
}
