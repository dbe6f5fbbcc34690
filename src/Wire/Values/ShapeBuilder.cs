using Wire.Format;
using Wire.Types;

namespace Wire.Values;

/// <summary>
/// Builds the shape of a type from the shapes of its parts. A value type that contains itself, through a collection, becomes a recursion.
/// </summary>
/// <param name="registry">The registry of the types; null where only built-in types can occur.</param>
/// <param name="visit">Called for each part, before those inside it; null for nothing.</param>
/// <param name="replace">Returns what stands for a part; null, or nothing to replace, for the part's own shape.</param>
internal sealed class ShapeBuilder(
    TypeRegistry? registry = null, Action<ValueSerializer>? visit = null, Func<ValueSerializer, Shape?>? replace = null)
{
    // The limit of nested parts, some of which are surrogates and take no level of a schema: more than the 32 levels of a schema need.
    private const int MaxDepth = 128;

    // More than fit in the longest manifest with a name for each member. Two fields of one generic type double with every level.
    private const int MaxParts = 1 << 14;

    // Shapes with fewer parts are described again, which is faster than caching.
    private const int LeastKept = 16;

    private readonly List<Type> _above = [];
    private readonly List<(Type Source, int Levels)> _surrogates = [];

    // The cached shapes, with the types inside: valid wherever none of these types encloses the position.
    private Dictionary<ValueSerializer, (Shape Shape, Type[] Levels)>? _described;
    private readonly List<Type> _levels = [];

    // The index from which stand-ins contain each other without anything nullable or empty in between.
    private int _firstInline;
    private Type? _whole;
    private int _depth;
    private int _parts;

    // The outermost enclosing level that a recursion refers to.
    private int _outermost = int.MaxValue;

    /// <summary>The registry with the layouts of declared types; null where only built-in types can occur.</summary>
    public TypeRegistry? Registry => registry;

    /// <summary>Builds the shape of a type, or of a part of one.</summary>
    /// <exception cref="UnsupportedTypeException">
    /// The type has no finite shape: it contains, in collections or by value, ever larger types constructed from itself.
    /// </exception>
    public Shape Build(ValueSerializer serializer)
    {
        _whole ??= serializer.Type;
        visit?.Invoke(serializer);
        if (replace?.Invoke(serializer) is { } other)
        {
            return other;
        }

        if (_described?.TryGetValue(serializer, out (Shape Shape, Type[] Levels) known) == true
            && _surrogates.Count == 0 && !Array.Exists(known.Levels, _above.Contains))
        {
            _levels.AddRange(known.Levels);
            CountParts(known.Shape.Parts);
            return known.Shape;
        }

        _depth++;
        CountParts(1);
        int first = _levels.Count;
        int outermost = _outermost;
        _outermost = int.MaxValue;
        Shape shape = serializer.Describe(this);
        _depth--;
        if (shape.Parts >= LeastKept && _outermost >= _above.Count && _surrogates.Count == 0)
        {
            Keep(serializer, shape, first);
        }

        _outermost = Math.Min(outermost, _outermost);
        return shape;
    }

    private void Keep(ValueSerializer serializer, Shape shape, int firstLevel)
    {
        Type[] levels = [.. _levels.Skip(firstLevel).Distinct()];
        _levels.RemoveRange(firstLevel, _levels.Count - firstLevel);
        _levels.AddRange(levels);
        (_described ??= [])[serializer] = (shape, levels);
    }

    private void CountParts(int parts)
    {
        _parts += parts;
        if (_depth > MaxDepth || _parts > MaxParts)
        {
            throw new UnsupportedTypeException(
                _whole!,
                (_depth > MaxDepth
                    ? $"its layout has more than {MaxDepth} layouts nested in each other"
                    : $"its layout has more than {MaxParts} parts")
                + ", as when a generic type holds ever larger types made of itself. Make one of the structs that it holds a class, or " +
                    "use a surrogate.");
        }
    }

    /// <summary>
    /// Builds the shape of a stand-in, which must not contain a value of its source without a collection or class in between.
    /// </summary>
    public Shape Surrogate(Type source, ValueSerializer slot)
    {
        // A stand-in with members ends as a recursion; one that is a collection of its sources has no shape.
        int at = _surrogates.FindLastIndex(above => above.Source == source);
        if (at >= 0 && (at >= _firstInline || _surrogates[at].Levels == _above.Count))
        {
            throw new UnsupportedTypeException(
                source, "its surrogate holds a value of the same type, which would be replaced again for ever.");
        }

        _surrogates.Add((source, _above.Count));
        Shape shape = Build(slot);
        _surrogates.RemoveAt(_surrogates.Count - 1);
        return shape;
    }

    /// <summary>Builds the shape of a variable that may be null, whose declared type is part of the schema.</summary>
    public Shape Tagged(ValueSerializer exact)
    {
        int before = _firstInline;
        _firstInline = _surrogates.Count;
        Shape shape = Shape.Tagged(Build(exact));
        _firstInline = before;
        return shape;
    }

    /// <summary>Builds the shape of a type with members.</summary>
    /// <param name="type">The type.</param>
    /// <param name="members">The members.</param>
    /// <param name="change">Gives the shape of a member, by its index, what only the member knows; null for nothing.</param>
    public Shape Members(Type type, (string Name, ValueSerializer Slot)[] members, Func<int, Shape, Shape>? change = null)
    {
        int at = _above.LastIndexOf(type);
        if (at >= 0)
        {
            return Recursion(at);
        }

        return Level(type, () =>
        {
            var shapes = new ShapeMember[members.Length];
            for (int i = 0; i < shapes.Length; i++)
            {
                Shape shape = Build(members[i].Slot);
                shapes[i] = new ShapeMember(members[i].Name, change?.Invoke(i, shape) ?? shape);
            }

            return Shape.FromMembers(shapes);
        });
    }

    /// <summary>Builds the shape of a union: its own level, with a level of members for each case.</summary>
    public Shape Union(Type type, IEnumerable<(string Name, (string Name, ValueSerializer Slot)[] Fields)> cases)
    {
        int at = _above.LastIndexOf(type);
        return at >= 0
            ? Recursion(at)
            : Level(type, () => Shape.Union([.. cases.Select(c => new ShapeMember(c.Name, Fields(c.Fields)))]));
    }

    // No recursion refers to the fields of one case, so their level has no type.
    private Shape Fields((string Name, ValueSerializer Slot)[] fields) => Level(
        typeof(ShapeMember),
        () => Shape.FromMembers([.. fields.Select(field => new ShapeMember(field.Name, Build(field.Slot)))]));

    private Shape Recursion(int level)
    {
        _outermost = Math.Min(_outermost, level);
        return Shape.Recursion(_above.Count - 1 - level);
    }

    private Shape Level(Type type, Func<Shape> describe)
    {
        _levels.Add(type);
        _above.Add(type);
        Shape shape = describe();
        _above.RemoveAt(_above.Count - 1);
        return shape;
    }
}
