namespace Wire.Format;

/// <summary>Builds the shape of a type from the shapes of its parts. A value type that contains itself, through a collection, becomes a recursion.</summary>
internal sealed class ShapeBuilder(TypeRegistry? registry = null)
{
    private readonly List<Type> _above = [];
    private readonly List<Type> _surrogates = [];

    /// <summary>Knows the layouts of declared types; null where only built-in types can come.</summary>
    public TypeRegistry? Registry => registry;

    /// <summary>The shape of a stand-in, which must not hold a value that it stands for without a collection or class in between.</summary>
    public Shape Surrogate(Type source, ValueSerializer slot)
    {
        if (_surrogates.Contains(source))
        {
            throw new UnsupportedTypeException(source, "its surrogate holds a value of the same type, which would be replaced again without end.");
        }

        _surrogates.Add(source);
        Shape shape = slot.Describe(this);
        _surrogates.RemoveAt(_surrogates.Count - 1);
        return shape;
    }

    public Shape Members(Type type, IEnumerable<(string Name, ValueSerializer Slot)> members)
    {
        int at = _above.LastIndexOf(type);
        if (at >= 0)
        {
            return Shape.Recursion(_above.Count - 1 - at);
        }

        _above.Add(type);
        Shape shape = Shape.Of([.. members.Select(m => new ShapeMember(m.Name, m.Slot.Describe(this)))]);
        _above.RemoveAt(_above.Count - 1);
        return shape;
    }
}
