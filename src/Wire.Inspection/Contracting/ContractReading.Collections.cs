using Wire.Format;

namespace Wire.Contracting;

/// <content>Collections that are read as others.</content>
internal sealed partial class ContractReading
{
    // The values that take any number of elements, and the interfaces that a map fits as its pairs.
    private static readonly string[] OfAnyCount =
    [
        "System.Memory<", "System.ReadOnlyMemory<", "System.Buffers.ReadOnlySequence<", "System.ArraySegment<",
        "System.Collections.Immutable.ImmutableArray<",
    ];

    private static readonly string[] OfPairs = ["IEnumerable<", "ICollection<", "IReadOnlyCollection<"];

    private static Items? ItemsOf(ContractTypes types, ContractVariable declared)
    {
        ContractVariable variable = Alike(types, declared);
        if (types.Find(variable.Type) is { Kind: not (ContractKind.Collection or ContractKind.Value or ContractKind.Abstract) }
            || types.LayoutOf(variable.Type) is not var (layout, parts))
        {
            return null;
        }

        Shape form = layout.Code == ShapeCode.Nullable ? layout.Element! : layout;
        bool isMap = form.Code == ShapeCode.Map;
        if ((!isMap && form.Code is not (ShapeCode.Sequence or ShapeCode.Set or ShapeCode.Array))
            || form.Element!.Code != ShapeCode.Recursion || (isMap && form.Value!.Code != ShapeCode.Recursion))
        {
            return null;
        }

        return new Items(declared.Type, variable.Type, form.Code, parts[form.Element.Size], isMap ? parts[form.Value!.Size] : null)
        {
            IsReference = types.IsTagged(declared.Type),
            HasNull = types.IsTagged(declared.Type) || variable.MayBeNull,
            IsInSchema = IsInSchema(types, variable.Type),
        };
    }

    private Finding Collections(Items written, Items own)
    {
        if (written.Form == ShapeCode.Map && PairsOf(written, own) is { } pairs)
        {
            own = pairs;
        }

        bool areMaps = written.Form == ShapeCode.Map, areRanked = written.Form == ShapeCode.Array;
        if (areMaps != (own.Form == ShapeCode.Map) || areRanked != (own.Form == ShapeCode.Array))
        {
            // Null is read where no layout is to be converted.
            string reason = $"{written.Declared} is not read as {own.Declared}: their elements lie differently.";
            return own.HasNull && !(areRanked ? own : written).IsInSchema ? Finding.RefusesSome(reason) : Finding.Refuses(reason);
        }

        bool areUnnamed = _areUnnamed;
        _areUnnamed |= writer.Find(written.Type) is { Kind: ContractKind.Abstract };
        Finding elements = Variables(written.Element, own.Element);
        Finding second = areMaps ? Variables(written.Value!, own.Value!) : Finding.Reads;
        _areUnnamed = areUnnamed;
        if (own.Form is ShapeCode.Set or ShapeCode.Map
            && (elements.Verdict == ContractVerdict.Loses || MayMeet(written.Element, own.Element, 0)))
        {
            elements = Finding.RefusesSome($"two that differ may become one {own.Element.Type}, which {own.Declared} takes only once.");
        }

        elements = elements.Or(second);
        Finding finding = elements.Verdict == ContractVerdict.Reads
            ? elements
            : elements with { Reason = $"elements of {written.Declared}: {elements.Reason}" };

        if (AreMoved(written.Element, own.Element, 0) || (areMaps && AreMoved(written.Value!, own.Value!, 0)))
        {
            finding = finding.Or(Finding.RefusesSome(
                $"elements of tuples have changed places, and a payload with references may share the {written.Declared}."));
        }

        // The elements of others are met only where there is such an object.
        return (written.IsInSchema ? finding : finding.Sometimes()).Or(Forms(written, own));
    }

