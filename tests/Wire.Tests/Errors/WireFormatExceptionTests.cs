using Wire.Tests.Testing;
using Wire.Tests.ValueSerializers;

namespace Wire.Tests.Errors;

/// <summary>An error in the bytes says what is wrong, where, and in which member.</summary>
public sealed class WireFormatExceptionTests
{
    public static TheoryData<bool> DynamicCode() => [true, false];

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void The_path_leads_to_the_member_that_is_cut(bool dynamicCode)
    {
        byte[] bytes = For(dynamicCode).Serialize(new Holder<List<Person>> { Last = [new("a", null), new("b", null)] });
        WireFormatException e =
            Assert.Throws<WireFormatException>(() => For(dynamicCode).Deserialize<Holder<List<Person>>>(bytes.AsSpan(0, bytes.Length - 1)));
        Assert.Equal(WireFormatError.Truncated, e.Error);
        Assert.Equal("Last[1].Name", e.MemberPath);
        Assert.Contains("Last[1].Name", e.Message, StringComparison.Ordinal);
        Assert.InRange(e.Offset, bytes.Length - 2, bytes.Length);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void An_error_before_the_first_member_of_a_value_is_the_value_s(bool dynamicCode)
    {
        byte[] bytes = For(dynamicCode).Serialize(new Holder<HashSet<byte>> { Last = [1] });
        bytes[^3] = 0xFF;
        WireFormatException e = Assert.Throws<WireFormatException>(() => For(dynamicCode).Deserialize<Holder<HashSet<byte>>>(bytes));
        Assert.Equal(WireFormatError.InvalidValue, e.Error);
        Assert.Equal("Last", e.MemberPath);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void At_the_root_there_is_no_path(bool dynamicCode)
    {
        WireFormatException e = Assert.Throws<WireFormatException>(() => For(dynamicCode).Deserialize<object>(Array.Empty<byte>()));
        Assert.Equal((WireFormatError.Truncated, "", 0L), (e.Error, e.MemberPath, e.Offset));
        e = Assert.Throws<WireFormatException>(() => For(dynamicCode).Deserialize<object>([0x00]));
        Assert.Equal((WireFormatError.Header, ""), (e.Error, e.MemberPath));
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_value_of_another_type_is_a_mismatch(bool dynamicCode)
    {
        byte[] bytes = For(dynamicCode).Serialize("text");
        Assert.Equal(
            WireFormatError.TypeMismatch, Assert.Throws<WireFormatException>(() => For(dynamicCode).Deserialize<Person>(bytes)).Error);
        Assert.Equal(
            WireFormatError.TypeMismatch, Assert.Throws<WireFormatException>(() => For(dynamicCode).Deserialize<int>(bytes)).Error);
        Assert.Equal(
            WireFormatError.TypeMismatch,
            Assert.Throws<WireFormatException>(() => For(dynamicCode).Deserialize<int>(For(dynamicCode).Serialize<object?>(null))).Error);
    }

    private static Serializer For(bool dynamicCode) => Configuration.Serializer(references: false, tolerance: true, dynamicCode);
}
