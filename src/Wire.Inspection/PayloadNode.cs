using Wire.Documents;
using Wire.Format;

namespace Wire;

/// <summary>
/// A value of a <see cref="PayloadDocument"/>: a struct over its bytes. Thread-safe, as the document is. Every property and method throws
/// <see cref="InvalidOperationException"/> where the node is not of the kind that it is for.
/// </summary>
public readonly partial struct PayloadNode
{
    private readonly PayloadDocument _document;
    private readonly Shape? _layout;
    private readonly PayloadType? _type;
    private readonly int _start;
    private readonly int _tag;
    private readonly int _content;
    private readonly int _end;
    private readonly int _open;

    // Of an object that is referred to; of a union's case; the tag of an array's elements.
    private readonly int _number;
    private readonly byte _code;

    private PayloadNode(PayloadDocument document, in NodeReader read, int start, int open)
    {
        _document = document;
        _layout = read.Layout;
        _type = read.Type;
        Kind = read.Kind;
        _code = read.Code;
        _number = read.Number;
        _start = start;
        _tag = read.Tag;
        _content = read.Content;
        _end = read.End;
        _open = open;
    }

    /// <summary>Gets the kind.</summary>
    public PayloadKind Kind { get; }

    /// <summary>
    /// Gets the type, where the payload says one: it does not where a variable declares the type, nor for built-in types.
    /// </summary>
    public PayloadType? Type => _type;

    /// <summary>
    /// Gets the name of the type, as the payload has it, or of the built-in type, such as <c>System.Int32</c> or <c>System.Int32[]</c>;
    /// null where the payload says none.
    /// </summary>
    public string? TypeName => _type is not null ? _type.Name
        : Kind == PayloadKind.Scalar ? ScalarType?.FullName
        : _code == Format.Tag.Vector ? TagTypes.TypeOf((byte)_number).FullName + "[]"
        : null;

    /// <summary>Gets the built-in type of a scalar: the underlying one for an enum.</summary>
    public Type? ScalarType => Kind == PayloadKind.Scalar ? TagTypes.TypeOf(_code) : null;

    /// <summary>Gets the tag of that type.</summary>
    internal byte ScalarTag => _code;

    /// <summary>Gets the position of the value, with what names its type, in bytes from the beginning of the payload.</summary>
    public int Offset => _start;

    /// <summary>Gets the number of bytes of the value, with what names its type.</summary>
    public int Length => _end - _start;

    /// <summary>Gets the bytes of the value, with what names its type.</summary>
    public ReadOnlyMemory<byte> RawBytes => Document.Payload[_start.._end];

    /// <summary>
    /// Gets the number of members, elements or pairs; 0 for nodes that have none. Takes a constant time.
    /// </summary>
    public int Count => HasParts ? (int)Parts.From(this).Count : 0;

    /// <summary>Gets the name of a union's case.</summary>
    public string CaseName => Kind == PayloadKind.Union ? _layout!.Members[_number].Name : throw NotOf("case");

    /// <summary>
    /// Gets the comparer of a set or map, such as <c>OrdinalIgnoreCase</c>; null for the default one.
    /// </summary>
    public string? Comparer => Kind is PayloadKind.Set or PayloadKind.Map ? Parts.From(this).Comparer : throw NotOf("comparer");

    /// <summary>
    /// Gets the number of the object, which references use; -1 where it has none, as in all payloads without references.
    /// </summary>
    public int ObjectNumber => Kind == PayloadKind.Reference ? Document.Index.Objects[_number].Outer : Document.Index.NumberAt(_tag);

    /// <summary>Gets the object that a reference means, which may stand around it; other nodes are their own target.</summary>
    /// <exception cref="InvalidOperationException">The object lies inside of bytes that only its own serializer can read.</exception>
    public PayloadNode Target => TryGetTarget(out PayloadNode target) ? target : throw new InvalidOperationException(
        $"Object {_number}, to which byte {_start} refers, lies inside of bytes that only its own serializer can read.");

    /// <summary>Gets the object that a reference means; other nodes are their own target.</summary>
    /// <param name="target">The object.</param>
    /// <returns>False if it lies inside of bytes that only its own serializer can read.</returns>
    public bool TryGetTarget(out PayloadNode target)
    {
        PayloadNode? found = Kind == PayloadKind.Reference ? Document.FindObject(_number) : this;
        target = found.GetValueOrDefault();
        return found is not null;
    }

    internal PayloadDocument Document => _document ?? throw new InvalidOperationException("The node is of no document.");

    /// <summary>Gets the layout: for a union that of its case; null for what has none.</summary>
    internal Shape? Layout => Kind == PayloadKind.Union ? _layout!.Members[_number].Shape : _layout;

    /// <summary>Gets the position of what is behind tags, and behind the number of a case.</summary>
    internal int Content => _content;

    /// <summary>Gets the position behind the value.</summary>
    internal int End => _end;

    /// <summary>Gets the number of open values before those inside this one.</summary>
    internal int Inside => IsOpen ? _open + 1 : _open;

    /// <summary>Gets the number of open values before what is behind this one.</summary>
    internal int Behind => IsOpen ? Document.Index.OpenValues[_open].Next : _open;

    internal bool HasParts => Kind is PayloadKind.Members or PayloadKind.Union or PayloadKind.Sequence or PayloadKind.Set or PayloadKind.Map
        or PayloadKind.Array;

    /// <summary>Gets whether an array of a built-in type is there, for which the format has a tag.</summary>
    internal bool IsVector => _code == Format.Tag.Vector;

    /// <summary>Gets whether a tag stands there that leaves the type to the variable.</summary>
    internal bool IsDeclared => _tag >= 0 && Document.Payload.Span[_tag] == Format.Tag.Declared;

    /// <summary>Gets the number in the payload of the object that is referred to, of a union's case, or of an array's elements.</summary>
    internal int Number => _number;

    /// <summary>Gets the number of its parts that are there, where the payload ends too early in it; null where all are.</summary>
    internal long? CutParts => Document.Index.Cut.Length > 0 && IsOpen ? Document.Index.CutAt(_open) : null;

    private bool IsOpen => Document.Index.IsOpenAt(_open, _start);

    /// <summary>Reads the node of a value.</summary>
    /// <param name="document">The document.</param>
    /// <param name="position">The layout of the variable that holds the value.</param>
    /// <param name="start">The position of the value.</param>
    /// <param name="open">The number of open values before it.</param>
    internal static PayloadNode At(PayloadDocument document, Shape position, int start, int open)
    {
        var read = new NodeReader(document, position, start, open);
        return new PayloadNode(document, read, start, open);
    }

    internal InvalidOperationException NotOf(string what) =>
        new($"The node at byte {_start} is a {Kind}, and has no {what}.");
}
