using System.Globalization;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("by name; own changes to it are lost")]
public sealed class CultureInfoTests : ValueTests<CultureInfo?>
{
    protected override IEnumerable<CultureInfo?> Samples =>
        [null, CultureInfo.InvariantCulture, CultureInfo.GetCultureInfo("fr"), CultureInfo.GetCultureInfo("de-CH"), CultureInfo.GetCultureInfo("zh-Hant-TW")];

    [Fact]
    public void It_comes_back_shared_and_read_only()
    {
        var changed = new CultureInfo("fr") { NumberFormat = { NumberDecimalSeparator = ";" } };
        CultureInfo read = new Serializer().Clone(changed);
        Assert.Same(CultureInfo.GetCultureInfo("fr"), read);
        Assert.True(read.IsReadOnly);
        Assert.Equal(",", read.NumberFormat.NumberDecimalSeparator);
    }

    [Fact]
    public void A_culture_that_compares_like_another_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(CultureInfo.GetCultureInfo("fr", "sv")));
}

/// <summary>Made-up cultures are counted for the whole process: afterwards no test can have one.</summary>
[Collection(nameof(RunAlone))]
public sealed class MadeUpCultureTests
{
    [Fact]
    public void Made_up_cultures_end_and_do_not_lock_out_those_of_the_machine()
    {
        byte[] text = new Serializer().SerializeTyped(CultureInfo.GetCultureInfo("xx-ab00000"));
        byte[] comparer = new Serializer().Serialize(new HashSet<string>(StringComparer.Create(CultureInfo.GetCultureInfo("xx-ab00000"), false)));
        byte[] untyped = new Serializer().Serialize(new System.Collections.SortedList(new System.Collections.Comparer(CultureInfo.GetCultureInfo("xx-ab00000"))));
        foreach ((byte[] bytes, Func<byte[], object?> read) in new (byte[], Func<byte[], object?>)[]
        {
            (text, bytes => new Serializer().DeserializeTyped<CultureInfo>(bytes)), (comparer, bytes => new Serializer().Deserialize<HashSet<string>>(bytes)),
            (untyped, bytes => new Serializer().Deserialize<System.Collections.SortedList>(bytes)),
        })
        {
            int at = bytes.AsSpan().IndexOf("00000"u8);
            WireFormatException? refused = null;
            for (int i = 1; i <= 4097 && refused is null; i++)
            {
                System.Text.Encoding.ASCII.GetBytes(i.ToString("D5", CultureInfo.InvariantCulture), bytes.AsSpan(at));
                refused = (WireFormatException?)Record.Exception(() => read(bytes));
            }

            Assert.Equal(WireFormatError.Limit, refused?.Error);
        }

        CultureInfo[] all = CultureInfo.GetCultures(CultureTypes.AllCultures);
        Assert.Equal(all.Select(culture => culture.Name), new Serializer().Clone(all).Select(culture => culture.Name));
        Assert.Equal(CultureInfo.GetCultureInfo("ga-IE"), new Serializer().Deserialize<CultureInfo>(new Serializer().Serialize(CultureInfo.GetCultureInfo("ga-IE"))));
    }
}

[TypeNotes("by its identifier when this machine has the zone with the same rules, else with its rules")]
public sealed class TimeZoneInfoTests : ValueTests<TimeZoneInfo?>
{
    private static readonly TimeZoneInfo Custom = TimeZoneInfo.CreateCustomTimeZone(
        "Ours", TimeSpan.FromMinutes(90), "(UTC+01:30) Ours; [mine]", "Ours", "Ours in summer",
        [
            TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
                new DateTime(2001, 1, 1), new DateTime(2030, 12, 31), TimeSpan.FromHours(1),
                TimeZoneInfo.TransitionTime.CreateFloatingDateRule(new DateTime(1, 1, 1, 2, 0, 0), 3, 5, DayOfWeek.Sunday),
                TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(1, 1, 1, 3, 0, 0), 10, 31)),
        ]);

    protected override IEnumerable<TimeZoneInfo?> Samples =>
    [
        null, TimeZoneInfo.Utc, TimeZoneInfo.FindSystemTimeZoneById("Europe/Berlin"), TimeZoneInfo.FindSystemTimeZoneById("America/New_York"),
        TimeZoneInfo.CreateCustomTimeZone("Fixed", TimeSpan.FromMinutes(-210), "Fixed", "Fixed"), Custom,
        TimeZoneInfo.CreateCustomTimeZone("Europe/Berlin", TimeSpan.FromHours(2), "Not that one", "Not that one"),
    ];

    [Fact]
    public void A_zone_of_the_system_is_its_identifier()
    {
        byte[] bytes = new Serializer().SerializeTyped(TimeZoneInfo.FindSystemTimeZoneById("Europe/Berlin"));
        Assert.True(bytes.Length < 30, Convert.ToHexString(bytes));
        Assert.Equal(TimeZoneInfo.Local, new Serializer().Clone(TimeZoneInfo.Local));
        TimeZoneInfo deep = TimeZoneInfo.FindSystemTimeZoneById("America/Argentina/Buenos_Aires");
        Assert.True(new Serializer().SerializeTyped(deep).Length < 45);
        Assert.Equal(deep, new Serializer().Clone(deep));
    }

    [Fact]
    public void A_zone_found_under_another_name_of_its_file_is_unsupported_when_its_rules_cannot_be_written()
    {
        if (TimeZoneInfo.TryFindSystemTimeZoneById("Europe//Berlin", out TimeZoneInfo? alias))
        {
            Assert.Contains("Europe//Berlin", Assert.Throws<UnsupportedTypeException>(() => new Serializer().Clone(alias)).Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("../../../../../../dev/zero")]
    [InlineData("/dev/zero")]
    [InlineData("Europe/../../..")]
    [InlineData("Europe\\Berlin")]
    [InlineData("C:Berlin")]
    [InlineData("tzdata.zi")]
    [InlineData("Europe")]
    [InlineData("")]
    [InlineData("No/Such Zone")]
    [InlineData("Europe//Berlin")] // From here on: found, and each kept by .NET for ever.
    [InlineData("Europe///Berlin")]
    [InlineData("Europe/./Berlin")]
    [InlineData("./Europe/Berlin")]
    [InlineData("posix/posix/posix/Europe/Berlin")]
    public void An_identifier_that_is_no_zone_is_invalid_and_no_other_file_is_opened(string id)
    {
        // A string takes the place of the identifier that was written.
        byte[] bytes = new Serializer().SerializeTyped(TimeZoneInfo.FindSystemTimeZoneById("Europe/Berlin"));
        int at = bytes.AsSpan().IndexOf("Europe/Berlin"u8) - 1;
        byte[] changed = [.. bytes[..at], (byte)(1 + (2 * id.Length)), .. System.Text.Encoding.Latin1.GetBytes(id), .. bytes[(at + 14)..]];
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().DeserializeTyped<TimeZoneInfo>(changed)).Error);
    }
}
