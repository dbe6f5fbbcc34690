using Wire.Format;
using Wire.ValueSerializers.Enums;

namespace Wire.Contracting;

/// <summary>Judges the values of an enum that are read as another: by names where the payload has them, and else by numbers.</summary>
internal static class ContractEnums
{
    /// <summary>Lists what is not simply read.</summary>
    public static IEnumerable<(string? Member, Finding Finding, string? Remedy)> Judge(
        ContractType written, ContractType own, Shape from, Shape to, bool hasNames, ContractDirection direction)
    {
        byte source = ContractWords.TagOf(written.Underlying!)!.Value, target = ContractWords.TagOf(own.Underlying!)!.Value;
        if (ContractNumbers.Judge(source, target, written.Underlying!, own.Underlying!) is { Verdict: not ContractVerdict.Reads } numbers)
        {
            yield return (null, numbers, null);
        }

        EnumMap? map = hasNames && from.Code == ShapeCode.Enum && to.Code == ShapeCode.Enum
            ? EnumMap.Between(own.Key, own.IsFlags, from, to)
            : null;
        foreach (ContractConstant constant in written.Constants)
        {
            if (map?.Changes.TryGetValue(constant.Value, out (Int128 Number, string? Refused) change) == true)
            {
                if (change.Refused is not null)
                {
                    yield return Refused(written, constant, own, direction);
                }
            }
            else if (own.Constants.All(other => other.Name != constant.Name))
            {
                yield return (constant.Name, Finding.Loses($"it is read as {NameOf(constant.Value, own)}."), null);
            }
            else if (map is null && own.Constants.All(other => other.Name != constant.Name || other.Value != constant.Value))
            {
                yield return (
                    constant.Name,
                    Finding.Loses($"it is read as {NameOf(constant.Value, own)}: the payload has only its number."),
                    "EnumsByName = true for the writer");
            }
        }

        if (map?.Changes.Values.Any(change => change.Refused?.Length == 0) == true)
        {
            yield return (null, Finding.RefusesSome("a number without a name is refused where it has one for the reader."), null);
        }

        if (own.IsFlags && map is not null)
        {
            yield return (null, Finding.RefusesSome("flags have other values, and some combinations of bits are refused."), null);
        }
    }

    private static (string? Member, Finding Finding, string? Remedy) Refused(
        ContractType written, ContractConstant constant, ContractType own, ContractDirection direction)
    {
        ContractConstant? taken = own.Constants.FirstOrDefault(other => other.Value == constant.Value);
        // The new name is that of the other's successor only if the other is gone: no two members have one name.
        bool isRenamed = taken is not null && written.Constants.All(other => other.Name != taken.Name);
        (string old, string now) = direction == ContractDirection.ReadsOld
            ? (constant.Name, $"{own.Key}.{taken?.Name}")
            : ($"{taken?.Name}", $"{written.Key}.{constant.Name}");
        return (
            constant.Name,
            Finding.RefusesSome(
                $"its number {constant.Value} is {taken?.Name ?? "another"} for the reader, and no name says that it is the same."),
            isRenamed ? $"[WireName(\"{old}\")] on {now}, if that is what has become of it" : null);
    }

    private static string NameOf(Int128 number, ContractType own) =>
        own.Constants.FirstOrDefault(other => other.Value == number)?.Name ?? $"the number {number}, without a name";
}
