using Wire.Format;
using Wire.Manifests;

namespace Wire.Paths;

/// <summary>
/// The layouts that the views of one kind of root share, however their objects are reached: trees have as many ways as objects.
/// Thread-safe.
/// </summary>
internal sealed class ViewLayouts
{
    // Payloads choose how many there are. What is beyond is left to the general way.
    private const int Most = 256;

    private readonly Lock _lock = new();
    private readonly List<(Type Type, Shape Shape, Manifest? Named, ViewLayout Layout)> _known = [];

    /// <summary>Gets whether no more are kept.</summary>
    public bool IsFull
    {
        get
        {
            lock (_lock)
            {
                return _known.Count >= Most;
            }
        }
    }

    /// <summary>Finds a layout; null where there is none yet.</summary>
    /// <param name="type">The type of the variable that has the value.</param>
    /// <param name="shape">The shape of the value.</param>
    /// <param name="named">The manifest that it is of; null where the payload names none.</param>
    public ViewLayout? Find(Type type, Shape shape, Manifest? named)
    {
        lock (_lock)
        {
            foreach ((Type knownType, Shape knownShape, Manifest? knownNamed, ViewLayout layout) in _known)
            {
                if (ReferenceEquals(knownShape, shape) && knownType == type && ReferenceEquals(knownNamed, named))
                {
                    return layout;
                }
            }
        }

        return null;
    }

    /// <summary>Adds a layout, and returns the one that is kept; null where there are too many.</summary>
    /// <param name="type">The type of the variable that has the value.</param>
    /// <param name="shape">The shape of the value.</param>
    /// <param name="named">The manifest that it is of; null where the payload names none.</param>
    /// <param name="layout">The layout.</param>
    public ViewLayout? Add(Type type, Shape shape, Manifest? named, ViewLayout layout)
    {
        lock (_lock)
        {
            if (Find(type, shape, named) is { } known)
            {
                return known;
            }

            if (_known.Count >= Most)
            {
                return null;
            }

            _known.Add((type, shape, named, layout));
            return layout;
        }
    }
}
