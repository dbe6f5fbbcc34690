namespace Wire.ValueSerializers.Scalars;

/// <summary>The rules of a time zone on their own.</summary>
internal static class ZoneRules
{
    public static Transition To(TimeZoneInfo.TransitionTime value) =>
        new(value.TimeOfDay, value.Month, value.Week, value.Day, value.DayOfWeek, value.IsFixedDateRule);

    // The default one, of month 0, cannot be made by a function.
    public static TimeZoneInfo.TransitionTime From(Transition written) =>
        written == default ? default
        : written.IsFixed ? TimeZoneInfo.TransitionTime.CreateFixedDateRule(written.TimeOfDay, written.Month, written.Day)
        : TimeZoneInfo.TransitionTime.CreateFloatingDateRule(written.TimeOfDay, written.Month, written.Week, written.DayOfWeek);

    public static Rule To(TimeZoneInfo.AdjustmentRule value)
    {
        var rule = new Rule(
            value.DateStart, value.DateEnd, value.DaylightDelta, To(value.DaylightTransitionStart), To(value.DaylightTransitionEnd),
            value.BaseUtcOffsetDelta);
        return IsKept(rule, value)
            ? rule
            : throw new UnsupportedTypeException(
                typeof(TimeZoneInfo.AdjustmentRule), "it is a rule of the system that no public function makes. Write its TimeZoneInfo.");
    }

    public static TimeZoneInfo.AdjustmentRule From(Rule written) => TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
        written.Start, written.End, written.Delta, From(written.DaylightStart), From(written.DaylightEnd), written.BaseDelta);

    private static bool IsKept(Rule rule, TimeZoneInfo.AdjustmentRule value)
    {
        try
        {
            return From(rule).Equals(value);
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    internal readonly record struct Transition(DateTime TimeOfDay, int Month, int Week, int Day, DayOfWeek DayOfWeek, bool IsFixed);

    internal readonly record struct Rule(
        DateTime Start, DateTime End, TimeSpan Delta, Transition DaylightStart, Transition DaylightEnd, TimeSpan BaseDelta);
}
