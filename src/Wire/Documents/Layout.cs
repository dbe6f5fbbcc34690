using Wire.Format;
using Wire.Types;

namespace Wire.Documents;

/// <summary>A member of a layout, or a case of a union.</summary>
internal readonly record struct LayoutMember(string Name, Layout Layout);

/// <summary>
/// A shape whose recursions are resolved, so that a value of it can be read wherever it lies, without the values around it. Layouts may
/// contain themselves. Immutable once made.
/// </summary>
internal sealed class Layout
{
    private static readonly Layout?[] Vectors = new Layout?[Tag.FirstShortIdentifier];

    private Layout(Shape shape)
    {
        Shape = shape;
        IsChecked = shape.Code is Tag.Boolean or Tag.IntPtr or Tag.UIntPtr or Tag.Decimal or Tag.Rune or Tag.DateTime or Tag.DateTimeOffset
            or Tag.DateOnly or Tag.TimeOnly;
    }

    /// <summary>Gets the layout of a value behind a tag, where no type is declared.</summary>
    public static Layout Tagged { get; } = new(Shape.TaggedOnly) { DeclaresNothing = true };

    /// <summary>Gets the shape.</summary>
    public Shape Shape { get; }

    /// <summary>Gets a <see cref="ShapeCode"/>, or the tag of a built-in type.</summary>
    public byte Code => Shape.Code;

    /// <summary>Gets the number of bytes that every value takes; 0 when that varies.</summary>
    public int FixedSize => Shape.FixedSize;

    /// <summary>
    /// Gets the element of a sequence, set, array or nullable; the key of a map; the declared layout of a tagged position, or null; the
    /// integer of an enum.
    /// </summary>
    public Layout? Element { get; private set; }

    /// <summary>Gets the value of a map.</summary>
    public Layout? Value { get; private set; }

    /// <summary>Gets the members, or the cases.</summary>
    public LayoutMember[] Members { get; private set; } = [];

    /// <summary>Gets whether not all bytes of the fixed size are a value.</summary>
    public bool IsChecked { get; private set; }

    /// <summary>
    /// Gets whether the position of the values, which are behind tags, is known to declare no type that could be left out.
    /// </summary>
    public bool DeclaresNothing { get; private init; }

    /// <summary>Gets whether values are bytes, which are shown as such.</summary>
    public bool IsOfBytes => Code == ShapeCode.Sequence && Element!.Code == Tag.Byte;

    /// <summary>Gets the least number of bytes of an element, or of a pair.</summary>
    public int ElementMinSize => Shape.AddSizes(Element!.Shape.MinSize, Value?.Shape.MinSize ?? 0);

    /// <summary>Gets the number of bytes of every element or pair; 0 when that varies.</summary>
    public long ElementFixedSize => Element!.FixedSize == 0 || Value is { FixedSize: 0 } ? 0
        : (long)Element.FixedSize + (Value?.FixedSize ?? 0);

    /// <summary>Makes the layout of a whole shape.</summary>
    public static Layout From(Shape shape) => Build(shape, []);

    /// <summary>Gets the layout of an array of the built-in type with a tag.</summary>
    /// <exception cref="WireFormatException">It is no such tag.</exception>
    public static Layout Vector(byte tag) => tag < Vectors.Length && Vectors[tag] is { } known ? known : AddVector(tag);

    private static Layout AddVector(byte tag)
    {
        Shape element = BuiltInTypes.VectorElement(tag);
        Layout made = From(Shape.Sequence(element));
        if (element.Code == ShapeCode.Tagged)
        {
            made.Element = Tagged;
        }

        return Vectors[tag] = made;
    }

    // No deeper than a schema may be.
    private static Layout Build(Shape shape, List<Layout> above)
    {
        if (shape.Code == ShapeCode.Recursion)
        {
            return above[^(shape.Size + 1)];
        }

        var layout = new Layout(shape);
        bool isLevel = shape.Code is ShapeCode.Members or ShapeCode.Union;
        if (isLevel)
        {
            above.Add(layout);
        }

        layout.Element = shape.Element is null or { Code: ShapeCode.None } ? null : Build(shape.Element, above);
        layout.Value = shape.Value is null ? null : Build(shape.Value, above);
        layout.Members = Array.ConvertAll(shape.Members, member => new LayoutMember(member.Name, Build(member.Shape, above)));
        layout.IsChecked |= Array.Exists(layout.Members, member => member.Layout.IsChecked);
        if (isLevel)
        {
            above.RemoveAt(above.Count - 1);
        }

        return layout;
    }
}
