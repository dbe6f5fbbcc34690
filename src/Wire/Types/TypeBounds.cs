using Wire.Resolution;

namespace Wire.Types;

/// <summary>
/// Bounds how far types are followed from those that a program asks for. One may declare itself with ever larger arguments, as in
/// <c>class Tree&lt;T&gt; { Tree&lt;(T, T)&gt;? Below; }</c>: making and naming such a type takes longer the larger it is, and no program
/// needs all of them. Not thread-safe.
/// </summary>
internal sealed class TypeBounds
{
    // Beyond those of the roots: nested arguments and elements.
    private const int MaxFurtherDepth = 32;

    // Beyond those of the roots: as many as a name in a payload has.
    private const int MaxFurtherParts = TypeNames.MaxParts;

    // A class with several such members leads to more with each level: there are so many beyond the first levels.
    private const int FirstDepth = 4;
    private const int MaxBeyondFirst = 64;

    private readonly Dictionary<Type, Extent> _extents = [];
    private readonly int _maxDepth;
    private readonly long _maxParts;
    private int _beyondFirst;

    /// <summary>Bounds the types that are reached from others.</summary>
    /// <param name="roots">Those from which they are reached.</param>
    public TypeBounds(params Type[] roots)
    {
        foreach (Type root in roots)
        {
            if (root.HasElementType || root.IsConstructedGenericType)
            {
                Extent extent = Measure(root);
                (_maxDepth, _maxParts) = (Math.Max(_maxDepth, extent.Depth), Math.Max(_maxParts, extent.Parts));
            }
        }

        _maxDepth += MaxFurtherDepth;
        _maxParts += MaxFurtherParts;
    }

    /// <summary>Returns whether a type is followed.</summary>
    public bool Admit(Type type)
    {
        if (!type.HasElementType && !type.IsConstructedGenericType)
        {
            return true;
        }

        Extent extent = Measure(type);
        return extent.IsAdmitted ??= extent.Depth <= _maxDepth && extent.Parts <= _maxParts
            && (extent.Depth <= _maxDepth - MaxFurtherDepth + FirstDepth || ++_beyondFirst <= MaxBeyondFirst);
    }

    private Extent Measure(Type type)
    {
        if (!_extents.TryGetValue(type, out Extent? extent))
        {
            (int depth, long parts) = (0, 0);
            foreach (Type part in type.HasElementType ? [type.GetElementType()!] : type.GetGenericArguments())
            {
                Extent? inner = part.HasElementType || part.IsConstructedGenericType ? Measure(part) : null;
                (depth, parts) = (Math.Max(depth, inner?.Depth ?? 0), Math.Min(parts + (inner?.Parts ?? 1), int.MaxValue));
            }

            extent = new Extent(depth + 1, parts + 1);
            _extents.Add(type, extent);
        }

        return extent;
    }

    // Fields: a first message compiles each method that it calls.
    private sealed class Extent(int depth, long parts)
    {
        // The levels of a type's name.
        public readonly int Depth = depth;

        // Its parts, which double with each level of a tuple of itself.
        public readonly long Parts = parts;

        public bool? IsAdmitted;
    }
}
