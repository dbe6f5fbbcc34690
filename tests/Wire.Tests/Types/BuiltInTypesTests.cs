using Wire.Tests.Golden;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>Every built-in type and family has its tests and its golden vector.</summary>
public sealed class BuiltInTypesTests
{
    private static readonly HashSet<Type> Tested = [.. TestedTypes()];

    public static TheoryData<Type> All() => [.. BuiltIns.Types, .. BuiltIns.Families];

    [Fact]
    public void The_table_is_found() => Assert.True(BuiltIns.Types.Length >= 32 && BuiltIns.Families.Length >= 22);

    [Fact]
    public void The_format_has_the_sizes_that_are_written() => Assert.All(BuiltIns.Types, type =>
    {
        (int format, int written) = BuiltIns.SizesOf(type);
        Assert.Equal(written, format);
    });

    [Theory]
    [MemberData(nameof(All))]
    public void Has_a_test_class(Type type) =>
        Assert.True(Tested.Contains(type), $"{type} has no test class: derive one from {nameof(ValueTests<>)}.");

    [Theory]
    [MemberData(nameof(All))]
    public void Has_a_golden_vector(Type type) =>
        Assert.Contains(
            GoldenSamples.All, sample => BuiltIns.Definitions(sample.Value is Type ? typeof(Type) : sample.Type).Contains(type));

    // A test class of arrays, lists or nullables of a type is none of the type itself.
    private static IEnumerable<Type> TestedTypes() =>
        from candidate in typeof(BuiltInTypesTests).Assembly.GetTypes()
        where !candidate.IsAbstract
            && candidate.BaseType is { IsGenericType: true } parent
            && parent.GetGenericTypeDefinition() == typeof(ValueTests<>)
        from definition in BuiltIns.Definitions(candidate.BaseType!.GetGenericArguments()[0])
        select definition;
}
