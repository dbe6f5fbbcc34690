using System.Globalization;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("by name")]
public sealed class CompareInfoTests : ValueTests<CompareInfo?>
{
    protected override IEnumerable<CompareInfo?> Samples =>
    [
        null, CultureInfo.InvariantCulture.CompareInfo, CultureInfo.GetCultureInfo("tr").CompareInfo,
        CultureInfo.GetCultureInfo("de-DE_phoneb").CompareInfo,
    ];

    [Fact]
    public void Every_one_of_the_machine_comes_back()
    {
        CompareInfo[] all = [.. CultureInfo.GetCultures(CultureTypes.AllCultures).Select(culture => culture.CompareInfo)];
        Assert.Equal(all, new Serializer().CopyBothWays(all));
    }
}

[TypeNotes("by name, with its separator and whether that can be changed")]
public sealed class TextInfoTests : ValueTests<TextInfo?>
{
    protected override IEnumerable<TextInfo?> Samples =>
    [
        null, CultureInfo.InvariantCulture.TextInfo, CultureInfo.GetCultureInfo("tr").TextInfo, new CultureInfo("fr").TextInfo,
        TextInfo.ReadOnly(new CultureInfo("fr").TextInfo),
        Changed(), TextInfo.ReadOnly(Changed()),
    ];

    protected override void More(TextInfo? expected, TextInfo? actual) =>
        Assert.Equal(expected?.ToUpper("i\u0131ß"), actual?.ToUpper("i\u0131ß"));

    private static TextInfo Changed()
    {
        TextInfo text = new CultureInfo("tr").TextInfo;
        text.ListSeparator = "<>";
        return text;
    }
}

[TypeNotes("by the culture that it speaks of itself in")]
public sealed class RegionInfoTests : ValueTests<RegionInfo?>
{
    protected override IEnumerable<RegionInfo?> Samples => [null, new("US"), new("es-US"), new("de-CH"), new("IN"), new("001")];

    [Fact]
    public void Every_one_of_the_machine_comes_back()
    {
        int count = 0;
        foreach (CultureInfo culture in CultureInfo.GetCultures(CultureTypes.SpecificCultures))
        {
            // ICU has cultures whose regions .NET does not know.
            if (Record.Exception(() => new RegionInfo(culture.Name)) is null)
            {
                count++;
                var region = new RegionInfo(culture.Name);
                GraphAssert.Same(region, new Serializer().CopyBothWays(region));
            }
        }

        Assert.True(count > 100, $"{count}");
    }

    [Fact]
    public void A_class_of_the_programs_own_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new OwnRegion()));

    [Fact]
    public void A_region_of_no_culture_is_refused_in_both_directions()
    {
        var region = new RegionInfo("c");
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(region));
        byte[] payload = new Serializer().Serialize(new RegionInfo("de-CH"));
        Assert.Equal((byte)'H', payload[^1]);
        Assert.Throws<WireFormatException>(
            () => new Serializer().Deserialize<RegionInfo>([.. payload.AsSpan(0, payload.Length - 6), 3, (byte)'c']));
    }

    private sealed class OwnRegion() : RegionInfo("US");
}

[TypeNotes("all its properties, and whether they can be changed")]
public sealed class NumberFormatInfoTests : ValueTests<NumberFormatInfo?>
{
    protected override IEnumerable<NumberFormatInfo?> Samples =>
    [
        null, new(), NumberFormatInfo.InvariantInfo, CultureInfo.GetCultureInfo("ar-EG").NumberFormat,
        new CultureInfo("hi-IN").NumberFormat, Changed(), NumberFormatInfo.ReadOnly(Changed()),
    ];

    /// <summary>Everything is something else than in any culture.</summary>
    public static NumberFormatInfo Changed() => new()
    {
        CurrencyDecimalDigits = 7,
        CurrencyDecimalSeparator = "a",
        CurrencyGroupSeparator = "b",
        CurrencyGroupSizes = [1, 2, 0],
        CurrencyNegativePattern = 13,
        CurrencyPositivePattern = 3,
        CurrencySymbol = "c",
        DigitSubstitution = DigitShapes.NativeNational,
        NaNSymbol = "d",
        NativeDigits = ["\u0966", "\u0967", "\u0968", "\u0969", "\u096A", "\u096B", "\u096C", "\u096D", "\u096E", "\u096F"],
        NegativeInfinitySymbol = "e",
        NegativeSign = "f",
        NumberDecimalDigits = 8,
        NumberDecimalSeparator = "g",
        NumberGroupSeparator = "h",
        NumberGroupSizes = [4, 5],
        NumberNegativePattern = 4,
        PercentDecimalDigits = 9,
        PercentDecimalSeparator = "i",
        PercentGroupSeparator = "j",
        PercentGroupSizes = [],
        PercentNegativePattern = 11,
        PercentPositivePattern = 2,
        PercentSymbol = "k",
        PerMilleSymbol = "l",
        PositiveInfinitySymbol = "m",
        PositiveSign = "n",
    };

