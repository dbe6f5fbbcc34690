using System.Globalization;
using System.Runtime.CompilerServices;
using Wire.Types;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// A DateTimeFormatInfo: its culture, which names eras; its calendar; its settable properties, and its read-only flag.
/// </summary>
internal static class DateTimeFormatConversion
{
    // There may be several: the first one is used.
    private const string Patterns = "dDtTY";

    public static Parts To(TypeRegistry registry, DateTimeFormatInfo value) => new(
        AbbreviatedDayNames: value.AbbreviatedDayNames,
        AbbreviatedMonthGenitiveNames: value.AbbreviatedMonthGenitiveNames,
        AbbreviatedMonthNames: value.AbbreviatedMonthNames,
        AMDesignator: value.AMDesignator,
        Calendar: CalendarParts.From(value.Calendar),
        CalendarWeekRule: value.CalendarWeekRule,
        Culture: registry.Cultures.Own(CultureName(value)).Name,
        DateSeparator: value.DateSeparator,
        DayNames: value.DayNames,
        FirstDayOfWeek: value.FirstDayOfWeek,
        FullDateTimePattern: value.FullDateTimePattern,
        IsReadOnly: value.IsReadOnly,
        LongDatePatterns: value.GetAllDateTimePatterns(Patterns[1]),
        LongTimePatterns: value.GetAllDateTimePatterns(Patterns[3]),
        MonthDayPattern: value.MonthDayPattern,
        MonthGenitiveNames: value.MonthGenitiveNames,
        MonthNames: value.MonthNames,
        PMDesignator: value.PMDesignator,
        ShortDatePatterns: value.GetAllDateTimePatterns(Patterns[0]),
        ShortestDayNames: value.ShortestDayNames,
        ShortTimePatterns: value.GetAllDateTimePatterns(Patterns[2]),
        TimeSeparator: value.TimeSeparator,
        YearMonthPatterns: value.GetAllDateTimePatterns(Patterns[4]));

