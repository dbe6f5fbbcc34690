using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Wire.Testing;
using Wire.Tests.Documentation;
using Wire.Tests.Golden;
using Xunit;

namespace Wire.Tests.Documents;

/// <summary>
/// Every golden payload is a document without its types, and its JSON is that of the file beside it, which other implementations of the
/// format are compared with too. Another file shows what its bytes are.
/// </summary>
public class DocumentVectorTests
{
    private static readonly string Folder = Path.Combine(GoldenVectors.Folder, "json");

    private static readonly string Dumps = Path.Combine(GoldenVectors.Folder, "dump");

    private static readonly JsonWriterOptions Readable = new()
    {
        Indented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static TheoryData<string> Files() =>
    [
        .. Directory.GetFiles(GoldenVectors.Folder, "*.golden").Concat(Directory.GetFiles(GoldenFile.FSharpFolder, "*.golden"))
            .Select(file => Path.GetRelativePath(GoldenVectors.Folder, file)),
    ];

    [Theory]
    [MemberData(nameof(Files))]
    public void A_payload_has_its_JSON(string file)
    {
        Check(NameOf(file, ".json"), PayloadsOf(file));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void A_payload_has_its_dump(string file) => Approved.AssertEqual(
        Path.Combine(Dumps, NameOf(file, ".txt")),
        string.Join('\n', PayloadsOf(file).Select(payload => $"payload: {payload.Title}\n{PayloadDump.Describe(payload.Bytes)}")));

    private static List<(string Title, byte[] Bytes)> PayloadsOf(string file) =>
        GoldenFile.Payloads(File.ReadAllLines(Path.Combine(GoldenVectors.Folder, file)));

    private static string NameOf(string file, string extension) =>
        Path.ChangeExtension(file.Replace(Path.DirectorySeparatorChar, '-'), extension);

    public static TheoryData<string> Streams() =>
        [.. Directory.GetFiles(GoldenFile.StreamsFolder).Select(file => Path.GetFileName(file))];

    [Theory]
    [MemberData(nameof(Streams))]
    public void The_messages_of_a_stream_have_their_JSON(string file) => Check(
        NameOf($"streams-{file}", ".json"), PayloadsOf(Path.Combine("streams", file)), new PayloadDocumentSession());

    [Fact]
    public void The_vectors_of_the_specification_have_their_JSON() => Check("format.json", FormatVectorTests.ValuesOfDocument());

    private static void Check(string name, IEnumerable<(string Title, byte[] Bytes)> payloads, PayloadDocumentSession? session = null)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, Readable))
        {
            writer.WriteStartObject();
            foreach ((string title, byte[] bytes) in payloads)
            {
                writer.WritePropertyName(title);
                Write(writer, bytes, session);
            }

            writer.WriteEndObject();
        }

        Approved.AssertEqual(Path.Combine(Folder, name), Encoding.UTF8.GetString(buffer.WrittenSpan) + "\n");
    }

    // Where bytes are no document, the kind of the error.
    private static void Write(Utf8JsonWriter writer, byte[] bytes, PayloadDocumentSession? session)
    {
        try
        {
            var document = PayloadDocument.Parse(bytes, session: session);
            NodeWalk.Check(document);
            document.WriteTo(writer);
        }
        catch (WireFormatException exception)
        {
            writer.WriteStartObject();
            writer.WriteString("$error", exception.Error.ToString());
            writer.WriteEndObject();
        }
    }
}
