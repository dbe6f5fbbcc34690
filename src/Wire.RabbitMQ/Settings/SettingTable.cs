using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace Wire.RabbitMQ.Settings;

/// <summary>
/// The keys that a section of the configuration may have, and what each sets. By hand, because a binder that works by reflection passes
/// over keys that it does not know, and trimming breaks it. Complete before it is first read; then thread-safe.
/// </summary>
/// <typeparam name="T">The options that are set.</typeparam>
internal sealed class SettingTable<T>
    where T : class
{
    private readonly List<(string Name, Func<T, IConfigurationSection, List<string>, T> Read)> _settings = [];

    private delegate bool Parser<TValue>(string text, out TValue value);

    /// <summary>Adds a whole number.</summary>
    public SettingTable<T> Number(string name, int least, int most, Func<T, int, T> set)
    {
        bool Parse(string text, out int value) => TryNumber(text, least, most, out value);
        return Value(name, Range(least, most), Parse, set);
    }

    /// <summary>Adds a whole number that may be none.</summary>
    public SettingTable<T> NumberOrNone(string name, int least, int most, Func<T, int?, T> set)
    {
        bool Parse(string text, out int? value)
        {
            bool isNumber = TryNumber(text, least, most, out int number);
            value = isNumber ? number : null;
            return isNumber || text.Equals("none", StringComparison.OrdinalIgnoreCase);
        }

        return Value<int?>(name, $"{Range(least, most)}, or none", Parse, set);
    }

    /// <summary>Adds a time.</summary>
    /// <param name="name">The key.</param>
    /// <param name="mayBeZero">Whether zero is allowed.</param>
    /// <param name="most">The longest, in days.</param>
    /// <param name="mayBeInfinite">Whether it may have no end.</param>
    /// <param name="set">Sets it.</param>
    public SettingTable<T> Time(string name, bool mayBeZero, int most, bool mayBeInfinite, Func<T, TimeSpan, T> set)
    {
        bool Parse(string text, out TimeSpan value)
        {
            if (mayBeInfinite && text.Equals("infinite", StringComparison.OrdinalIgnoreCase))
            {
                value = Timeout.InfiniteTimeSpan;
                return true;
            }

            // A number alone would be days.
            return TimeSpan.TryParseExact(text, "c", CultureInfo.InvariantCulture, out value)
                && text.Contains(':')
                && (mayBeZero ? value >= TimeSpan.Zero : value > TimeSpan.Zero)
                && value <= TimeSpan.FromDays(most);
        }

        return Value<TimeSpan>(
            name,
            $"hours:minutes:seconds, as in 00:00:30, {(mayBeZero ? "from zero" : "of more than zero")} to " +
            $"{(most == 1 ? "a day" : $"{most} days")}{(mayBeInfinite ? ", or infinite" : "")}",
            Parse,
            set);
    }

    /// <summary>Adds what is on or off.</summary>
    public SettingTable<T> Flag(string name, Func<T, bool, T> set) => Value(name, "true or false", bool.TryParse, set);

    /// <summary>Adds one of the names of an enumeration.</summary>
    public SettingTable<T> Choice<TChoice>(string name, Func<T, TChoice, T> set)
        where TChoice : struct, Enum
    {
        string[] names = Enum.GetNames<TChoice>();
        bool Parse(string text, out TChoice value)
        {
            value = default;
            return names.Contains(text, StringComparer.OrdinalIgnoreCase) && Enum.TryParse(text, ignoreCase: true, out value);
        }

        return Value(name, string.Join(" or ", names), Parse, set);
    }

    /// <summary>Adds a text.</summary>
    /// <param name="name">The key.</param>
    /// <param name="allowed">The rule for it, which ends the sentence "it has to be".</param>
    /// <param name="set">Sets it; an <see cref="ArgumentException"/> from it is a mistake of the configuration.</param>
    public SettingTable<T> Text(string name, string allowed, Func<T, string, T> set)
    {
        static bool Parse(string text, out string value)
        {
            value = text;
            return text.Length != 0;
        }

        return Value(name, allowed, Parse, set);
    }

    /// <summary>Adds a text that is taken as it is, and never shown.</summary>
    /// <param name="name">The key.</param>
    /// <param name="allowed">The rule for it, which ends the sentence "it has to be".</param>
    /// <param name="set">Sets it.</param>
    public SettingTable<T> Secret(string name, string allowed, Func<T, string, T> set) => Add(name, (target, section, mistakes) =>
    {
        if (section.Value is { } value)
        {
            return set(target, value);
        }

        mistakes.Add($"{section.Path} has keys below it, where it has to be {allowed}.");
        return target;
    });

    /// <summary>Adds a section with keys of its own.</summary>
    public SettingTable<T> Section<TPart>(string name, SettingTable<TPart> table, Func<T, TPart> get, Func<T, TPart, T> set)
        where TPart : class =>
        Add(name, (target, section, mistakes) => set(target, table.Read(get(target), section, mistakes)));

    /// <summary>Adds a key that is read elsewhere.</summary>
    public SettingTable<T> Other(string name) => Add(name, static (target, _, _) => target);

    /// <summary>Reads a section, in the order of this table.</summary>
    /// <param name="target">The options as they are without it.</param>
    /// <param name="section">The section.</param>
    /// <param name="mistakes">What is wrong is added to these.</param>
    /// <returns>The options with what the section says.</returns>
    public T Read(T target, IConfigurationSection section, List<string> mistakes)
    {
        string known = string.Join(", ", _settings.Select(setting => setting.Name));
        if (section.Value is not null)
        {
            mistakes.Add($"{section.Path} has a value of its own, where there are only keys below it: {known}.");
        }

        foreach (IConfigurationSection child in section.GetChildren())
        {
            if (!_settings.Exists(setting => setting.Name.Equals(child.Key, StringComparison.OrdinalIgnoreCase)))
            {
                mistakes.Add($"{child.Path} is no key of it: there are {known}.");
            }
        }

        foreach ((string name, Func<T, IConfigurationSection, List<string>, T> read) in _settings)
        {
            IConfigurationSection child = section.GetSection(name);
            if (child.Exists())
            {
                target = read(target, child, mistakes);
            }
        }

        return target;
    }

    private static string Range(int least, int most) => string.Create(CultureInfo.InvariantCulture, $"{least:N0} to {most:N0}");

    private static bool TryNumber(string text, int least, int most, out int value) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value) && value >= least && value <= most;

    private SettingTable<T> Value<TValue>(string name, string allowed, Parser<TValue> parse, Func<T, TValue, T> set) =>
        Add(name, (target, section, mistakes) =>
        {
            // A list is a text with commas.
            string? text = section.Value ?? (section.GetChildren().All(static child => int.TryParse(child.Key, out _))
                ? string.Join(',', section.GetChildren().Select(static child => child.Value))
                : null);
            if (text is null)
            {
                mistakes.Add($"{section.Path} has keys below it, where it has to be {allowed}.");
                return target;
            }

            if (!parse(text.Trim(), out TValue value))
            {
                mistakes.Add($"{section.Path} is '{text}': it has to be {allowed}.");
                return target;
            }

            try
            {
                return set(target, value);
            }
            catch (ArgumentException e)
            {
                // It does not show the value, which may be secret.
                mistakes.Add($"{section.Path}: {e.Message}");
                return target;
            }
        });

    private SettingTable<T> Add(string name, Func<T, IConfigurationSection, List<string>, T> read)
    {
        _settings.Add((name, read));
        return this;
    }
}
