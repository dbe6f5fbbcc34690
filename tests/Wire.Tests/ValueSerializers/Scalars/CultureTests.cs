using System.Globalization;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("by name; own changes to it are lost")]
public sealed class CultureInfoTests : ValueTests<CultureInfo?>
{
    protected override IEnumerable<CultureInfo?> Samples =>
        [
            null,
            CultureInfo.InvariantCulture,
            CultureInfo.GetCultureInfo("fr"),
            CultureInfo.GetCultureInfo("de-CH"),
            CultureInfo.GetCultureInfo("zh-Hant-TW"),
        ];

    [Fact]
    public void It_comes_back_shared_and_read_only()
    {
        var changed = new CultureInfo("fr") { NumberFormat = { NumberDecimalSeparator = ";" } };
        CultureInfo read = new Serializer().CopyBothWays(changed);
        Assert.Same(CultureInfo.GetCultureInfo("fr"), read);
        Assert.True(read.IsReadOnly);
        Assert.Equal(",", read.NumberFormat.NumberDecimalSeparator);
    }

    [Fact]
    public void A_culture_that_compares_like_another_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(CultureInfo.GetCultureInfo("fr", "sv")));
}

/// <summary>Cultures that no machine has: .NET makes them all the same, and keeps them for ever.</summary>
public sealed class MadeUpCultureTests
{
    private const int Limit = 20;

    private static readonly Limits Few = Limits.Default with { MaxConstructedTypes = Limit };

    public static TheoryData<string> Forms => [.. Writers.Keys];

    private static Dictionary<string, Func<string, object>> Writers { get; } = new()
    {
        ["culture"] = name => CultureInfo.GetCultureInfo(name),
        ["comparer"] = name => StringComparer.Create(CultureInfo.GetCultureInfo(name), ignoreCase: false),
        ["set"] = name => new HashSet<string>(StringComparer.Create(CultureInfo.GetCultureInfo(name), ignoreCase: false)) { "a" },
        ["untyped list"] = name => new System.Collections.SortedList(new System.Collections.Comparer(CultureInfo.GetCultureInfo(name))),
        ["untyped list ignoring case"] = name =>
            new System.Collections.SortedList(new System.Collections.CaseInsensitiveComparer(CultureInfo.GetCultureInfo(name))),
    };

    [Theory]
    [MemberData(nameof(Forms))]
    public void They_end_for_one_serializer_and_no_other(string form)
    {
        Serializer flooded = Flooded(form);
        byte[] honest = Payload(form, "en-FR");
        var error = Assert.Throws<WireFormatException>(() => flooded.Deserialize<object>(honest));
        Assert.Equal(WireFormatError.Limit, error.Error);
        Assert.Contains($"Limits.MaxConstructedTypes = {Limit} cultures", error.Message, StringComparison.Ordinal);

        // Those that it has read it reads again.
        Assert.NotNull(flooded.Deserialize<object>(Payload(form, MadeUp(0))));
        Assert.NotNull(Setup.Serializer(true, o => o with { Limits = Few }).Deserialize<object>(honest));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public void What_the_program_has_written_is_never_counted(string form)
    {
        Serializer early = Setup.Serializer(true, o => o with { Limits = Few });
        early.Serialize(Enumerable.Range(100, 2 * Limit).Select(i => Writers[form](MadeUp(i))).ToArray());
        Assert.All(Enumerable.Range(0, Limit), i => Assert.NotNull(early.Deserialize<object>(Payload(form, MadeUp(i)))));
        Assert.All(Enumerable.Range(100, 2 * Limit), i => Assert.NotNull(early.Deserialize<object>(Payload(form, MadeUp(i)))));

        Serializer late = Flooded(form);
        late.Serialize(Writers[form]("en-FR"));
        Assert.NotNull(late.Deserialize<object>(Payload(form, "en-FR")));
    }

    [Fact]
    public void Those_of_the_machine_and_those_in_use_are_never_counted()
    {
        Serializer flooded = Flooded("culture");

        // The short forms are none of those that the machine lists.
        CultureInfo[] all =
        [
            .. CultureInfo.GetCultures(CultureTypes.AllCultures),
            .. new[] { "zh-CN", "zh-TW", "sr-RS", "pa-PK", "uz-UZ" }.Select(CultureInfo.GetCultureInfo),
        ];
        CultureInfo?[] read = flooded.Deserialize<CultureInfo[]>(new Serializer().Serialize(all))!;
        Assert.Equal(all.Select(culture => culture.Name), read.Select(culture => culture!.Name));

        CultureInfo before = CultureInfo.CurrentCulture;
        CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("en-FR");
        try
        {
            Assert.Equal("en-FR", flooded.Deserialize<CultureInfo>(Payload("culture", "en-FR"))!.Name);
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    private static Serializer Flooded(string form)
    {
        Serializer serializer = Setup.Serializer(true, o => o with { Limits = Few });
        Assert.All(Enumerable.Range(0, Limit), i => Assert.NotNull(serializer.Deserialize<object>(Payload(form, MadeUp(i)))));
        Assert.Equal(
            WireFormatError.Limit, Assert.Throws<WireFormatException>(
                () => serializer.Deserialize<object>(Payload(form, MadeUp(Limit)))).Error);
        return serializer;
    }

    private static byte[] Payload(string form, string culture) => new Serializer().Serialize(Writers[form](culture));

    private static string MadeUp(int number) => $"xx-ab{number:D5}";
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
        null, TimeZoneInfo.Utc, TimeZoneInfo.FindSystemTimeZoneById(
            "Europe/Berlin"), TimeZoneInfo.FindSystemTimeZoneById("America/New_York"),
        TimeZoneInfo.CreateCustomTimeZone("Fixed", TimeSpan.FromMinutes(-210), "Fixed", "Fixed"), Custom,
        TimeZoneInfo.CreateCustomTimeZone("Europe/Berlin", TimeSpan.FromHours(2), "Not that one", "Not that one"),
    ];

    [Fact]
    public void A_zone_of_the_system_is_its_identifier()
    {
        byte[] bytes = new Serializer().SerializeTyped(TimeZoneInfo.FindSystemTimeZoneById("Europe/Berlin"));
        Assert.True(bytes.Length < 30, Convert.ToHexString(bytes));
        Assert.Equal(TimeZoneInfo.Local, new Serializer().CopyBothWays(TimeZoneInfo.Local));
        TimeZoneInfo deep = TimeZoneInfo.FindSystemTimeZoneById("America/Argentina/Buenos_Aires");
        Assert.True(new Serializer().SerializeTyped(deep).Length < 45);
        Assert.Equal(deep, new Serializer().CopyBothWays(deep));
    }

    [Fact]
    public void A_zone_found_under_another_name_of_its_file_is_unsupported_when_its_rules_cannot_be_written()
    {
        if (TimeZoneInfo.TryFindSystemTimeZoneById("Europe//Berlin", out TimeZoneInfo? alias))
        {
            Assert.Contains(
                "Europe//Berlin",
                Assert.Throws<UnsupportedTypeException>(() => new Serializer().CopyBothWays(alias)).Message,
                StringComparison.Ordinal);
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
        Assert.Equal(
            WireFormatError.InvalidValue,
            Assert.Throws<WireFormatException>(() => new Serializer().DeserializeTyped<TimeZoneInfo>(changed)).Error);
    }
}