    [Fact]
    public void Every_one_of_the_machine_comes_back_to_the_last_field()
    {
        foreach (CultureInfo culture in CultureInfo.GetCultures(CultureTypes.AllCultures))
        {
            NumberFormatInfo back = new Serializer().CopyBothWays(culture.NumberFormat);
            Assert.Equal(Fields(culture.NumberFormat), Fields(back));
            Assert.Equal((-1234567.891).ToString("C", culture.NumberFormat), (-1234567.891).ToString("C", back));
        }
    }

    [Fact]
    public void A_read_only_one_cannot_be_changed_and_another_can()
    {
        NumberFormatInfo fixedOne = new Serializer().CopyBothWays(NumberFormatInfo.ReadOnly(Changed()));
        Assert.Throws<InvalidOperationException>(() => fixedOne.NegativeSign = "-");
        NumberFormatInfo back = new Serializer().CopyBothWays(Changed());
        back.NegativeSign = "-";
        Assert.Equal("-", back.NegativeSign);
    }

    [Fact]
    public void What_it_would_not_take_is_invalid()
    {
        byte[] bytes = new Serializer().Serialize(new NumberFormatInfo { PositiveInfinitySymbol = "marker" });
        byte[] changed = [.. bytes];

        // Currency digits are the first of its members.
        int at = changed.AsSpan().IndexOf((ReadOnlySpan<byte>)[2, 0, 0, 0, 3, (byte)'.']);
        changed[at] = 100;
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(changed)).Error);
    }

    // What .NET has encoded already is no part of it.
    private static string[] Fields(NumberFormatInfo format) =>
    [
        .. typeof(NumberFormatInfo).GetFields(System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic)
            .Where(field => !field.Name.EndsWith("Utf8", StringComparison.Ordinal))
            .Select(field => $"{field.Name} "
                + (field.GetValue(format) is System.Collections.IEnumerable items and not string
                    ? string.Join('|', items.Cast<object>())
                    : field.GetValue(format))),
    ];
}

[TypeNotes("culture, calendar, all its properties and patterns, and whether they can be changed")]
public sealed class DateTimeFormatInfoTests : ValueTests<DateTimeFormatInfo?>
{
    private static readonly DateTime Time = new(2024, 2, 29, 13, 4, 5, 678);

    protected override IEnumerable<DateTimeFormatInfo?> Samples =>
    [
        null, new(), DateTimeFormatInfo.InvariantInfo, CultureInfo.GetCultureInfo("de-DE").DateTimeFormat,
        new CultureInfo("ja-JP").DateTimeFormat, Japanese(), Changed(),
        DateTimeFormatInfo.ReadOnly(Changed()),
    ];

    public static DateTimeFormatInfo Changed()
    {
        DateTimeFormatInfo format = new CultureInfo("ar-SA").DateTimeFormat;
        format.Calendar = new HijriCalendar { HijriAdjustment = 2, TwoDigitYearMax = 1440 };
        format.AMDesignator = "am";
        format.AbbreviatedDayNames = ["a", "b", "c", "d", "e", "f", "g"];
        format.AbbreviatedMonthGenitiveNames = [.. Enumerable.Range(0, 13).Select(i => $"amg{i}")];
        format.AbbreviatedMonthNames = [.. Enumerable.Range(0, 13).Select(i => $"am{i}")];
        format.CalendarWeekRule = CalendarWeekRule.FirstFourDayWeek;
        format.DateSeparator = "~";
        format.DayNames = ["aa", "bb", "cc", "dd", "ee", "ff", "gg"];
        format.FirstDayOfWeek = DayOfWeek.Wednesday;
        format.LongTimePattern = "H-m-s";
        format.MonthDayPattern = "d/M";
        format.MonthGenitiveNames = [.. Enumerable.Range(0, 13).Select(i => $"mg{i}")];
        format.MonthNames = [.. Enumerable.Range(0, 13).Select(i => $"m{i}")];
        format.PMDesignator = "pm";
        format.SetAllDateTimePatterns(["y-d", "d-y", "M"], 'd');
        format.ShortestDayNames = ["s", "t", "u", "v", "w", "x", "y"];
        format.SetAllDateTimePatterns(["H", "h t"], 't');
        format.TimeSeparator = "^";
        format.SetAllDateTimePatterns(["y", "yy M"], 'y');
        format.LongDatePattern = "yyyy+MM+dd";
        format.FullDateTimePattern = "F: yyyy";
        return format;
    }

