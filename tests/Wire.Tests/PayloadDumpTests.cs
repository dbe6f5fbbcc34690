using System.Globalization;
using System.Numerics;
using Xunit;

namespace Wire.Tests;

public class PayloadDumpTests
{
    private const int MaxLines = 4100;
    private const int MaxCharacters = 300 * MaxLines;

    private static readonly Serializer Plain = new();
    private static readonly Serializer References = new(new SerializerOptions { PreserveObjectReferences = true });
    private static readonly Serializer Intolerant = new(new SerializerOptions { VersionTolerance = false });

    [Fact]
    public void Members_come_with_names_and_values()
    {
        var folder = new Folder { Name = "a\n", Sizes = [1, 2, 3], Tag = 1.5, Inner = new Folder() };

        AssertDump(
            """
            000000  10                       header: format 1
            000001  02 27                    root: type 0, defined in 39 byte(s)
            000003  0C 46 6F 6C 64 65 72       name: "Folder"
            00000A  01                         flags: schema
            00000B  44 04                      schema: 4 member(s)
            00000D  05 49 6E 6E 65 72 46 00      Inner: tagged value
            000015  04 4E 61 6D 65 2A            Name: String
            00001B  05 53 69 7A 65 73 46 41      Sizes: tagged sequence of Int32
            000023  15
            000024  03 54 61 67 46 00            Tag: tagged value
            00002A                             4 member(s)
            00002A  80                           Inner: type 0 ("Folder"), 4 member(s)
            00002B  00                             Inner: null
            00002C  00                             Name: null
            00002D  00                             Sizes: null
            00002E  00                             Tag: null
            00002F  05 61 0A                     Name: String "a\u000A"
            000032  04 03                        Sizes: declared type, 3 element(s)
            000034  01 00 00 00 02 00 00 00        Int32 1, 2, 3
            00003C  03 00 00 00
            000040  1F 00 00 00 00 00 00 F8      Tag: Double 1.5
            000048  3F
            """,
            Plain.Serialize(folder));
    }

    [Fact]
    public void References_come_with_object_numbers()
    {
        object?[] shared = [null, null];
        shared[0] = shared;

        AssertDump(
            """
            000000  12                       header: format 1, object references
            000001  05 2F 02                 root: object #0, array of Object, 2 element(s)
            000004  01 00                      [0]: object #0 again
            000006  00                         [1]: null
            """,
            References.Serialize(shared));
    }

    [Fact]
    public void Values_of_every_kind_are_shown() => AssertDump(
        """
        000000  10                       header: format 1
        000001  05 2F 08                 root: array of Object, 8 element(s)
        000004  21 78 00                   [0]: Char 'x'
        000007  2B 01 13 68 74 74 70 3A    [1]: Uri absolute "http://a/"
        00000F  2F 2F 61 2F
        000013  2C 01 00 00 00 02 00 00    [2]: Version 1.2.-1.-1
        00001B  00 FF FF FF FF FF FF FF
        000023  FF
        000024  2D 01 FD                   [3]: BigInteger -3
        000027  2E 19 53 79 73 74 65 6D    [4]: Type "System.Int32"
        00002F  2E 49 6E 74 33 32
        000035  2F                         [5]: Object
        000036  24 80 00 3B 6D 30 8F D7    [6]: DateTime 2020-01-02T03:04:05.0000000Z
        00003E  48
        00003F  2A C9 01 79 79 79 79 79    [7]: String "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"... (100 characters)
        000047  79 79 79 79 79 79 79 79
                ... 87 more bytes
        """,
        Plain.Serialize(new object[]
        {
            'x', new Uri("http://a/"), new Version(1, 2), new BigInteger(-3), typeof(int), new object(),
            new DateTime(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc), new string('y', 100),
        }));

