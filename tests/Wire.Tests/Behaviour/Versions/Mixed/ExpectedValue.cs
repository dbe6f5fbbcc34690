using System.Numerics;

namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>
/// What a release has to read of another's value, by the rules of docs/versioning.md: written down once more, over declarations and
/// plain values, and without the library.
/// </summary>
internal sealed class ExpectedValue(Declarations writer, Declarations reader)
{
    /// <summary>The errors that the value may end with; none where it is read.</summary>
    public HashSet<WireFormatError> Errors { get; } = [];

    /// <summary>Returns what is read of a message.</summary>
    public object? Root(PlainObject value) => Object(value, isNamed: true);

    private object? Value(object? value, Form from, Form to)
    {
        if (to.Kind == FormKind.Maybe)
        {
            return value is null ? null : Value(value, from.Kind == FormKind.Maybe ? from.Element! : from, to.Element!);
        }

        if (from.Kind == FormKind.Maybe)
        {
            return value is null ? Fail() : Value(value, from.Element!, to);
        }

        switch (to.Kind)
        {
            case FormKind.Number:
                object? number = from.Kind == FormKind.Enum
                    ? Exactness.OfInteger((BigInteger)value!, to.Name)
                    : Exactness.Convert(value!, to.Name);
                return number ?? Fail();
            case FormKind.Enum:
                return Enum(value!, from, reader.Enums[to.Name]);
            case FormKind.Object:
                TypeKind kind = writer.Types[from.Name].Kind;
                return value is null ? null : Object((PlainObject)value, isNamed: kind is TypeKind.Class or TypeKind.Abstract);
            case FormKind.Sequence or FormKind.Set or FormKind.Map:
                return value is null ? null : Items((PlainItems)value, from, to);
            default:
                return value;
        }
    }

    private PlainItems Items(PlainItems value, Form from, Form to)
    {
        var items = new PlainItems(to.Kind, []);
        HashSet<string> taken = [];
        for (int i = 0; i < value.Values.Count; i++)
        {
            bool isKey = to.Kind == FormKind.Map && i % 2 == 0;
            object? item = isKey ? Value(value.Values[i], from.Key!, to.Key!) : Value(value.Values[i], from.Element!, to.Element!);
            items.Values.Add(item);
            if ((isKey || to.Kind == FormKind.Set) && !taken.Add(PlainValue.Text(item)))
            {
                Errors.Add(WireFormatError.InvalidValue);
            }
        }

        return items;
    }

    private object? Enum(object value, Form from, EnumDeclaration to)
    {
        if (from.Kind == FormKind.Number)
        {
            return Held(Exactness.ToInteger(value), to);
        }

        EnumDeclaration written = writer.Enums[from.Name];
        if (!written.IsFlags)
        {
            return Held(One((BigInteger)value, written, to), to);
        }

        BigInteger bits = 0;
        for (int bit = 0; bit < 64; bit++)
        {
            if (((BigInteger)value >> bit) % 2 == 1)
            {
                bits |= One(BigInteger.One << bit, written, to);
            }
        }

        return Held(bits, to);
    }

    private BigInteger One(BigInteger value, EnumDeclaration from, EnumDeclaration to)
    {
        EnumMember? name = from.Members.FirstOrDefault(member => member.Value == value);
        if (name is not null && to.Members.FirstOrDefault(member => member.WireName == name.WireName) is { } found)
        {
            return found.Value;
        }

        if (to.Members.Any(member => member.Value == value))
        {
            Fail();
        }

        return value;
    }

    private object? Held(BigInteger number, EnumDeclaration to) =>
        Exactness.OfInteger(number, Form.Numbers.First(pair => pair.Value == to.Underlying).Key) is null ? Fail() : number;

    private PlainObject? Object(PlainObject value, bool isNamed)
    {
        // What is renamed is known by its old name, through a redirect, and not by a new one.
        if (!reader.Types.TryGetValue(value.Id, out TypeDeclaration? type)
            || (isNamed && writer.Types[value.Id].Name != type.Name && writer.Release > reader.Release))
        {
            Errors.UnionWith([WireFormatError.TypeRefused, WireFormatError.TypeNotFound]);
            return null;
        }

        var read = new PlainObject(value.Id, []);
        List<(TypeDeclaration Class, MemberDeclaration Member)> written = [.. writer.AllMembers(value.Id)];
        List<(TypeDeclaration Class, MemberDeclaration Member)> own = [.. reader.AllMembers(value.Id)];
        bool isAny = false;
        foreach ((TypeDeclaration owner, MemberDeclaration member) in own)
        {
            var alike = written.FindAll(other => other.Member.WireName == member.WireName);
            int found = alike.Count == 1 && own.Count(other => other.Member.WireName == member.WireName) == 1
                ? 0
                : alike.FindIndex(other => other.Class.Id == owner.Id);
            if (alike.Count == 1 && own.Count(other => other.Member.WireName == member.WireName) > 1)
            {
                // A bare name may be that of either.
                Fail();
            }
            else if (alike.Count > 1 && found < 0)
            {
                Fail();
            }

            isAny |= found >= 0;
            read.Members[(owner.Id, member.Name)] = found < 0
                ? Default(member.Form)
                : Value(value.Members[(alike[found].Class.Id, alike[found].Member.Name)], alike[found].Member.Form, member.Form);
        }

        if (!isAny && own.Count > 0 && written.Count > 0)
        {
            Fail();
        }

        return read;
    }

    private object? Default(Form form) => form.Kind switch
    {
        FormKind.Number => Exactness.OfInteger(0, form.Name),
        FormKind.Enum => BigInteger.Zero,
        FormKind.Object when reader.Types[form.Name].Kind == TypeKind.Struct => new PlainObject(
            form.Name,
            reader.AllMembers(form.Name).ToDictionary(each => (each.Class.Id, each.Member.Name), each => Default(each.Member.Form))),
        _ => null,
    };

    private object? Fail()
    {
        Errors.Add(WireFormatError.SchemaMismatch);
        return null;
    }
}
