using Wire.Format;
using Wire.ValueSerializers.Conversion;

namespace Wire.Contracting;

internal sealed partial class ContractReading
{
    private static readonly string AnyObject = ContractWords.NameOf(Tag.Object);

    /// <summary>Judges the values of a variable that are read into another one.</summary>
    private Finding Variables(ContractVariable written, ContractVariable own)
    {
        if (ItemsOf(writer, written) is { } items && ItemsOf(reader, own) is { } others)
        {
            return Collections(items, others);
        }

        bool fromTagged = writer.IsTagged(written.Type), toTagged = reader.IsTagged(own.Type);
        if (fromTagged && toTagged)
        {
            return Objects(written.Type, own.Type);
        }

        if (fromTagged != toTagged)
        {
            return fromTagged && ItemsOf(reader, own) is not null && !IsInSchema(writer, written.Type)
                ? Finding.RefusesSome(
                    $"what is in a variable of {written.Type} is read as {own.Type} only where it is null or a collection.")
                : Finding.Refuses(fromTagged
                    ? $"an object in a variable of {written.Type} is not read as a value of {own.Type}."
                    : $"a value of {written.Type} is not read as an object of {own.Type}.");
        }

        ContractVariable source = Alike(writer, written), target = Alike(reader, own);
        bool fromNull = source.MayBeNull && IsNullableValue(source), toNull = target.MayBeNull && IsNullableValue(target);
        Finding values = Values(source with { MayBeNull = false }, target with { MayBeNull = false });
        return fromNull && !toNull && values.Verdict != ContractVerdict.Refuses
            ? values.Or(Finding.RefusesSome($"null is not read as {target.Type}."))
            : values;
    }

    // The state of a base class is filled in place, so it has to lie as that class has it.
    private Finding Bases(ContractMember written, ContractMember own) =>
        written.IsBase && own.IsBase
            && writer.LayoutOf(written.Variable.Type)?.Layout.Code == reader.LayoutOf(own.Variable.Type)?.Layout.Code
            ? ItemsOf(writer, written.Variable) is { } items && ItemsOf(reader, own.Variable) is { } others
                ? Collections(items, others)
                : Finding.Reads
            : Finding.Refuses($"the state of {written.Variable} is not read as that of {own.Variable}.");

    private static bool IsNullableValue(ContractVariable variable) => variable.Type != ContractWords.NameOf(Tag.String);

    // What is written as a value of another type is read by its rules.
    private static ContractVariable Alike(ContractTypes types, ContractVariable variable)
    {
        for (int i = 0; i < 16; i++)
        {
            if (types.Find(variable.Type) is not { Kind: ContractKind.Value or ContractKind.Collection } known
                || known.Layout!.Code != ShapeCode.Recursion)
            {
                break;
            }

            ContractVariable inner = known.Parts[known.Layout.Size];
            variable = inner with { MayBeNull = inner.MayBeNull || variable.MayBeNull };
        }

        return variable;
    }

    private Finding Values(ContractVariable written, ContractVariable own)
    {
        ContractType? from = writer.Find(written.Type), to = reader.Find(own.Type);
        byte? number = NumberOf(from, written), target = NumberOf(to, own);
        if (from is { Kind: ContractKind.Enum } && to is { Kind: ContractKind.Enum })
        {
            return Inner(written, own, JudgeTypes(from, to));
        }

        if (number is { } source && target is { } wanted)
        {
            bool isFloat = to is { Kind: ContractKind.Enum } && !NumberConversion.IsInteger(source);
            return isFloat
                ? Finding.Refuses($"{written.Type} is not read as {own.Type}.")
                : ContractNumbers.Judge(source, wanted, written.Type, own.Type);
        }

        if (from is not null && to is not null)
        {
            return from.Kind == ContractKind.Struct && to.Kind == ContractKind.Struct && AreAllSkipped(from, to)
                ? Finding.Refuses($"{written.Type} is not read as {own.Type}, which has no members.")
                : from.Kind == to.Kind || (from.Kind, to.Kind) is (ContractKind.Struct, ContractKind.Value)
                    or (ContractKind.Value, ContractKind.Struct)
                ? Inner(written, own, from.Kind == to.Kind && from.Kind != ContractKind.Value ? JudgeTypes(from, to) : Layouts(from, to))
                : Finding.Refuses($"{written.Type} is not read as {own.Type}: their values lie differently.");
        }

        return Finding.Refuses($"{written.Type} is not read as {own.Type}.");
    }

    // What is known by its members alone is of another type then.
    private static bool AreAllSkipped(ContractType written, ContractType own) => written.Members.Count > 0 && own.Members.Count == 0;

    // The parts of a value are judged once, and named here again only where the value itself is refused.
    private static Finding Inner(ContractVariable written, ContractVariable own, Finding inner) => inner.Verdict switch
    {
        ContractVerdict.Refuses => Elsewhere(inner, $"{written.Type} is not read as {own.Type}"),
        ContractVerdict.RefusesSome => Elsewhere(inner, $"some values of {written.Type} are not read as {own.Type}"),
        ContractVerdict.Loses => Elsewhere(inner, $"values of {written.Type} lose parts"),
        _ => inner,
    };

