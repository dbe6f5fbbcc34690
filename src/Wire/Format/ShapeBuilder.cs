namespace Wire.Format;

/// <summary>Builds the shape of a type from the shapes of its parts. A value type that contains itself, through a collection, becomes a recursion.</summary>
internal sealed class ShapeBuilder(TypeRegistry? registry = null)
{
    private readonly List<Type> _above = [];
    private readonly List<(Type Source, int Levels)> _surrogates = [];

    // The stand-ins from here on hold each other without anything that could be null or empty in between.
    private int _firstInline;

    /// <summary>Knows the layouts of declared types; null where only built-in types can come.</summary>
    public TypeRegistry? Registry => registry;

    /// <summary>The shape of a stand-in, which must not hold a value that it stands for without a collection or class in between.</summary>
    public Shape Surrogate(Type source, ValueSerializer slot)
    {
        // A stand-in with members ends as a recursion; one that is a collection of its sources has no shape.
        int at = _surrogates.FindLastIndex(above => above.Source == source);
        if (at >= 0 && (at >= _firstInline || _surrogates[at].Levels == _above.Count))
        {
            throw new UnsupportedTypeException(source, "its surrogate holds a value of the same type, which would be replaced again without end.");
        }

        _surrogates.Add((source, _above.Count));
        Shape shape = slot.Describe(this);
        _surrogates.RemoveAt(_surrogates.Count - 1);
        return shape;
    }

    /// <summary>The shape of a variable that may be null, of a declared type that is part of the schema.</summary>
    public Shape Tagged(ValueSerializer exact)
    {
        int before = _firstInline;
        _firstInline = _surrogates.Count;
        Shape shape = Shape.Tagged(exact.Describe(this));
        _firstInline = before;
        return shape;
    }

    public Shape Members(Type type, (string Name, ValueSerializer Slot)[] members)
    {
        int at = _above.LastIndexOf(type);
        if (at >= 0)
        {
            return Shape.Recursion(_above.Count - 1 - at);
        }

        return Level(type, () =>
        {
            var shapes = new ShapeMember[members.Length];
            for (int i = 0; i < shapes.Length; i++)
            {
                shapes[i] = new ShapeMember(members[i].Name, members[i].Slot.Describe(this));
            }

            return Shape.Of(shapes);
        });
    }

    /// <summary>The shape of a union: a level of its own, with a level of members for each case.</summary>
    public Shape Union(Type type, IEnumerable<UnionCase> cases)
    {
        int at = _above.LastIndexOf(type);
        return at >= 0
            ? Shape.Recursion(_above.Count - 1 - at)
            : Level(type, () => Shape.Union([.. cases.Select(c => new ShapeMember(c.Name, Fields(c)))]));
    }

    // Nothing recurses to the fields of one case, so that no type stands for their level.
    private Shape Fields(UnionCase union) => Level(
        typeof(UnionCase),
        () => Shape.Of([.. union.Fields.Select(field => new ShapeMember(field.Name, field.Slot.Describe(this)))]));

    private Shape Level(Type type, Func<Shape> describe)
    {
        _above.Add(type);
        Shape shape = describe();
        _above.RemoveAt(_above.Count - 1);
        return shape;
    }
}
