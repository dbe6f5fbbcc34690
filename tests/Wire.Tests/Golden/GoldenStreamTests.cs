using System.Text;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.Tests.Golden;

/// <summary>
/// The bytes of messages that belong together: of sessions, with known types, and with types that are defined inside of frames.
/// <c>WIRE_GOLDEN_WRITE=1 dotnet test</c> writes the files of new ones and never changes one that is there.
/// </summary>
public sealed class GoldenStreamTests
{
    public static TheoryData<string> Names() => [.. GoldenStream.All.Select(stream => stream.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void The_messages_are_written_as_these_bytes_and_read_from_them(string name)
    {
        GoldenStream stream = GoldenStream.All.Single(stream => stream.Name == name);
        string file = GoldenFile.Of(GoldenFile.StreamsFolder, name);
        Assert.Equal(GoldenVectors.Read(file, () => Text(stream)), Text(stream));
        List<(string Title, byte[] Bytes)> payloads = GoldenFile.Payloads(File.ReadAllLines(file));
        foreach (bool dynamicCode in new[] { false, true })
        {
            var serializer = new Serializer(stream.Options with { DynamicCode = dynamicCode });
            using DeserializerSession session = serializer.GetDeserializerSession();
            Assert.Equal(stream.Values.Length, payloads.Count);
            foreach (((_, byte[] bytes), object value) in payloads.Zip(stream.Values))
            {
                GraphAssert.Same(value, stream.IsSession ? serializer.Deserialize<object>(bytes, session) : serializer
                    .Deserialize<object>(bytes));
            }
        }
    }

    [Fact]
    public void Every_file_has_a_stream_of_its_own() => Assert.Equal(
        GoldenStream.All.Select(stream => stream.Name).Order(StringComparer.Ordinal),
        Directory.GetFiles(GoldenFile.StreamsFolder).Select(Path.GetFileNameWithoutExtension).Order(StringComparer.Ordinal));

    private static string Text(GoldenStream stream)
    {
        var text = new StringBuilder(stream.IsSession ? "messages of one session\n" : "payloads\n");
        var serializer = new Serializer(stream.Options);
        using SerializerSession session = serializer.GetSerializerSession();
        for (int i = 0; i < stream.Values.Length; i++)
        {
            object value = stream.Values[i];
            byte[] payload = stream.IsSession ? serializer.Serialize(value, session) : serializer.Serialize(value);
            GoldenFile.Append(text, $"message {i + 1}", payload);
        }

        return text.ToString();
    }
}
