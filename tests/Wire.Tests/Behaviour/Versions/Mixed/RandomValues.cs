using System.Numerics;

namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>Values that a release may write. Most numbers are small, so that most fit another type.</summary>
internal sealed class RandomValues(Declarations declarations, Random random)
{
    private static readonly string[] Words = ["", "pencil", "Ärger", "紙", "a longer text of some words", "x"];

    /// <summary>Makes an object of exactly a type.</summary>
    public PlainObject Object(string id, int depth = 0) => new(id, declarations.AllMembers(id).ToDictionary(
        each => (each.Class.Id, each.Member.Name), each => Value(each.Member.Form, depth + 1)));

    private object? Value(Form form, int depth)
    {
        switch (form.Kind)
        {
            case FormKind.Number:
                return Number(form.Name);
            case FormKind.Text:
                return random.Next(8) == 0 ? null : Words[random.Next(Words.Length)];
            case FormKind.Enum:
                return Enum(declarations.Enums[form.Name]);
            case FormKind.Maybe:
                return random.Next(8) == 0 ? null : Value(form.Element!, depth);
            case FormKind.Object when declarations.Types[form.Name].Kind == TypeKind.Struct:
                return Object(form.Name, depth);
            case FormKind.Object:
                TypeDeclaration[] fitting = declarations.Fitting(form.Name);
                return depth > 4 || random.Next(8) == 0 ? null : Object(fitting[random.Next(fitting.Length)].Id, depth);
            default:
                return form.Name != "ImmutableArray" && random.Next(12) == 0 ? null : Items(form, depth);
        }
    }

    private PlainItems Items(Form form, int depth)
    {
        var items = new PlainItems(form.Kind, []);
        HashSet<string> taken = [];
        for (int left = random.Next(depth > 3 ? 2 : 5); left > 0; left--)
        {
            object? first = Value(form.Key ?? form.Element!, depth + 1);
            if (form.Kind != FormKind.Sequence && (first is null || !taken.Add(PlainValue.Text(first))))
            {
                continue;
            }

            items.Values.Add(first);
            if (form.Kind == FormKind.Map)
            {
                items.Values.Add(Value(form.Element!, depth + 1));
            }
        }

        return items;
    }

    // One value in forty has a number without a name, where the integer has room for it.
    private BigInteger Enum(EnumDeclaration declared)
    {
        if (declared.IsFlags)
        {
            BigInteger bits = random.Next(40) == 0 ? 64 : 0;
            return declared.Members.Where(_ => random.Next(2) == 0).Aggregate(bits, (all, member) => all | member.Value);
        }

        return random.Next(40) == 0 ? 77 : declared.Members[random.Next(declared.Members.Length)].Value;
    }

    private object Number(string name)
    {
        int small = random.Next(100);
        bool isLarge = random.Next(60) == 0;
        return name switch
        {
            "sbyte" => (sbyte)(isLarge ? -small : small),
            "byte" => (byte)(isLarge ? 200 : small),
            "short" => (short)(isLarge ? 20_000 : small),
            "ushort" => (ushort)(isLarge ? 50_000 : small),
            "int" => isLarge ? int.MinValue + small : small,
            "uint" => isLarge ? uint.MaxValue : (uint)small,
            "long" => isLarge ? long.MaxValue - small : small,
            "ulong" => isLarge ? ulong.MaxValue : (ulong)small,
            "Int128" => isLarge ? Int128.MaxValue : small,
            "float" => isLarge ? 0.1f : small,
            "double" => isLarge ? 0.1 * small : small,
            _ => isLarge ? 0.5m + small : (object)(decimal)small,
        };
    }
}
