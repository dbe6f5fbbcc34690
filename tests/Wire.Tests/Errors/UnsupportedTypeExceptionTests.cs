using System.Linq.Expressions;
using Wire.Tests.Testing;

namespace Wire.Tests.Errors;

/// <summary>What cannot be serialized says which type it is, and where it stands.</summary>
public sealed unsafe class UnsupportedTypeExceptionTests
{
    public static TheoryData<bool> DynamicCode() => [true, false];

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_delegate_that_is_null_is_written(bool dynamicCode)
    {
        Handler copy = For(dynamicCode).CopyBothWays(new Handler { Name = "a" });
        Assert.Equal("a", copy.Name);
        Assert.Null(copy.Callback);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_delegate_is_refused_where_it_stands(bool dynamicCode)
    {
        var value = new Holder<List<Handler>> { Declared = [new() { Name = "a" }, new() { Name = "b", Callback = () => { } }] };
        UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => For(dynamicCode).Serialize(value));
        Assert.Equal(typeof(Action), e.Type);
        Assert.Equal("Declared[1].Callback", e.MemberPath);
        Assert.Contains("Declared[1].Callback", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void The_serializer_is_as_usable_as_before(bool dynamicCode)
    {
        Serializer serializer = For(dynamicCode);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(new Handler { Callback = () => { } }, writing));
        Assert.Equal("b", serializer.Deserialize<Handler>(serializer.Serialize(new Handler { Name = "b" }, writing), reading)!.Name);
        Assert.Equal("c", serializer.Deserialize<Handler>(serializer.Serialize(new Handler { Name = "c" }, writing), reading)!.Name);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void The_place_has_the_root_and_the_type_that_declares_the_member(bool dynamicCode)
    {
        Serializer serializer = For(dynamicCode);
        AssertPlace(
            " (in Declared[1].Callback of Wire.Tests.Errors.UnsupportedTypeExceptionTests+Crate`1[System.Object[]], "
            + "declared in Wire.Tests.Errors.UnsupportedTypeExceptionTests+Handler) cannot",
            new Crate<object[]> { Declared = [1, new Handler { Callback = () => { } }] });
        AssertPlace(
            " (in Declared of Wire.Tests.Errors.UnsupportedTypeExceptionTests+Crate`1[System.Action]) cannot",
            new Crate<Action> { Declared = () => { } });
        AssertPlace(
            " (in [0].Declared of System.Object[], declared in Wire.Tests.Errors.UnsupportedTypeExceptionTests+Crate`1[T]) cannot",
            new object[] { new Crate<Action> { Declared = () => { } } });
        AssertPlace(
            " (in Callback of Wire.Tests.Errors.UnsupportedTypeExceptionTests+Handler) cannot", new Handler { Callback = () => { } });
        AssertPlace(
            " (in Callback of Wire.Tests.Errors.UnsupportedTypeExceptionTests+LoudHandler, "
            + "declared in Wire.Tests.Errors.UnsupportedTypeExceptionTests+Handler) cannot",
            new LoudHandler { Callback = () => { } });
        AssertPlace(" (in [1] of System.Object[]) cannot", new object[] { 1, () => { } });
        AssertPlace(
            " (in [0].Callback of System.Object[], declared in Wire.Tests.Errors.UnsupportedTypeExceptionTests+Handler) cannot",
            new object[] { new Handler { Callback = () => { } } });
        AssertPlace(" (in Wire.Tests.Errors.UnsupportedTypeExceptionTests+WithPointer) cannot", new WithPointer());
        AssertPlace("'System.Action' cannot", (Action)(() => { }));
        UnsupportedTypeException typed = Assert.Throws<UnsupportedTypeException>(
            () => serializer.SerializeTyped(new Handler { Callback = () => { } }));
        Assert.Contains(
            " (in Callback of Wire.Tests.Errors.UnsupportedTypeExceptionTests+Handler) cannot", typed.Message, StringComparison.Ordinal);

        void AssertPlace(string place, object value) =>
            Assert.Contains(
                place, Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(value)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_schema_that_is_too_deep_is_an_error_of_the_type_without_kilobytes_of_its_name()
    {
        Type type = typeof(int);
        for (int i = 0; i < 40; i++)
        {
            type = typeof(List<>).MakeGenericType(type);
        }

        UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(
            () => new Serializer().Serialize(new Crate<object> { Declared = Activator.CreateInstance(type)! }));
        Assert.Equal((type, "Declared"), (e.Type, e.MemberPath));
        Assert.Contains("its schema exceeds what the format allows", e.Message, StringComparison.Ordinal);
        Assert.InRange(e.Message.Length, 300, 800);
    }

    [Fact]
    public void The_path_of_a_root_does_not_begin_with_that_of_the_message_before()
    {
        Serializer serializer = For(dynamicCode: true);
        serializer.Serialize(("a", new Dictionary<string, int> { ["a"] = 1 }));
        Assert.Equal(
            "Any",
            Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(new Holder<object> { Any = Stream.Null })).MemberPath);
    }

    [Fact]
    public void Nothing_is_written_to_a_stream_on_failure()
    {
        using var stream = new MemoryStream();
        Assert.Throws<UnsupportedTypeException>(() => For(dynamicCode: true).Serialize(new object[] { 1, () => { } }, stream));
        Assert.Equal(0, stream.Length);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Code_and_the_private_state_of_the_framework_are_refused(bool dynamicCode)
    {
        object[] values =
        [
            () => { }, typeof(string).GetMethods()[0], typeof(string).GetProperties()[0], typeof(string).Assembly, Expression.Constant(1),
            Stream.Null, Thread.CurrentThread, new System.Security.Cryptography.AsnEncodedData([1]), new OwnStream(),
        ];
        foreach (object value in values)
        {
            UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => For(dynamicCode).Serialize(value));
            Assert.Equal("", e.MemberPath);
            e = Assert.Throws<UnsupportedTypeException>(() => For(dynamicCode).Serialize(new Holder<object> { Any = value }));
            Assert.Equal("Any", e.MemberPath);
            e = Assert.Throws<UnsupportedTypeException>(() => For(dynamicCode).Serialize(new object[] { 1, value }));
            Assert.Equal("[1]", e.MemberPath);
            e = Assert.Throws<UnsupportedTypeException>(
                () => For(dynamicCode).Serialize(new Dictionary<string, object> { ["a"] = 1, ["b"] = value }));
            Assert.Equal("[1]", e.MemberPath);
        }
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_pointer_member_is_refused_with_its_remedy(bool dynamicCode)
    {
        UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => For(dynamicCode).Serialize(new WithPointer()));
        Assert.Contains($"{nameof(PointerHolder)}.{nameof(PointerHolder.Pointer)}", e.Message, StringComparison.Ordinal);
        Assert.Contains("[IgnoreMember]", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Pointers_of_every_kind_are_refused_by_the_name_of_their_member(bool dynamicCode)
    {
        foreach ((object value, string member) in new (object, string)[]
        {
            (new WithVoidPointer(), "WithVoidPointer.Raw"), (new WithFunctionPointer(), "WithFunctionPointer.Call"), (new WithPointerArray
            {
                Many = new int*[1],
            }, "Many"),
        })
        {
            UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => For(dynamicCode).Serialize(value));
            Assert.Contains(member, e.Message, StringComparison.Ordinal);
            Assert.Contains("outside", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_boxed_pointer_is_refused_and_a_native_integer_is_not()
    {
        int number = 0;
        Holder<object> holder = new() { Any = System.Reflection.Pointer.Box(&number, typeof(int*)) };
        Assert.Equal("Any", Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(holder)).MemberPath);
        Assert.Equal((nint)7, new Serializer().CopyBothWays(new Holder<nint> { Declared = 7 }).Declared);
    }

    [Theory]
    [InlineData("System.Int32*")]
    [InlineData("System.Int32&")]
    [InlineData("System.Collections.Generic.List`1[[System.Int32*]]")]
    public void A_pointer_or_by_ref_in_a_payload_is_refused(string name)
    {
        byte[] text = System.Text.Encoding.ASCII.GetBytes(name);
        byte[] bytes = [0x10, 0x02, (byte)(text.Length + 3), (byte)(text.Length << 1), .. text, 0x01, 0x15, 0, 0, 0, 0];
        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(bytes));
    }

    private static Serializer For(bool dynamicCode) => Configuration.Serializer(references: false, tolerance: true, dynamicCode);

    private sealed class Crate<T>
    {
        public T? Declared { get; set; }
    }

    private sealed class LoudHandler : Handler;

    private class Handler
    {
        public string Name { get; set; } = "";

        public Action? Callback { get; set; }
    }

    private sealed class OwnStream : MemoryStream;

    private sealed class WithPointer
    {
        public PointerHolder Inner;
    }

    private sealed class WithVoidPointer
    {
        public void* Raw;
    }

    private sealed class WithFunctionPointer
    {
        public delegate*<int, void> Call;
    }

    private sealed class WithPointerArray
    {
        public int*[]? Many;
    }

    private struct PointerHolder
    {
        public int* Pointer;
    }
}