    private static Finding Elsewhere(Finding inner, string reason) =>
        inner with { Reason = $"{reason}: {inner.Reason}", IsElsewhere = true };

    private static byte? NumberOf(ContractType? type, ContractVariable variable) =>
        type is { Kind: ContractKind.Enum } ? ContractWords.TagOf(type.Underlying!)
        : type is null ? ContractWords.TagOf(variable.Type)
        : null;

    private Finding Layouts(ContractType written, ContractType own)
    {
        Shape from = new ContractShapes(writer).Build(written), to = new ContractShapes(reader).Build(own);
        if (written.Layout is { Code: ShapeCode.Recursion } && own.Layout is { Code: ShapeCode.Recursion })
        {
            return Inner(
                new ContractVariable(written.Key, false),
                new ContractVariable(own.Key, false),
                Variables(written.Parts[written.Layout.Size], own.Parts[own.Layout.Size]));
        }

        // A singleton passes over the members that it had before.
        return from.Equals(to) || (to.Equals(Shape.Empty) && from.Code == ShapeCode.Members && own.Kind == ContractKind.Custom)
            ? Finding.Reads
            : Finding.Refuses($"{written.Key} is written as {from}, and {own.Key} is read as {to}.");
    }

    // Returns whether the schema of what declares a variable has the layout of its values.
    private static bool IsInSchema(ContractTypes types, string type) => types.Find(type) is { } known
        ? known.Kind is ContractKind.Collection or ContractKind.Value
        : !ContractShapes.TagsAlone(types, type);

    // Judges the objects that a variable of a reference type may hold, as far as the contract knows them.
    private Finding Objects(string written, string own)
    {
        if (own == AnyObject)
        {
            return writer.Find(written) is { Kind: ContractKind.Collection }
                || (writer.ElementOf(written) is not null && IsInSchema(writer, written))
                    ? Finding.RefusesSome($"a {written} that is written as declared is not read as an object.")
                : writer.Find(written) is { Kind: ContractKind.Abstract, Layout: not null } collection
                    && collection.Parts.Any(part => writer.Find(part.Type) is not null)
                    ? Finding.RefusesSome($"a collection in a variable of {written} is named, and its elements' type may not be allowed.")
                    : Sealed(written, own);
        }

        ContractType? declared = writer.Find(written), wanted = reader.Find(own);
        if (declared is { Kind: ContractKind.Collection } && wanted is { Kind: ContractKind.Collection })
        {
            return Inner(new ContractVariable(written, false), new ContractVariable(own, false), Layouts(declared, wanted));
        }

        if (declared is null || declared.Kind == ContractKind.Collection)
        {
            // A built-in class, an array or a collection; or a variable of objects of any type.
            return written == own ? Finding.Reads
                : Finding.RefusesSome($"an object in a variable of {written} may not fit {own}.");
        }

        if (wanted is null or { Kind: ContractKind.Collection })
        {
            return Finding.RefusesSome($"an object in a variable of {written} does not fit {own}.");
        }

        bool isKnown = written == own;
        Finding worst = Sealed(written, own);
        foreach (ContractType one in writer.All.Where(one => one.Kind != ContractKind.Abstract
            && (one.Key == written || one.Bases.Contains(written))))
        {
            isKnown = true;
            if (one.Key == written && one.IsClosed && wanted.IsClosed && worst.Verdict == ContractVerdict.Reads)
            {
                // The payload need not name it.
                worst = worst.Or(JudgeTypes(one, wanted).Sometimes());
                if (AreAllSkipped(one, wanted))
                {
                    worst = worst.Or(Finding.RefusesSome($"a {one.Key} without its name is not read as a {own}, which has no members."));
                }

                if (!IsNamed(one))
                {
                    continue;
                }
            }

            ContractType? other = _names.Find(one);
            if (other is null || (other.Key != own && !other.Bases.Contains(own)))
            {
                worst = worst.Or(other is null && !_names.IsOfDotNet(one)
                    ? Finding.RefusesSome($"a {one.Key} is not read: there is no type of its name.") with { IsElsewhere = true }
                    : Finding.RefusesSome($"a {one.Key} is not a {own}."));
            }
        }

        // Nothing is known of objects that no type of the contract is for, as those of a collection in an interface.
        return !isKnown || (declared.Layout is not null && declared.Kind == ContractKind.Abstract)
                ? worst.Or(Finding.RefusesSome($"an object in a variable of {written} may not fit {own}."))
            : worst.Verdict == ContractVerdict.Loses ? Finding.Reads
            : worst;
    }

    // An object of a sealed class in a variable of that class has no name.
    private Finding Sealed(string written, string own) =>
        writer.Find(written) is { IsClosed: true, HasOwnManifest: true } type
            && reader.Find(own) is not { IsClosed: true, HasOwnManifest: true }
            ? Finding.RefusesSome($"a {type.Key} without its name is not read in a variable of {own}, which may hold other types.")
            : Finding.Reads;
}
