using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.Migration.Reading;

/// <summary>
/// Puts values into variables whose type may have changed since: numbers as other number types, exactly or not at all, as payloads of Wire
/// are read.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class Fitting
{
    public static object? ToVariable(object? value, Type declared)
    {
        if (value is null)
        {
            return !declared.IsValueType || Nullable.GetUnderlyingType(declared) is not null ? null
                : declared.IsOf(typeof(ImmutableArray<>)) || declared.IsOf(typeof(ArraySegment<>))
                ? RuntimeHelpers.GetUninitializedObject(declared)
                : throw new WireFormatException(WireFormatError.TypeMismatch, $"A null does not fit a variable of type {declared}.");
        }

        Type target = Nullable.GetUnderlyingType(declared) ?? declared;
        return ArrayVariance.Fits(target, value.GetType()) ? value : Convert(value, target) ?? throw new WireFormatException(
            WireFormatError.TypeMismatch,
            $"A value of type {value.GetType()} does not fit a variable of type {declared}. {Advice.ChangedMember}");
    }

    private static object? Convert(object value, Type target)
    {
        TypeCode from = Type.GetTypeCode(value.GetType());
        TypeCode to = Type.GetTypeCode(target);
        bool isEnum = target.IsEnum || value.GetType().IsEnum;
        if (!IsNumber(from) || !IsNumber(to) || (isEnum && !(IsInteger(from) && IsInteger(to)))
            || (from == TypeCode.Decimal && !IsInteger(to)) || (to == TypeCode.Decimal && !IsInteger(from)))
        {
            return null;
        }

        try
        {
            object number = System.Convert.ChangeType(value, from, CultureInfo.InvariantCulture);
            object converted = System.Convert.ChangeType(number, to, CultureInfo.InvariantCulture);
            if (System.Convert.ChangeType(converted, from, CultureInfo.InvariantCulture).Equals(number))
            {
                return target.IsEnum ? Enum.ToObject(target, converted) : converted;
            }
        }
        catch (OverflowException)
        {
            // Said below.
        }

        throw new WireFormatException(
            WireFormatError.TypeMismatch,
            string.Create(
                CultureInfo.InvariantCulture, $"{value} is a value of type {value.GetType()} that {target} cannot hold exactly."));
    }

    private static bool IsNumber(TypeCode code) => code is >= TypeCode.SByte and <= TypeCode.Decimal;

    private static bool IsInteger(TypeCode code) => code is >= TypeCode.SByte and <= TypeCode.UInt64;
}