    [Fact]
    public void The_culture_changes_nothing()
    {
        byte[] payload = Plain.Serialize(new object[] { new Version(1, 2), -1.5, -2m, new BigInteger(-3), TimeSpan.FromDays(-1.5) });
        string expected = PayloadDump.Describe(payload);
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture =
                new CultureInfo("en-US") { NumberFormat = { NegativeSign = "minus", NumberDecimalSeparator = "point" } };
            Assert.Equal(expected, PayloadDump.Describe(payload));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void Collections_come_with_comparers_and_bounds()
    {
        AssertDump(
            """
            000000  10                       header: format 1
            000001  02 4D                    root: type 0, defined in 77 byte(s)
            000003  8E 01 53 79 73 74 65 6D    name: "System.Collections.Generic.Dictionary`2[[System.String],[System.Int32]]"
            00000B  2E 43 6F 6C 6C 65 63 74
                    ... 57 more bytes
            """,
            Plain.Serialize(new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 }),
            firstLines: 5);
        AssertDump(
            """
            000000  10                       header: format 1
            000001  02 13                    root: type 0, defined in 19 byte(s)
            000003  1E 53 79 73 74 65 6D 2E    name: "System.Int32[,]"
            00000B  49 6E 74 33 32 5B 2C 5D
            000013  01                         flags: schema
            000014  43 15                      schema: array of Int32
            000016  02 02 00 00 00 00 01 00    array of 2 x 1 element(s)
            00001E  00 00 00
            000021  01 00 00 00 02 00 00 00      Int32 1, 2
            """,
            Plain.Serialize(new int[,] { { 1 }, { 2 } }));
    }

    [Fact]
    public void What_only_a_type_could_tell_is_left_with_a_reason()
    {
        string dump = PayloadDump.Describe(Intolerant.Serialize(new Folder { Name = "x" }));
        Assert.Contains(
            "not decoded from 0x1 on: The payload has no schema of 'Folder'", dump, StringComparison.Ordinal);

        Assert.Contains("name: \"Folder\"", dump, StringComparison.Ordinal);
        Assert.Contains("fingerprint ", dump, StringComparison.Ordinal);

        dump = PayloadDump.Describe(Plain.SerializeTyped(new Folder { Name = "x" }));
        Assert.Contains("not decoded from 0x1 on: The payload is of SerializeTyped", dump, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        "", "000000                           not decoded from 0x0 on: The input ends inside a value; at least 1 more byte(s) are "
            + "needed: it was cut, or not "
            + "read to its end. Pass all of its bytes: Stream.ReadExactly, unlike Read, returns no less than was asked for.")]
    [InlineData("20", "000000  20                       not decoded from 0x0 on: 0x20 is not the header of a payload of format "
        + "version 1. If a later "
            + "version of Wire has written it, read it with that one.")]
    [InlineData("1006", "000001  06                       not decoded from 0x1 on: 0x06 is not a tag, or not one that is allowed here.")]
    [InlineData(
        "1081",
        "000001  81                       not decoded from 0x1 on: The payload refers to manifest 1, which it does not define.")]
    [InlineData(
        "1005159003",
        "000001  05 15 90 03              not decoded from 0x1 on: A length of 1600 cannot be right: only 0 byte(s) of input are left.")]
    [InlineData(
        "10152A0000",
        "000001  15 2A 00 00              not decoded from 0x1 on: The input ends inside a value; at least 1 more byte(s) are needed: "
            + "it was cut, or not "
            + "read to its end. Pass all of its bytes: Stream.ReadExactly, unlike Read, returns no less than was asked for.")]
    [InlineData("1010010203", "000003  02 03                    not decoded from 0x3 on: 2 byte(s) follow the end of the value.")]
    public void Bad_bytes_end_the_dump_with_the_offset_and_the_reason(string payload, string lastLine) =>
        Assert.Equal(lastLine, PayloadDump.Describe(Convert.FromHexString(payload)).TrimEnd().Split('\n')[^1]);

    [Fact]
    public void A_value_that_is_none_does_not_end_the_dump()
    {
        string dump = PayloadDump.Describe(Convert.FromHexString("10052F02100710 01".Replace(" ", "", StringComparison.Ordinal)));

        Assert.Contains("[0]: Boolean invalid: ", dump, StringComparison.Ordinal);
        Assert.Contains("[1]: Boolean true", dump, StringComparison.Ordinal);
    }

    [Fact]
    public void Long_collections_are_shortened()
    {
        string dump =
            PayloadDump.Describe(Plain.Serialize(new object[] { Enumerable.Repeat("x", 100_000).ToArray(), new int[100_000], 7 }));

        Assert.Contains("[31]: String \"x\"\n", dump, StringComparison.Ordinal);
        Assert.Contains("... 99968 more, 199936 byte(s)", dump, StringComparison.Ordinal);
        Assert.Contains("Int32 0, 0, 0, 0, 0, 0, 0, 0, ... 99992 more", dump, StringComparison.Ordinal);
        Assert.EndsWith("[2]: Int32 7\n", dump, StringComparison.Ordinal);
    }

