using System.Globalization;

namespace Wire.ValueSerializers.Scalars;

/// <summary>A NumberFormatInfo: its settable properties, and its read-only flag.</summary>
internal static class NumberFormatConversion
{
    public static Parts To(NumberFormatInfo value) => new(
        CurrencyDecimalDigits: value.CurrencyDecimalDigits,
        CurrencyDecimalSeparator: value.CurrencyDecimalSeparator,
        CurrencyGroupSeparator: value.CurrencyGroupSeparator,
        CurrencyGroupSizes: value.CurrencyGroupSizes,
        CurrencyNegativePattern: value.CurrencyNegativePattern,
        CurrencyPositivePattern: value.CurrencyPositivePattern,
        CurrencySymbol: value.CurrencySymbol,
        DigitSubstitution: value.DigitSubstitution,
        IsReadOnly: value.IsReadOnly,
        NaNSymbol: value.NaNSymbol,
        NativeDigits: value.NativeDigits,
        NegativeInfinitySymbol: value.NegativeInfinitySymbol,
        NegativeSign: value.NegativeSign,
        NumberDecimalDigits: value.NumberDecimalDigits,
        NumberDecimalSeparator: value.NumberDecimalSeparator,
        NumberGroupSeparator: value.NumberGroupSeparator,
        NumberGroupSizes: value.NumberGroupSizes,
        NumberNegativePattern: value.NumberNegativePattern,
        PercentDecimalDigits: value.PercentDecimalDigits,
        PercentDecimalSeparator: value.PercentDecimalSeparator,
        PercentGroupSeparator: value.PercentGroupSeparator,
        PercentGroupSizes: value.PercentGroupSizes,
        PercentNegativePattern: value.PercentNegativePattern,
        PercentPositivePattern: value.PercentPositivePattern,
        PercentSymbol: value.PercentSymbol,
        PerMilleSymbol: value.PerMilleSymbol,
        PositiveInfinitySymbol: value.PositiveInfinitySymbol,
        PositiveSign: value.PositiveSign);

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

    // No arrays, which a payload could refer to repeatedly: each format has its own copies.
    internal readonly record struct Parts(
        int CurrencyDecimalDigits,
        string CurrencyDecimalSeparator,
        string CurrencyGroupSeparator,
        ReadOnlyMemory<int> CurrencyGroupSizes,
        int CurrencyNegativePattern,
        int CurrencyPositivePattern,
        string CurrencySymbol,
        DigitShapes DigitSubstitution,
        bool IsReadOnly,
        string NaNSymbol,
        ReadOnlyMemory<string> NativeDigits,
        string NegativeInfinitySymbol,
        string NegativeSign,
        int NumberDecimalDigits,
        string NumberDecimalSeparator,
        string NumberGroupSeparator,
        ReadOnlyMemory<int> NumberGroupSizes,
        int NumberNegativePattern,
        int PercentDecimalDigits,
        string PercentDecimalSeparator,
        string PercentGroupSeparator,
        ReadOnlyMemory<int> PercentGroupSizes,
        int PercentNegativePattern,
        int PercentPositivePattern,
        string PercentSymbol,
        string PerMilleSymbol,
        string PositiveInfinitySymbol,
        string PositiveSign);
}
