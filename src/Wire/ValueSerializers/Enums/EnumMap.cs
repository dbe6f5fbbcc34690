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

    // What differs: the program's number, or the writer's name for one that is refused; an empty one where the writer has none.
    private readonly Dictionary<Int128, (Int128 Number, string? Refused)> _changed = [];

    // Of flags: the single bits that have names, and the bits of changed names that are not made of those.
    private readonly bool _areFlags;
    private ulong _singles;
    private ulong _whole;

    private EnumMap(string type, bool areFlags, Shape writer, Shape own)
    {
        (_type, _areFlags, _own, _from, _to) = (type, areFlags, own, writer.Element!.Code, own.Element!.Code);
        ILookup<string, Int128> byName = own.Names.ToLookup(member => member.Name, member => member.ValueOf(_to));
        ILookup<Int128, string> byNumber = own.Names.ToLookup(member => member.ValueOf(_to), member => member.Name);
        ILookup<ulong, EnumMember> written = writer.Names.ToLookup(member => member.Bits);
        foreach (IGrouping<ulong, EnumMember> names in written)
        {
            if (!areFlags || names.Key == 0 || BitOperations.IsPow2(names.Key))
            {
                Note(names, Find(names, byName, byNumber));
                _singles |= areFlags ? names.Key : 0;
            }
        }

        AddUnnamed(writer, written);
        foreach (IGrouping<ulong, EnumMember> names in written)
        {
            if (areFlags && names.Key != 0 && !BitOperations.IsPow2(names.Key))
            {
                AddComposite(names, byName, byNumber);
            }
        }
    }

    // The program's number for a name, or for one of several that the writer has for a number; null where they do not agree.
    private Int128? Find(IGrouping<ulong, EnumMember> names, ILookup<string, Int128> byName, ILookup<Int128, string> byNumber)
    {
        Int128 number = names.First().ValueOf(_from);
        Int128[] found = [.. names.SelectMany(name => byName[name.Name]).Distinct()];
        return found.Length == 1 ? found[0] : found.Length == 0 && !byNumber.Contains(number) ? number : null;
    }

    private void Note(IGrouping<ulong, EnumMember> names, Int128? here, bool isChanged = false)
    {
        Int128 number = names.First().ValueOf(_from);
        if (isChanged || here != number)
        {
            _changed.Add(number, here is { } found ? (found, null) : (0, names.First().Name));
        }
    }

    // A number for which the writer has no name is not that of a name which the writer has for another number.
    private void AddUnnamed(Shape writer, ILookup<ulong, EnumMember> written)
    {
        var names = writer.Names.Select(member => member.Name).ToHashSet(StringComparer.Ordinal);
        foreach (EnumMember member in _own.Names)
        {
            Int128 number = member.ValueOf(_to);
            var bits = (ulong)(UInt128)number & EnumMember.MaxBits(_from);
            if (names.Contains(member.Name) && EnumMember.ValueOf(bits, _from) == number && !written.Contains(bits)
                && _changed.TryAdd(number, (0, "")))
            {
                _singles |= _areFlags && BitOperations.IsPow2(bits) ? bits : 0;
            }
        }
    }

    // A name for several flags that have names is short for them, and another one is a value of its own.
    private void AddComposite(IGrouping<ulong, EnumMember> names, ILookup<string, Int128> byName, ILookup<Int128, string> byNumber)
    {
        Int128 parts = 0;
        bool areChanged = false;
        for (ulong left = names.Key & _singles; left != 0; left &= left - 1)
        {
            Int128 part = EnumMember.ValueOf(left & (ulong)-(long)left, _from);
            bool isChanged = _changed.TryGetValue(part, out (Int128 Number, string? Refused) change);
            areChanged |= isChanged;
            parts |= isChanged ? change.Number : part;
        }

        ulong rest = names.Key & ~_singles;
        Int128? here = Find(names, byName, byNumber);
        if (rest != 0 && (areChanged || here != names.First().ValueOf(_from)))
        {
            Note(names, here, isChanged: true);
            _whole |= rest;
        }
        else if (rest == 0 && names.SelectMany(name => byName[name.Name]).Any(number => (number & parts) != parts))
        {
            Note(names, null);
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
            name.Length == 0
                ? $"The writer's {_type} has no name for {number}, and this program's has '{here}' for it, which the writer has for " +
                    "another number. Let the writer write values that have names, or keep the numbers of names."
                : Array.Exists(_own.Names, member => member.Name == name)
                ? $"The writer's {_type} has '{name}' for {number}. It has several names for that, or for flags in it, whose numbers do " +
                    "not go together in this program's. Keep the numbers of such names."
                : $"The writer's {_type} has '{name}' for {number}, and this program's has '{here}' for it, and no '{name}'. Give a " +
                    "renamed member its old name by [WireName], and a new member a number that no other had.");
    }

    private static uint Refuse(string message) => ThrowHelper.Format<uint>(WireFormatError.SchemaMismatch, message);
}
