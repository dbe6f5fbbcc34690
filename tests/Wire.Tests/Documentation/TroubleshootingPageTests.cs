using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Tests.Documentation;

/// <summary>docs/troubleshooting.md has each code of an error, and the causes that it names lead to the codes that it gives.</summary>
public sealed partial class TroubleshootingPageTests
{
    private static readonly Serializer Plain = new();

    private static readonly byte[] Message =
        Plain.Serialize(new List<object> { "text", 5, new Uri("http://localhost/"), DateTime.UnixEpoch });

    public static TheoryData<WireFormatError, Action> Causes => new()
    {
        { WireFormatError.Truncated, () => Plain.Deserialize<object>(Message.AsSpan(..^1)) },
        { WireFormatError.TrailingBytes, () => Plain.Deserialize<object>([.. Message, 0]) },
        { WireFormatError.Header, () => Plain.Deserialize<object>("{\"is\":\"json\"}"u8) },
        { WireFormatError.Header, () => Plain.Deserialize<int>(Plain.SerializeTyped(5)) },
        { WireFormatError.UnknownManifest, ReadSecondMessageAlone },
        { WireFormatError.UnknownKnownType, () => Plain.Deserialize<Renamed>(
            new Serializer(new SerializerOptions { KnownTypes = KnownTypes.Create([new(7, typeof(Renamed))]) }).Serialize(new Renamed())) },
        { WireFormatError.TypeMismatch, () => Plain.Deserialize<int>(Plain.Serialize("text")) },
        { WireFormatError.SchemaMismatch, () => Plain.DeserializeTyped<Renamed>(Plain.SerializeTyped(new Other())) },
        { WireFormatError.InvalidValue, () => Plain.Deserialize<bool>([.. Plain.Serialize(true).AsSpan(..^1), 7]) },
        { WireFormatError.Limit, () => new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxStringLength = 64 } })
            .Deserialize<string>(Plain.Serialize(new string('x', 65))) },
        { WireFormatError.TypeRefused, () => Plain.Deserialize<object>(Plain.Serialize(new Renamed())) },
        { WireFormatError.Frame, () => ReadFrame([9, 0, 0]) },
        { WireFormatError.EndOfStream, () => ReadFrame([]) },
    };

    [Fact]
    public void Each_code_has_one_row()
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "troubleshooting.md"));
        string codes = page[..page.IndexOf("## When writing fails", StringComparison.Ordinal)];
        Assert.Equal(
            Enum.GetNames<WireFormatError>().Order(StringComparer.Ordinal),
            Row().Matches(codes).Select(match => match.Groups["name"].Value).Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Causes))]
    public void The_causes_lead_to_the_codes(WireFormatError error, Action cause) =>
        Assert.Equal(error, Assert.ThrowsAny<WireFormatException>(cause).Error);

    // The rest of them.
    [Fact]
    public void Bytes_that_were_changed_on_the_way_lead_to_a_code()
    {
        var met = new HashSet<WireFormatError>();
        for (int i = 0; i < Message.Length; i++)
        {
            for (int value = 0; value < 256; value++)
            {
                byte[] changed = [.. Message];
                changed[i] = (byte)value;
                if (Record.Exception(() => Plain.Deserialize<object>(changed)) is { } thrown)
                {
                    met.Add(Assert.IsAssignableFrom<WireFormatException>(thrown).Error);
                }
            }
        }

        Assert.Superset(
            new HashSet<WireFormatError>
            {
                WireFormatError.Tag, WireFormatError.Manifest, WireFormatError.Length, WireFormatError.InvalidValue,
                WireFormatError.Truncated,
            },
            met);
    }

    private static void ReadSecondMessageAlone()
    {
        using SerializerSession writing = Plain.GetSerializerSession();
        _ = Plain.Serialize(new Renamed(), writing);
        using DeserializerSession reading = Plain.GetDeserializerSession();
        Plain.Deserialize<Renamed>(Plain.Serialize(new Renamed(), writing), reading);
    }

    private static void ReadFrame(byte[] bytes) =>
        Plain.DeserializeFramedAsync<int>(new MemoryStream(bytes)).AsTask().GetAwaiter().GetResult();

    [GeneratedRegex("^\\| `(?<name>[A-Za-z]+)` \\|", RegexOptions.Multiline)]
    private static partial Regex Row();

    private sealed class Renamed
    {
        public int Value { get; set; } = 1;
    }

    private sealed class Other
    {
        public string? Text { get; set; } = "";
    }
}