    [Fact]
    public void Every_one_of_the_machine_comes_back_with_each_of_its_calendars()
    {
        foreach (CultureInfo culture in CultureInfo.GetCultures(CultureTypes.AllCultures))
        {
            foreach (Calendar calendar in culture.OptionalCalendars.Append(culture.Calendar))
            {
                var format = (DateTimeFormatInfo)culture.DateTimeFormat.Clone();
                format.Calendar = calendar;
                DateTimeFormatInfo back = new Serializer().CopyBothWays(format);
                GraphAssert.Same(format, back);
                Assert.Equal(Time.ToString("F", format), Time.ToString("F", back));
                Assert.Equal(Time.ToString("dd MMMM gg", format), Time.ToString("dd MMMM gg", back));
            }
        }
    }

    [Fact]
    public void Times_are_read_by_it_as_by_the_original()
    {
        DateTimeFormatInfo german = new CultureInfo("de-DE").DateTimeFormat;
        Assert.Equal(Time.Date, DateTime.Parse(Time.ToString("D", german), new Serializer().CopyBothWays(german)));
        DateTimeFormatInfo back = new Serializer().CopyBothWays(Japanese());
        Assert.Equal(Japanese().GetEra("Showa"), back.GetEra("Showa"));
    }

    [Fact]
    public void A_calendar_of_the_programs_own_is_refused_by_name()
    {
        DateTimeFormatInfo format = new CultureInfo("de-DE").DateTimeFormat;
        format.Calendar = new OwnCalendar();
        Assert.Contains(
            nameof(OwnCalendar),
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(format)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_calendar_that_its_culture_does_not_have_is_invalid()
    {
        byte[] bytes = new Serializer().SerializeTyped(new CultureInfo("de-DE").DateTimeFormat);
        int at = bytes.AsSpan().IndexOf(BitConverter.GetBytes(new GregorianCalendar().TwoDigitYearMax));
        foreach (byte kind in (byte[])[8, 14, 255])
        {
            // A member for each part of the calendar, in the order of their names: IsReadOnly, Kind, TwoDigitYearMax.
            bytes[at - 1] = kind;
            Assert.Equal(
                WireFormatError.InvalidValue,
                Assert.Throws<WireFormatException>(() => new Serializer().DeserializeTyped<DateTimeFormatInfo>(bytes)).Error);
        }
    }

    private static DateTimeFormatInfo Japanese()
    {
        DateTimeFormatInfo format = new CultureInfo("ja-JP").DateTimeFormat;
        format.Calendar = new JapaneseCalendar();
        return format;
    }

    private sealed class OwnCalendar : GregorianCalendar;
}

public sealed class SortVersionTests : ValueTests<SortVersion?>
{
    protected override IEnumerable<SortVersion?> Samples =>
        [null, new(0, Guid.Empty), new(-1, new Guid(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))];
}

public sealed class TransitionTimeTests : ValueTests<TimeZoneInfo.TransitionTime>
{
    protected override IEnumerable<TimeZoneInfo.TransitionTime> Samples =>
    [
        default, TimeZoneInfo.TransitionTime.CreateFixedDateRule(new(1, 1, 1, 2, 0, 0), 12, 31),
        TimeZoneInfo.TransitionTime.CreateFloatingDateRule(new(1, 1, 1, 23, 59, 59), 3, 5, DayOfWeek.Saturday),
    ];
}

[TypeNotes("one that no public function makes is refused")]
public sealed class AdjustmentRuleTests : ValueTests<TimeZoneInfo.AdjustmentRule?>
{
    protected override IEnumerable<TimeZoneInfo.AdjustmentRule?> Samples =>
    [
        null,
        TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
            new(2000, 1, 1), DateTime.MaxValue.Date, TimeSpan.FromHours(1),
            TimeZoneInfo.TransitionTime.CreateFloatingDateRule(new(1, 1, 1, 2, 0, 0), 3, 5, DayOfWeek.Sunday),
            TimeZoneInfo.TransitionTime.CreateFixedDateRule(new(1, 1, 1, 3, 0, 0), 10, 31), TimeSpan.FromMinutes(-30)),
    ];

    [Fact]
    public void Each_rule_of_each_zone_of_the_system_is_kept_or_refused()
    {
        var serializer = new Serializer();
        int kept = 0;
        foreach (TimeZoneInfo.AdjustmentRule rule in TimeZoneInfo.GetSystemTimeZones().SelectMany(zone => zone.GetAdjustmentRules()))
        {
            try
            {
                GraphAssert.Same(rule, serializer.Deserialize<TimeZoneInfo.AdjustmentRule>(serializer.Serialize(rule)), sharing: true);
                kept++;
            }
            catch (UnsupportedTypeException e)
            {
                Assert.Contains("Write its TimeZoneInfo", e.Message, StringComparison.Ordinal);
            }
        }

        Assert.NotEqual(0, kept);
    }
}