    public static DateTimeFormatInfo From(TypeRegistry registry, Parts written)
    {
        _ = registry.Cultures.Get(written.Culture);
        DateTimeFormatInfo format = new CultureInfo(written.Culture, useUserOverride: false).DateTimeFormat;

        // Setting it sets the names and patterns to those of the culture.
        format.Calendar = written.Calendar.Make();
        ReadOnlySpan<ReadOnlyMemory<string>> patterns =
        [
            written.ShortDatePatterns,
            written.LongDatePatterns,
            written.ShortTimePatterns,
            written.LongTimePatterns,
            written.YearMonthPatterns,
        ];
        for (int i = 0; i < patterns.Length; i++)
        {
            format.SetAllDateTimePatterns(patterns[i].ToArray(), Patterns[i]);
        }

        format.AbbreviatedDayNames = written.AbbreviatedDayNames.ToArray();
        format.AbbreviatedMonthGenitiveNames = written.AbbreviatedMonthGenitiveNames.ToArray();
        format.AbbreviatedMonthNames = written.AbbreviatedMonthNames.ToArray();
        format.AMDesignator = written.AMDesignator;
        format.CalendarWeekRule = written.CalendarWeekRule;
        format.DateSeparator = written.DateSeparator;
        format.DayNames = written.DayNames.ToArray();
        format.FirstDayOfWeek = written.FirstDayOfWeek;
        format.FullDateTimePattern = written.FullDateTimePattern;
        format.MonthDayPattern = written.MonthDayPattern;
        format.MonthGenitiveNames = written.MonthGenitiveNames.ToArray();
        format.MonthNames = written.MonthNames.ToArray();
        format.PMDesignator = written.PMDesignator;
        format.ShortestDayNames = written.ShortestDayNames.ToArray();
        format.TimeSeparator = written.TimeSeparator;
        return written.IsReadOnly ? DateTimeFormatInfo.ReadOnly(format) : format;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_CultureName")]
    private static extern string CultureName(DateTimeFormatInfo target);

    // No arrays, which a payload could refer to repeatedly: each format has its own copies.
    internal readonly record struct Parts(
        ReadOnlyMemory<string> AbbreviatedDayNames,
        ReadOnlyMemory<string> AbbreviatedMonthGenitiveNames,
        ReadOnlyMemory<string> AbbreviatedMonthNames,
        string AMDesignator,
        CalendarParts Calendar,
        CalendarWeekRule CalendarWeekRule,
        string Culture,
        string DateSeparator,
        ReadOnlyMemory<string> DayNames,
        DayOfWeek FirstDayOfWeek,
        string FullDateTimePattern,
        bool IsReadOnly,
        ReadOnlyMemory<string> LongDatePatterns,
        ReadOnlyMemory<string> LongTimePatterns,
        string MonthDayPattern,
        ReadOnlyMemory<string> MonthGenitiveNames,
        ReadOnlyMemory<string> MonthNames,
        string PMDesignator,
        ReadOnlyMemory<string> ShortDatePatterns,
        ReadOnlyMemory<string> ShortestDayNames,
        ReadOnlyMemory<string> ShortTimePatterns,
        string TimeSeparator,
        ReadOnlyMemory<string> YearMonthPatterns);
}

/// <summary>A calendar of .NET: its kind, its variant, and the last year that two digits can mean.</summary>
/// <param name="Kind">The number of its class.</param>
/// <param name="Variant">The type of a GregorianCalendar, the adjustment of a HijriCalendar.</param>
/// <param name="TwoDigitYearMax">The last year that two digits stand for.</param>
/// <param name="IsReadOnly">True if that cannot be changed.</param>
internal readonly record struct CalendarParts(byte Kind, int Variant, int TwoDigitYearMax, bool IsReadOnly)
{
    // The numbers are those of docs/format.md.
    private static readonly (Type Type, Func<Calendar> Make)[] Kinds =
    [
        (typeof(GregorianCalendar), () => new GregorianCalendar()),
        (typeof(ChineseLunisolarCalendar), () => new ChineseLunisolarCalendar()),
        (typeof(HebrewCalendar), () => new HebrewCalendar()),
        (typeof(HijriCalendar), () => new HijriCalendar()),
        (typeof(JapaneseCalendar), () => new JapaneseCalendar()),
        (typeof(JapaneseLunisolarCalendar), () => new JapaneseLunisolarCalendar()),
        (typeof(JulianCalendar), () => new JulianCalendar()),
        (typeof(KoreanCalendar), () => new KoreanCalendar()),
        (typeof(KoreanLunisolarCalendar), () => new KoreanLunisolarCalendar()),
        (typeof(PersianCalendar), () => new PersianCalendar()),
        (typeof(TaiwanCalendar), () => new TaiwanCalendar()),
        (typeof(TaiwanLunisolarCalendar), () => new TaiwanLunisolarCalendar()),
        (typeof(ThaiBuddhistCalendar), () => new ThaiBuddhistCalendar()),
        (typeof(UmAlQuraCalendar), () => new UmAlQuraCalendar()),
    ];

    public static CalendarParts From(Calendar calendar)
    {
        int kind = Array.FindIndex(Kinds, known => known.Type == calendar.GetType());
        if (kind < 0)
        {
            throw new UnsupportedTypeException(
                typeof(DateTimeFormatInfo), $"its calendar is a {calendar.GetType()}, which does not come from .NET.");
        }

        int variant = calendar switch
        {
            GregorianCalendar gregorian => (int)gregorian.CalendarType,
            HijriCalendar hijri => hijri.HijriAdjustment,
            _ => 0,
        };
        return new CalendarParts((byte)kind, variant, calendar.TwoDigitYearMax, calendar.IsReadOnly);
    }

    public Calendar Make()
    {
        if (Kind >= Kinds.Length)
        {
            throw new FormatException($"{Kind} is not a kind of calendar.");
        }

        Calendar calendar = Kinds[Kind].Make();
        if (calendar is GregorianCalendar gregorian)
        {
            gregorian.CalendarType = (GregorianCalendarTypes)Variant;
        }
        else if (calendar is HijriCalendar hijri)
        {
            hijri.HijriAdjustment = Variant;
        }

        calendar.TwoDigitYearMax = TwoDigitYearMax;
        return IsReadOnly ? Calendar.ReadOnly(calendar) : calendar;
    }
}