    [Fact]
    public void Deep_values_are_passed_over_and_what_follows_them_is_shown()
    {
        // Nulls in 100,000 arrays in each other, and a number beside them.
        byte[] arrays =
        [
            0x10, 0x05, 0x2F, 0x02, .. Enumerable.Range(0, 100_000).SelectMany(_ => new byte[] { 0x05, 0x2F, 0x01 }), 0x00,
            0x15, 7, 0, 0, 0,
        ];
        string[] lines = Bounded(arrays).TrimEnd().Split('\n');

        Assert.Equal("00012D" + new string(' ', 227) + "... [0]: array of Object, deeper: 299704 byte(s)", lines[^2]);
        Assert.Equal("0493E5  15 07 00 00 00             [1]: Int32 7", lines[^1]);
        Assert.Contains("root: array of Object", lines[1], StringComparison.Ordinal);

        var tail = new Folder { Name = "innermost" };
        for (int i = 0; i < 100_000; i++)
        {
            tail = new Folder { Inner = tail, Sizes = [1] };
        }

        var deep = new Serializer(new SerializerOptions { Limits = new Limits { MaxDepth = 1_000_000 } });
        string objects = Bounded(deep.Serialize(new object[] { tail, new Folder { Name = "beside" } }));

        Assert.DoesNotContain("innermost", objects, StringComparison.Ordinal);
        Assert.Contains(" deeper: ", objects, StringComparison.Ordinal);
        Assert.Contains("\"beside\"", objects, StringComparison.Ordinal);
        Assert.DoesNotContain("not decoded", objects, StringComparison.Ordinal);
    }

