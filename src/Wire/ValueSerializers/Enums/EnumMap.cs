using System.Numerics;
using Wire.Errors;
using Wire.Format;

namespace Wire.ValueSerializers.Enums;

/// <summary>
/// The values that a program's enum has for those of a writer's: the value of the same name, or the same number where the writer has no
/// name for it. A number that the writer calls by a name which the program lacks is kept too, unless it has another name here.
/// </summary>
internal sealed class EnumMap
{
    private readonly string _type;
    private readonly Shape _own;
    private readonly byte _from;
    private readonly byte _to;

    // What differs: the program's number, or the writer's name for one that has no such number here.
    private readonly Dictionary<Int128, (Int128 Number, string? Refused)> _changed = [];

    // Of flags: the single bits that have names, and the bits of changed names that are not made of those.
    private readonly ulong _singles;
    private readonly ulong _whole;
    private readonly bool _areFlags;

    private EnumMap(string type, bool areFlags, Shape writer, Shape own)
    {
        (_type, _own, _from, _to) = (type, own, writer.Element!.Code, own.Element!.Code);
        _areFlags = areFlags;
        foreach (EnumMember member in writer.Names)
        {
            _singles |= _areFlags && BitOperations.IsPow2(member.Bits) ? member.Bits : 0;
        }

        ILookup<string, Int128> byName = own.Names.ToLookup(member => member.Name, member => member.ValueOf(_to));
        ILookup<Int128, string> byNumber = own.Names.ToLookup(member => member.ValueOf(_to), member => member.Name);
        foreach (IGrouping<ulong, EnumMember> names in writer.Names.GroupBy(member => member.Bits))
        {
            // A name for several flags that have names is only short for them.
            if (_areFlags && !BitOperations.IsPow2(names.Key) && names.Key != 0 && (names.Key & ~_singles) == 0)
            {
                continue;
            }

            Int128 number = names.First().ValueOf(_from);
            Int128[] found = [.. names.SelectMany(name => byName[name.Name]).Distinct()];
            if (found.Length == 1 ? found[0] == number : found.Length == 0 && !byNumber.Contains(number))
            {
                continue;
            }

            _changed.Add(number, found.Length == 1 ? (found[0], null) : (0, names.First().Name));
            _whole |= names.Key & ~_singles;
        }
    }

    /// <summary>Makes the map between two enums; null where every number stays as it is.</summary>
    /// <param name="type">The program's enum.</param>
    /// <param name="writer">The shape of the writer's.</param>
    /// <param name="own">The shape of the program's.</param>
    public static EnumMap? Between(Type type, Shape writer, Shape own) =>
        Between(type.ToString(), type.IsDefined(typeof(FlagsAttribute), inherit: false), writer, own);

    /// <inheritdoc cref="Between(Type, Shape, Shape)"/>
    /// <param name="type">The name of the program's enum.</param>
    /// <param name="areFlags">True if its values are combinations of bits.</param>
    /// <param name="writer">The shape of the writer's.</param>
    /// <param name="own">The shape of the program's.</param>
    public static EnumMap? Between(string type, bool areFlags, Shape writer, Shape own) =>
        new EnumMap(type, areFlags, writer, own) is { _changed.Count: > 0 } map ? map : null;

    /// <summary>Gets the written numbers with another one here, or with a name that refuses them.</summary>
    public IReadOnlyDictionary<Int128, (Int128 Number, string? Refused)> Changes => _changed;

    /// <summary>The size of a written value, in bytes.</summary>
    public int Size => TagTypes.FixedSizeOf(_from);

    /// <summary>Finds the program's value for a written one.</summary>
    /// <param name="bits">The written value, as an unsigned number.</param>
    /// <returns>The program's, as the bits of its integer.</returns>
    /// <exception cref="WireFormatException">The value has another meaning here, or does not fit.</exception>
    public ulong Convert(ulong bits)
    {
        Int128 value = _areFlags && !_changed.ContainsKey(EnumMember.ValueOf(bits, _from)) ? ConvertFlags(bits) : Find(bits);
        var converted = (ulong)(UInt128)value & EnumMember.MaxBits(_to);
        return EnumMember.ValueOf(converted, _to) == value ? converted : Refuse(
            $"The writer's value {value} does not fit {_type}, whose values are of type {TagTypes.NameOf(_to)}.");
    }

    private Int128 ConvertFlags(ulong bits)
    {
        if ((bits & _whole) != 0)
        {
            Refuse(
                $"The writer's {bits} has some of the flags of a name that has another value in this program's {_type}. Give each flag a " +
                "name of its own.");
        }

        ulong named = bits & _singles;
        Int128 value = EnumMember.ValueOf(bits ^ named, _from);
        for (; named != 0; named &= named - 1)
        {
            Int128 flag = Find(named & (ulong)-(long)named);
            if ((value & flag) != 0)
            {
                Refuse($"The writer's {bits} has two flags that are one in this program's {_type}: {flag}.");
            }

            value |= flag;
        }

        return value;
    }

    private Int128 Find(ulong bits)
    {
        Int128 number = EnumMember.ValueOf(bits, _from);
        return !_changed.TryGetValue(number, out (Int128 Number, string? Refused) change) ? number
            : change.Refused is { } name ? RefuseName(name, number)
            : change.Number;
    }

    private uint RefuseName(string name, Int128 number)
    {
        string? here = Array.Find(_own.Names, member => member.ValueOf(_to) == number).Name;
        return Refuse(
            $"The writer's {_type} has '{name}' for {number}, "
            + (here is null || Array.Exists(_own.Names, member => member.Name == name)
                ? "which has several names there that have different numbers in this program's. Keep the numbers of such names."
                : $"and this program's has '{here}' for it, and no '{name}'. Give a renamed member its old name by [WireName], and a new " +
                    "member a number that no other had."));
    }

    private static uint Refuse(string message) => ThrowHelper.Format<uint>(WireFormatError.SchemaMismatch, message);
}
