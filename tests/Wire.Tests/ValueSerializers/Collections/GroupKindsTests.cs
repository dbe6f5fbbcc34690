using System.Linq;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

[TypeNotes("comparer kept", Options = "TypeFilter")]
public sealed class LookupTests : ValueTests<ILookup<string?, int>?>
{
    protected override IEnumerable<ILookup<string?, int>?> Samples =>
        [null, .. Texts.Equality.Select(comparer =>
            new[] { "a", "bb", null, "a", "ccc" }.Select((key, i) => (key, i)).ToLookup(pair => pair.key, pair => pair.i, comparer))];
}

public sealed class LookupOfReferencesTests : ValueTests<ILookup<int, object?>>
{
    protected override IEnumerable<ILookup<int, object?>> Samples =>
    [
        new object?[] { 1, "x", null }.ToLookup(item => item is null ? 0 : 1),
        new object?[] { 1, "x" }.ToLookup(item => item!.GetHashCode(), new Modulo()),
    ];
}

public sealed class GroupingTests : ValueTests<IGrouping<string?, int>?>
{
    protected override IEnumerable<IGrouping<string?, int>?> Samples => [null, Group(null, 1), Group("key", 1, 2, 3)];

    private static IGrouping<string?, int> Group(string? key, params int[] elements) => elements.GroupBy(_ => key).Single();
}

public sealed class GroupingOfReferencesTests : ValueTests<IGrouping<int, object?>>
{
    protected override IEnumerable<IGrouping<int, object?>> Samples => [new object?[] { 1, null, "x" }.GroupBy(_ => 1).Single()];
}
