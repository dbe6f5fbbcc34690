using System.Buffers.Binary;
using System.Text.Json.Nodes;
using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.RabbitMQ.Streams.Tests.Interop;

/// <summary>Messages of another client, which a broker has delivered, are read as they were published.</summary>
public sealed class RecordingTests
{
    private const string Name = "official-dotnet";

    private readonly Serializer _serializer = new();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Every_message_has_what_was_published(bool checkCrc)
    {
        IReadOnlyList<JsonObject> published = Recording.Published(Name);
        using var chunks = new ChunkMessages("recorded", _serializer, new ChunkReading { CheckCrc = checkCrc });
        List<string> read = [];
        foreach (byte[] chunk in await Recording.ChunksAsync(Name))
        {
            foreach (StreamMessage message in chunks.Read(chunk, 0, 0).Span)
            {
                Assert.Equal((ulong)read.Count, message.Offset);
                Assert.Equal("recorded", message.Stream);
                Assert.InRange(
                    message.Timestamp,
                    new DateTimeOffset(2024, 1, 1, 0, 0, 0, TimeSpan.Zero),
                    new DateTimeOffset(2100, 1, 1, 0, 0, 0, TimeSpan.Zero));
                JsonObject described = MessageDescription.Of(message);
                Assert.Equal(
                    MessageDescription.Line(described["data"]!),
                    MessageDescription.Line(MessageDescription.OfData(message.ReadData().ToArray())));
                Assert.Equal(described["application-properties"]?.AsObject().Count ?? 0, message.ReadApplicationProperties().Count);
                Assert.Equal(described["properties"]?["message-id"] is null, message.ReadProperties().MessageId.IsNull);
                read.Add(MessageDescription.Line(described));
            }
        }

        Assert.Equal(string.Join('\n', published.Select(Sections)), string.Join('\n', read));
    }

    [Fact]
    public async Task What_was_recorded_has_plain_entries_and_batches_of_both_kinds()
    {
        const uint BatchBit = 1u << 31;
        var entries = new Dictionary<string, int> { ["plain"] = 0, ["batch"] = 0, ["gzip"] = 0 };
        foreach (byte[] chunk in await Recording.ChunksAsync(Name))
        {
            ChunkHeader header = ChunkHeader.Read(chunk, 0);
            int at = ChunkHeader.Size;
            for (int entry = 0; entry < header.Entries; entry++)
            {
                uint first = Number(chunk, at);
                bool isBatch = (first & BatchBit) != 0;
                entries[isBatch ? ((first >> 28) & 7) switch { 0 => "batch", 1 => "gzip", _ => "other" } : "plain"]++;
                at += isBatch ? 11 + (int)Number(chunk, at + 7) : sizeof(uint) + (int)first;
            }
        }

        IReadOnlyList<JsonObject> published = Recording.Published(Name);
        Assert.Equal(published.Count(message => message["entry"]!.GetValue<string>() == "plain"), entries["plain"]);
        Assert.Equal(1, entries["batch"]);
        Assert.Equal(2, entries["gzip"]);
        Assert.All(entries.Keys, kind => Assert.Contains(published, message => message["entry"]!.GetValue<string>() == kind));
    }

    private static uint Number(byte[] bytes, int at) => BinaryPrimitives.ReadUInt32BigEndian(bytes.AsSpan(at));

    // Without the words around: what it is for, and the kind of entry.
    private static string Sections(JsonObject described) =>
        MessageDescription.Line(new JsonObject(described.Where(part => part.Key is not ("what" or "entry")).Select(
            part => KeyValuePair.Create(part.Key, part.Value?.DeepClone()))));
}