    [Fact]
    public void A_level_more_than_are_shown_is_told_with_its_bytes()
    {
        object? nested = 1;
        for (int i = 0; i < 101; i++)
        {
            nested = new[] { nested };
        }

        string[] shown = PayloadDump.Describe(Plain.Serialize(Assert.IsType<object[]>(nested)[0])).TrimEnd().Split('\n');
        string[] shortened = PayloadDump.Describe(Plain.Serialize(nested)).TrimEnd().Split('\n');

        Assert.EndsWith("[0]: Int32 1", shown[^1], StringComparison.Ordinal);
        Assert.EndsWith(" ... [0]: array of Object, deeper: 8 byte(s)", shortened[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void Long_collections_are_shortened_at_the_last_level_that_is_shown_too()
    {
        object? nested = Enumerable.Repeat("x", 100).ToArray<object>();
        for (int i = 0; i < 101; i++)
        {
            nested = new[] { nested };
        }

        string dump = PayloadDump.Describe(Plain.Serialize(new object?[] { nested, Enumerable.Repeat("y", 40).ToArray<object>(), "last" }));

        Assert.Contains(" deeper: ", dump, StringComparison.Ordinal);
        Assert.Contains("[31]: String \"y\"\n", dump, StringComparison.Ordinal);
        Assert.Contains("... 8 more, 24 byte(s)\n", dump, StringComparison.Ordinal);
        Assert.EndsWith("[2]: String \"last\"\n", dump, StringComparison.Ordinal);
    }

    [Fact]
    public void A_large_and_deep_graph_is_passed_to_its_end()
    {
        Folder? list = null;
        for (int i = 0; i < 300; i++)
        {
            list = new Folder
            {
                Inner = list,
                Tag = Enumerable.Range(0, 2_000).Select(object (n) => n % 50 == 49 ? new Folder() : n).ToArray(),
            };
        }

        byte[] payload = References.Serialize(new object?[] { list, new HashSet<string>(["a"]), "end" });
        Assert.InRange(payload.Length, 2_000_000, int.MaxValue);

        Assert.EndsWith("[2]: String \"end\"\n", Bounded(payload), StringComparison.Ordinal);
    }

    [Fact]
    public void Comparers_that_are_objects_come_before_their_collections()
    {
        var serializer = new Serializer();
        string dump = PayloadDump.Describe(serializer.Serialize(new Dictionary<string, int>(new OfLength()) { ["a"] = 1 }));
        string[] lines = [.. dump.TrimEnd().Split('\n').Where(line => line.Length > 33).Select(line => line[33..])];

        int comparer = Array.IndexOf(lines, "  a comparer that is an object:");
        Assert.StartsWith("    comparer: type 1, defined", lines[comparer + 1], StringComparison.Ordinal);
        string map = $"  map of 1 pair(s), comparer {typeof(OfLength).FullName}, Wire.Tests";
        Assert.Equal([map, "    [0] key: String \"a\"", "    [0] value: Int32 1"], lines[^3..]);
    }

    [Fact]
    public void Deep_and_wide_payloads_are_bounded()
    {
        // Deeper than any reader follows, and damaged at the innermost level.
        byte[] deep = [0x10, .. Enumerable.Range(0, 600_000).SelectMany(_ => new byte[] { 0x05, 0x2F, 0x01 }), 0x06];
        string[] lines = Bounded(deep).TrimEnd().Split('\n');
        Assert.Contains(" deeper: ", lines[^2], StringComparison.Ordinal);
        Assert.Contains($"not decoded from 0x{deep.Length - 1:X} on: 0x06 is not a tag", lines[^1], StringComparison.Ordinal);

        // A struct that contains itself without an end, and 4 levels of 30 elements.
        byte[] endless = Convert.FromHexString("1002090241014401" + "01614500");
        Assert.Contains("contain themselves", Bounded(endless), StringComparison.Ordinal);
        object wide = 1;
        for (int i = 0; i < 4; i++)
        {
            wide = Enumerable.Repeat(wide, 30).ToArray();
        }

        byte[] payload = Plain.Serialize(wide);
        string dump = Bounded(payload);
        string stop = dump[dump.IndexOf("not decoded from 0x", StringComparison.Ordinal)..];
        int from = Convert.ToInt32(stop[19..stop.IndexOf(' ', 19)], 16);
        Assert.Contains($" on: The dump has 4000 lines. {payload.Length - from} byte(s) are left.\n", stop, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_cut_can_be_described()
    {
        foreach (byte[] payload in Samples())
        {
            for (int length = 0; length < payload.Length; length++)
            {
                Assert.Contains("not decoded from 0x", Bounded(payload.AsSpan(0, length)), StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void Any_mutation_can_be_described()
    {
        var random = new Random(20_000);
        byte[][] samples = [.. Samples()];
        for (int i = 0; i < 20_000; i++)
        {
            byte[] payload = [.. samples[i % samples.Length]];
            for (int changes = random.Next(1, 5); changes > 0; changes--)
            {
                payload[random.Next(payload.Length)] = (byte)random.Next(256);
            }

            Bounded(payload);
        }
    }

    private static string Bounded(ReadOnlySpan<byte> payload)
    {
        string dump = PayloadDump.Describe(payload);
        Assert.True(dump.AsSpan().Count('\n') <= MaxLines, "The dump has too many lines.");
        Assert.True(dump.Length <= MaxCharacters, "The dump has too many characters.");
        return dump;
    }

    private static void AssertDump(string expected, byte[] payload, int? firstLines = null)
    {
        string[] lines = PayloadDump.Describe(payload).TrimEnd('\n').Split('\n');
        Assert.Equal(expected.ReplaceLineEndings("\n").Split('\n'), lines.Take(firstLines ?? lines.Length));
    }

    private static IEnumerable<byte[]> Samples()
    {
        var folder = new Folder { Name = "name", Sizes = [1, 2], Tag = new Dictionary<string, int?> { ["a"] = 1, ["b"] = null } };
        folder.Inner = new Folder { Tag = new int[,] { { 1, 2 }, { 3, 4 } }, Sizes = [] };
        yield return Plain.Serialize(folder);
        folder.Inner.Inner = folder;
        yield return References.Serialize(folder);
        yield return Plain.Serialize(
            new object?[] { "text €", null, 'x', new Uri("b", UriKind.Relative), new Version(1, 2), BigInteger.One, typeof(int), 1.5m });
        yield return Intolerant.Serialize(new Folder());
        yield return Plain.SerializeTyped(new Folder());
    }

    private sealed class OfLength : IEqualityComparer<string>
    {
        public bool Equals(string? x, string? y) => x?.Length == y?.Length;

        public int GetHashCode(string text) => text.Length;
    }

    [WireName("Folder")]
    private sealed class Folder
    {
        public string? Name { get; set; }

        public Folder? Inner { get; set; }

        public List<int>? Sizes { get; set; }

        public object? Tag { get; set; }
    }
}
