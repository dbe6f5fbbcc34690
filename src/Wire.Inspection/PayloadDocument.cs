using System.Buffers;
using System.Runtime.ExceptionServices;
using System.Text;
using System.Text.Json;
using Wire.Documents;
using Wire.Format;

namespace Wire;

/// <summary>
/// A payload that is read without its types: names, layouts and values come from the bytes alone, and nothing is looked up, loaded or
/// created but what is asked for. Immutable and thread-safe, as long as nobody changes the bytes.
/// </summary>
/// <remarks>
/// Parsing walks once through all bytes, checks them, and notes where values with parts begin and end, and where objects that references
/// may mean are: 12 and 24 bytes of memory for each of these. Nodes are structs over the bytes, and read what they are asked for when they
/// are asked. docs/documents.md in the package shows how.
/// </remarks>
public sealed class PayloadDocument
{
    private readonly DocumentIndex _index;

    private PayloadDocument(ReadOnlyMemory<byte> payload, DocumentIndex index)
    {
        Payload = payload;
        _index = index;
    }

    /// <summary>Gets the bytes.</summary>
    public ReadOnlyMemory<byte> Payload { get; }

    /// <summary>Gets the value of the payload.</summary>
    public PayloadNode Root => PayloadNode.At(this, Shape.TaggedOnly, _index.Root, 0);

    /// <summary>Gets the types that the payload defines, in the order in which they come.</summary>
    public IReadOnlyList<PayloadType> Types => _index.Defined;

    /// <summary>
    /// Gets the number of objects, as <see cref="Limits.MaxObjects"/> counts them: those inside of what a value serializer of your own has
    /// written are among them only where the payload has references.
    /// </summary>
    public int ObjectCount => _index.ObjectCount;

    /// <summary>
    /// Gets the number of objects inside each other, as <see cref="Limits.MaxDepth"/> counts them: of those inside of what a value
    /// serializer of your own has written, one level.
    /// </summary>
    public int Depth => _index.Depth;

    internal DocumentIndex Index => _index;

    /// <summary>Parses a payload.</summary>
    /// <param name="payload">The payload, which the document refers to: it must not change while the document is used.</param>
    /// <param name="limits">
    /// What the payload may cost; null is <see cref="Limits.Default"/>. <see cref="Limits.MaxDepth"/> does not apply, because no depth
    /// takes stack here, and <see cref="Limits.MaxAllocation"/> bounds the memory of the document itself, also while it is parsed.
    /// </param>
    /// <param name="session">The messages before it, for a message of a session.</param>
    /// <exception cref="WireFormatException">
    /// The bytes are no payload, or exceed a limit. So are those that cannot be read without types: a payload of <c>SerializeTyped</c>
    /// (<see cref="WireFormatError.SchemaMismatch"/>), values whose schema was left out (likewise), and types that an earlier message has
    /// defined (<see cref="WireFormatError.UnknownManifest"/>).
    /// </exception>
    /// <example>
    /// <code>
    /// PayloadDocument document = PayloadDocument.Parse(payload);
    /// Console.WriteLine(document.Root["Customer"]);
    /// Console.WriteLine(document); // JSON
    /// </code>
    /// </example>
    public static PayloadDocument Parse(ReadOnlyMemory<byte> payload, Limits? limits = null, PayloadDocumentSession? session = null)
    {
        var parser = new DocumentParser(payload.Span, limits ?? Limits.Default, session);
        DocumentIndex? index = parser.Parse(out WireFormatException? failure);
        if (failure is not null)
        {
            failure.Locate(parser.At, "");
            ExceptionDispatchInfo.Throw(failure);
        }

        return new PayloadDocument(payload, index!);
    }

    /// <summary>Parses a payload that lies in several pieces, which are copied into one.</summary>
    /// <inheritdoc cref="Parse(ReadOnlyMemory{byte}, Limits?, PayloadDocumentSession?)"/>
    public static PayloadDocument Parse(in ReadOnlySequence<byte> payload, Limits? limits = null, PayloadDocumentSession? session = null) =>
        Parse(payload.IsSingleSegment ? payload.First : payload.ToArray(), limits, session);

    /// <summary>
    /// Parses a payload that may be damaged, as far as it goes: what is in front of the damage, for people who look for its cause. Never
    /// use the values as those of a payload.
    /// </summary>
    /// <param name="payload">The payload, which the document refers to.</param>
    /// <param name="failure">The reason why that is not all of it, with the place of the damage; null where the payload is whole.</param>
    /// <param name="limits">What the payload may cost, as for <see cref="Parse(ReadOnlyMemory{byte}, Limits?, PayloadDocumentSession?)"/>.
    /// </param>
    /// <param name="session">The messages before it, for a message of a session.</param>
    /// <returns>
    /// The document, in which values that the damage is in have the parts in front of it alone; null where there are none.
    /// </returns>
    /// <example>
    /// <code>
    /// PayloadDocument? beginning = PayloadDocument.ParseBeginning(payload, out WireFormatException? failure);
    /// Console.WriteLine($"{beginning}{Environment.NewLine}{failure?.Message}");
    /// </code>
    /// </example>
    public static PayloadDocument? ParseBeginning(
        ReadOnlyMemory<byte> payload, out WireFormatException? failure, Limits? limits = null, PayloadDocumentSession? session = null)
    {
        var parser = new DocumentParser(payload.Span, limits ?? Limits.Default, session) { KeepsBeginning = true };
        DocumentIndex index = parser.Parse(out failure)!;
        var document = new PayloadDocument(payload, index);
        failure?.Locate(parser.At, CutPath.Describe(document));
        return failure is null or { Error: WireFormatError.TrailingBytes } || index.Cut.Length > 0 ? document : null;
    }

    /// <summary>
    /// Parses as much of a payload as can be walked through. Invalid values, and references that lead nowhere, stay in the document.
    /// </summary>
    /// <param name="payload">The payload.</param>
    /// <param name="failure">The reason why that is not all of it; null when it is.</param>
    /// <param name="end">The position up to which there are values.</param>
    internal static PayloadDocument ParseTolerantly(ReadOnlyMemory<byte> payload, out WireFormatException? failure, out int end)
    {
        var parser = new DocumentParser(payload.Span, Limits.Default, null) { IsTolerant = true };
        DocumentIndex index = parser.Parse(out failure)!;
        end = failure is null ? payload.Length : parser.LastValue;
        return new PayloadDocument(payload, index);
    }

    /// <summary>Writes the payload as JSON, by the rules of docs/documents.md in the package.</summary>
    /// <param name="writer">The writer. Its <see cref="JsonWriterOptions.MaxDepth"/> should be at least 1,000, as it is by default.</param>
    /// <param name="options">The options; null are the default ones.</param>
    public void WriteTo(Utf8JsonWriter writer, PayloadJsonOptions? options = null) => Root.WriteTo(writer, options);

    /// <summary>Returns the payload as indented JSON, by the rules of docs/documents.md in the package.</summary>
    public override string ToString() => Root.ToString();

    /// <summary>
    /// Gets the object with a number, or the one that stands for it in the same place; null for one inside of bytes that only its
    /// serializer can read.
    /// </summary>
    internal PayloadNode? FindObject(int number)
    {
        NumberedObject found = _index.Objects[_index.Objects[number].Outer];
        return found.Position is { } position ? PayloadNode.At(this, position, found.Start, found.OpenValues) : null;
    }

    internal ByteCursor CursorAt(int offset) => new(Payload.Span, offset);

    internal static string ToText(PayloadNode node)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, JsonOutput.Indented))
        {
            node.WriteTo(writer);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }
}
