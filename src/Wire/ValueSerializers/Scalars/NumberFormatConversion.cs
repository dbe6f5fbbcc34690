using System.Globalization;

namespace Wire.ValueSerializers.Scalars;

/// <summary>A NumberFormatInfo: all that can be set of it, and whether it can be.</summary>
internal sealed class NumberFormatConversion : IConversion<NumberFormatInfo, NumberFormatConversion.Parts>
{
    public static Parts To(NumberFormatInfo value) => new()
    {
        CurrencyDecimalDigits = value.CurrencyDecimalDigits,
        CurrencyDecimalSeparator = value.CurrencyDecimalSeparator,
        CurrencyGroupSeparator = value.CurrencyGroupSeparator,
        CurrencyGroupSizes = value.CurrencyGroupSizes,
        CurrencyNegativePattern = value.CurrencyNegativePattern,
        CurrencyPositivePattern = value.CurrencyPositivePattern,
        CurrencySymbol = value.CurrencySymbol,
        DigitSubstitution = value.DigitSubstitution,
        IsReadOnly = value.IsReadOnly,
        NaNSymbol = value.NaNSymbol,
        NativeDigits = value.NativeDigits,
        NegativeInfinitySymbol = value.NegativeInfinitySymbol,
        NegativeSign = value.NegativeSign,
        NumberDecimalDigits = value.NumberDecimalDigits,
        NumberDecimalSeparator = value.NumberDecimalSeparator,
        NumberGroupSeparator = value.NumberGroupSeparator,
        NumberGroupSizes = value.NumberGroupSizes,
        NumberNegativePattern = value.NumberNegativePattern,
        PercentDecimalDigits = value.PercentDecimalDigits,
        PercentDecimalSeparator = value.PercentDecimalSeparator,
        PercentGroupSeparator = value.PercentGroupSeparator,
        PercentGroupSizes = value.PercentGroupSizes,
        PercentNegativePattern = value.PercentNegativePattern,
        PercentPositivePattern = value.PercentPositivePattern,
        PercentSymbol = value.PercentSymbol,
        PerMilleSymbol = value.PerMilleSymbol,
        PositiveInfinitySymbol = value.PositiveInfinitySymbol,
        PositiveSign = value.PositiveSign,
    };

    public static NumberFormatInfo From(Parts written)
    {
        var format = new NumberFormatInfo
        {
            CurrencyDecimalDigits = written.CurrencyDecimalDigits,
            CurrencyDecimalSeparator = written.CurrencyDecimalSeparator,
            CurrencyGroupSeparator = written.CurrencyGroupSeparator,
            CurrencyGroupSizes = written.CurrencyGroupSizes.ToArray(),
            CurrencyNegativePattern = written.CurrencyNegativePattern,
            CurrencyPositivePattern = written.CurrencyPositivePattern,
            CurrencySymbol = written.CurrencySymbol,
            DigitSubstitution = written.DigitSubstitution,
            NaNSymbol = written.NaNSymbol,
            NativeDigits = written.NativeDigits.ToArray(),
            NegativeInfinitySymbol = written.NegativeInfinitySymbol,
            NegativeSign = written.NegativeSign,
            NumberDecimalDigits = written.NumberDecimalDigits,
            NumberDecimalSeparator = written.NumberDecimalSeparator,
            NumberGroupSeparator = written.NumberGroupSeparator,
            NumberGroupSizes = written.NumberGroupSizes.ToArray(),
            NumberNegativePattern = written.NumberNegativePattern,
            PercentDecimalDigits = written.PercentDecimalDigits,
            PercentDecimalSeparator = written.PercentDecimalSeparator,
            PercentGroupSeparator = written.PercentGroupSeparator,
            PercentGroupSizes = written.PercentGroupSizes.ToArray(),
            PercentNegativePattern = written.PercentNegativePattern,
            PercentPositivePattern = written.PercentPositivePattern,
            PercentSymbol = written.PercentSymbol,
            PerMilleSymbol = written.PerMilleSymbol,
            PositiveInfinitySymbol = written.PositiveInfinitySymbol,
            PositiveSign = written.PositiveSign,
        };
        return written.IsReadOnly ? NumberFormatInfo.ReadOnly(format) : format;
    }

    // No arrays, which a payload could refer to again and again: each format has copies of its own.
    internal readonly record struct Parts
    {
        public int CurrencyDecimalDigits { get; init; }

        public string CurrencyDecimalSeparator { get; init; }

        public string CurrencyGroupSeparator { get; init; }

        public ReadOnlyMemory<int> CurrencyGroupSizes { get; init; }

        public int CurrencyNegativePattern { get; init; }

        public int CurrencyPositivePattern { get; init; }

        public string CurrencySymbol { get; init; }

        public DigitShapes DigitSubstitution { get; init; }

        public bool IsReadOnly { get; init; }

        public string NaNSymbol { get; init; }

        public ReadOnlyMemory<string> NativeDigits { get; init; }

        public string NegativeInfinitySymbol { get; init; }

        public string NegativeSign { get; init; }

        public int NumberDecimalDigits { get; init; }

        public string NumberDecimalSeparator { get; init; }

        public string NumberGroupSeparator { get; init; }

        public ReadOnlyMemory<int> NumberGroupSizes { get; init; }

        public int NumberNegativePattern { get; init; }

        public int PercentDecimalDigits { get; init; }

        public string PercentDecimalSeparator { get; init; }

        public string PercentGroupSeparator { get; init; }

        public ReadOnlyMemory<int> PercentGroupSizes { get; init; }

        public int PercentNegativePattern { get; init; }

        public int PercentPositivePattern { get; init; }

        public string PercentSymbol { get; init; }

        public string PerMilleSymbol { get; init; }

        public string PositiveInfinitySymbol { get; init; }

        public string PositiveSign { get; init; }
    }
}
