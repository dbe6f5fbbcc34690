using System.Text.Json;
using Wire.Documents;
using Wire.Format;

namespace Wire;

/// <content>Values of scalars, and JSON.</content>
public readonly partial struct PayloadNode
{
    /// <summary>
    /// Gets the name that an enum's value has in the payload; null where it has none, and for scalars that are of no enum with names.
    /// </summary>
    public string? EnumName => Kind == PayloadKind.Scalar
        ? _layout is { Code: ShapeCode.Enum } ? _layout.NameOf(ContentBytes) : null
        : throw NotOf("value");

    /// <summary>
    /// Gets the names of an enum's value: <see cref="EnumName"/>, or those of its bits where the values of the enum look like flags and
    /// each bit has one. Empty where there are none, and for scalars that are of no enum with names.
    /// </summary>
    public IReadOnlyList<string> EnumNames => Kind == PayloadKind.Scalar
        ? _layout is { Code: ShapeCode.Enum } ? EnumBits.NamesOf(_layout, ContentBytes) : []
        : throw NotOf("value");

    /// <summary>Gets the value of a scalar.</summary>
    /// <typeparam name="T">
    /// The type of the scalar, or another number that holds the same value; that of an enum's integer. <see cref="string"/> for a Type,
    /// which is its name, and a Uri.
    /// </typeparam>
    /// <returns>The value; null for the null node, where T has null.</returns>
    /// <exception cref="InvalidOperationException">The node is no scalar, or one of another type.</exception>
    /// <exception cref="OverflowException">T does not hold the number.</exception>
    public T? GetValue<T>()
    {
        if (Kind == PayloadKind.Null && default(T) is null)
        {
            return default;
        }

        if (Kind != PayloadKind.Scalar)
        {
            throw NotOf("value");
        }

        if (Scalars.TryRead(ContentBytes, _code, out T? exact))
        {
            return exact;
        }

        object value = Read();
        return value is T same ? same
            : typeof(T) == typeof(Uri) && _code == Tag.Uri ? (T)(object)ReadUri((string)value)
            : Numbers.TryConvert(value, _code, out T? number) ? number
            : throw new InvalidOperationException(
                $"The node at byte {_start} is a {ScalarType}, and not a {typeof(T)} or a number that could be one.");
    }

    private Uri ReadUri(string text)
    {
        byte form = ContentBytes[0];
        return UriForm.Make(form, text) ?? throw new InvalidOperationException(
            $"The node at byte {_start} is a Uri whose text is not a valid {UriForm.NameOf(form)} URI.");
    }

    /// <summary>Gets the bytes of a sequence of <see cref="byte"/>, or those that only the type's own serializer can read.</summary>
    public ReadOnlyMemory<byte> GetBytes() => IsOfBytes ? Document.Payload[(_end - Count).._end]
        : Kind == PayloadKind.Opaque ? Document.Payload[_content.._end]
        : throw NotOf("bytes");

    /// <summary>Gets the text of a scalar, as it is in JSON; of an enum the name, if it has one. It may have any characters.</summary>
    public string GetText() => EnumName ?? TagTypes.TextOf(_code, Read());

    /// <summary>Writes the node as JSON, by the rules of docs/documents.md in the package.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="options">The options; null are the default ones.</param>
    public void WriteTo(Utf8JsonWriter writer, PayloadJsonOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(writer);
        new JsonOutput(writer, options ?? PayloadJsonOptions.Default).Write(this);
    }

    /// <summary>Returns the node as indented JSON, by the rules of docs/documents.md in the package.</summary>
    public override string ToString() => _document is null ? "" : PayloadDocument.ToText(this);

    internal bool IsOfBytes => Kind == PayloadKind.Sequence && _layout is { Element.Code: Tag.Byte };

    private ReadOnlySpan<byte> ContentBytes => Document.Payload.Span[_content.._end];

    /// <summary>Reads the value of a scalar.</summary>
    internal object Read() => Scalars.Read(Document.CursorAt(_content), _code)!;
}
