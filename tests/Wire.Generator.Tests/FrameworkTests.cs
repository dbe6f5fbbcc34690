using System.Runtime.CompilerServices;
using Wire.Generator.Tests.Testing;
using Wire.Tests.Testing;

namespace Wire.Generator.Tests;

/// <summary>What the generator knows of types of .NET is what Wire knows.</summary>
public sealed class FrameworkTests
{
    private static readonly string[] Libraries =
        ["Components", "Data", "Dynamic", "Json", "Net", "Regex", "Scalars", "Untyped", "Xml"];

    // These are rows of structs and classes, or hold no values of their own.
    private static readonly string[] WithoutName = ["Nullable`1", "KeyValuePair`2", "EqualityComparer`1", "Comparer`1"];

    [Fact]
    public void Types_with_a_tag_need_no_row() => Assert.Empty(RowsOf(BuiltIns.Types));

    [Fact]
    public void Values_with_a_tag_have_what_native_code_lacks_where_they_may_be_null_and_in_arrays_and_lists() => Assert.All(
        BuiltIns.Types.Where(type => type.IsValueType),
        type =>
        {
            Type[] around = [typeof(Nullable<>).MakeGenericType(type), type.MakeArrayType(), typeof(List<>).MakeGenericType(type)];
            Type[] common = [.. around.Select(each => BuiltIns.SerializerOf(each, SerializerOptions.Default).GetType())];
            string[] rows = RowsOf(around);

            Assert.Equal(common.Except(BuiltIns.SeenInAnyCase()).Any() ? 1 : 0, rows.Length);
        });

    [Fact]
    public void Each_type_of_a_library_leads_to_its_row_and_no_other_does()
    {
        Assert.All(Libraries, row => Assert.Contains($"{row}()", RowsOf(Named(row))));
        Assert.All(Libraries, row => Assert.All(Named(row), type => Assert.Contains($"{row}()", RowsOf([type]))));
        Assert.Empty(RowsOf(Named(null)).Intersect(Libraries.Select(row => $"{row}()")));
    }

    [Fact]
    public void Each_generic_type_has_the_row_of_its_name()
    {
        Type[] generic =
        [
            .. BuiltIns.Families.Where(type => type.IsGenericTypeDefinition && type is { IsNested: false, IsVisible: true }
                && !typeof(ITuple).IsAssignableFrom(type) && !WithoutName.Contains(type.Name)),
        ];
        Assert.InRange(generic.Length, 40, 100);
        Type[] closed =
        [
            .. generic.Select(type => type.MakeGenericType(
                [.. type.GetGenericArguments().Select(_ => type == typeof(WeakReference<>) ? typeof(string) : typeof(sbyte))])),
        ];
        string[] rows = RowsOf(closed);

        Assert.All(closed.Where(type => type != typeof(List<sbyte>)), type => Assert.Contains(
            rows, row => row.StartsWith($"{type.Name[(type.IsInterface ? 1 : 0)..].Split('`')[0]}<", StringComparison.Ordinal)));
    }

    private static Type[] Named(string? row) =>
    [
        .. BuiltIns.FamiliesOf(row).Select(name => BuiltIns.Families.FirstOrDefault(type => type.FullName == name))
            .Where(type => type is { IsGenericTypeDefinition: false, IsVisible: true }).Select(type => type!),
    ];

    private static string[] RowsOf(Type[] types) => Compiled.Of($$"""
        using Wire;

        {{string.Concat(types.Select(type => $"[WireType(typeof({NameOf(type)}))]\n"))}}
        [WireContext]
        internal sealed partial class Messages : WireTypes;
        """).Rows;

    private static string NameOf(Type type) => type.IsArray ? $"{NameOf(type.GetElementType()!)}[]"
        : type.IsGenericType
            ? $"global::{type.FullName!.Split('`')[0]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>"
        : $"global::{type.FullName!.Replace('+', '.')}";
}