    // What one collection may be or have, and another may not.
    private static Finding Forms(Items written, Items own)
    {
        bool haveComparers = written.Form is ShapeCode.Set or ShapeCode.Map && own.Form is ShapeCode.Set or ShapeCode.Map;
        return written.HasNull && !own.HasNull
                ? Finding.RefusesSome($"null is not read as {own.Declared}, which has no value for it.")
            : written.Form == ShapeCode.Array && RankOf(written.Type) != RankOf(own.Type)
                ? Finding.RefusesSome($"an array of the rank of {written.Type} is not read as {own.Type}.")
            : written.Form != ShapeCode.Set && own.Form == ShapeCode.Set
                ? Finding.RefusesSome($"{own.Declared} takes an element only once.")
            : haveComparers && !ContractComparers.AreTaken(written.Type, own.Type)
                ? Finding.RefusesSome($"{own.Declared} does not take every comparer that {written.Declared} may have.")
            : written.Declared != own.Declared && !TakesAnyCount(own)
                ? Finding.RefusesSome($"{own.Declared} takes as many elements as it has.")
            : HoldsMaps(written) && !HoldsMaps(own)
                ? Finding.RefusesSome($"a map in a variable of {written.Declared} is not read as {own.Declared}.")
            : Finding.Reads;
    }

    private static int RankOf(string array) => array.Length - array.LastIndexOf('[') - 1;

    // All but vectors and inline arrays.
    private static bool TakesAnyCount(Items own) => own.IsReference || IsOneOf(OfAnyCount, own.Declared);

    // A map is a sequence of its pairs, and lies in another way.
    private static bool HoldsMaps(Items items) =>
        items.Element.Type.StartsWith("KeyValuePair<", StringComparison.Ordinal) && IsOneOf(OfPairs, items.Declared);

    // The keys and values that an interface of pairs takes of a map; null where it takes none.
    private Items? PairsOf(Items written, Items own) =>
        HoldsMaps(own) && written.Declared == written.Type && reader.Find(own.Element.Type) is { Members: [var key, var value] }
            ? own with { Form = ShapeCode.Map, Element = key.Variable, Value = value.Variable }
            : null;

    private static bool IsOneOf(string[] definitions, string type) =>
        Array.Exists(definitions, definition => type.StartsWith(definition, StringComparison.Ordinal));

    // Returns whether the elements of a tuple have other places here.
    private bool AreMoved(ContractVariable written, ContractVariable own, int depth) => depth < 8
        && writer.Find(written.Type) is { IsTuple: true } from && reader.Find(own.Type) is { IsTuple: true } to
        && from.Members.Select((member, i) => (member, i)).Any(
            one => to.Members.Select((member, i) => (member, i)).Any(
                other => one.member.Name == other.member.Name
                    && (one.i != other.i || AreMoved(one.member.Variable, other.member.Variable, depth + 1))));

    // Returns whether a name of an enum may become the number of another value, in a value or in its members.
    private bool MayMeet(ContractVariable written, ContractVariable own, int depth) => depth < 8
        && writer.Find(written.Type) is { } from && reader.Find(own.Type) is { } to
        && (from.Kind == ContractKind.Enum && to.Kind == ContractKind.Enum
            ? from.Constants.Any(one => to.Constants.Any(other => other.Name == one.Name && other.Value != one.Value))
            : from.Kind == ContractKind.Struct && to.Kind == ContractKind.Struct
                && ContractPairs.Match(from.Members, to.Members, to).Both.Any(
                    pair => MayMeet(pair.Written.Variable, pair.Own.Variable, depth + 1)));

    /// <summary>The elements of a collection.</summary>
    /// <param name="Declared">The type of the variable.</param>
    /// <param name="Type">The type that lies there: that of the elements inside a wrapper.</param>
    /// <param name="Form">The code of its shape.</param>
    /// <param name="Element">The variable of its elements or keys.</param>
    /// <param name="Value">That of a map's values.</param>
    private sealed record Items(string Declared, string Type, byte Form, ContractVariable Element, ContractVariable? Value)
    {
        /// <summary>Gets whether the variable may hold null, or a value that has no elements.</summary>
        public bool HasNull { get; init; }

        /// <summary>Gets whether the schema of what declares it has the layout of its elements.</summary>
        public bool IsInSchema { get; init; }

        /// <summary>Gets whether the variable holds objects.</summary>
        public bool IsReference { get; init; }
    }
}
