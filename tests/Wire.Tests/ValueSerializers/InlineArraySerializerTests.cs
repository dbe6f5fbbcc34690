using System.Runtime.CompilerServices;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

[InlineArray(3)]
public struct Three<T>
{
    private T _first;

    public readonly T[] ToArray() => [this[0], this[1], this[2]];
}

internal static class Three
{
    public static Three<T> Of<T>(T a, T b, T c)
    {
        var three = default(Three<T>);
        three[0] = a;
        three[1] = b;
        three[2] = c;
        return three;
    }
}

public unsafe struct Buffers
{
    public fixed int Numbers[5];

    public fixed char Text[4];

    public string? After;

    public static Buffers Filled()
    {
        var value = new Buffers { After = "after" };
        for (int i = 0; i < 5; i++)
        {
            value.Numbers[i] = i - 2;
        }

        value.Text[3] = 'x';
        return value;
    }

    public int[] Copy()
    {
        fixed (int* numbers = Numbers)
        {
            return new Span<int>(numbers, 5).ToArray();
        }
    }

    public string Read()
    {
        fixed (char* text = Text)
        {
            return new string(text, 0, 4);
        }
    }
}

[TypeNotes("also `fixed` buffers", Title = "[InlineArray]")]
public sealed class InlineArrayTests : ValueTests<Three<int>>
{
    protected override IEnumerable<Three<int>> Samples => [default, Three.Of<int>(1, 2, 3)];
}

public sealed class InlineArrayOfReferencesTests : ValueTests<Three<object?>>
{
    protected override IEnumerable<Three<object?>> Samples => [default, Three.Of<object?>(1, null, new List<int> { 1 })];
}

public sealed class InlineArrayOfInlineArraysTests : ValueTests<Three<Three<string?>>?>
{
    protected override IEnumerable<Three<Three<string?>>?> Samples =>
        [null, Three.Of<Three<string?>>(default, Three.Of<string?>("a", "b", null), default)];
}

public sealed class FixedBufferTests : ValueTests<Buffers>
{
    protected override IEnumerable<Buffers> Samples => [default, Buffers.Filled()];
}

[InlineArray(1 << 11)]
public struct Wide<T>
{
    private T _first;
}

public unsafe struct WideBuffer
{
    public fixed long Numbers[1 << 10];
}

public sealed class InlineArraySerializerTests
{
    [Theory]
    [InlineData(typeof(Wide<byte>))]
    [InlineData(typeof(Wide<bool>))]
    [InlineData(typeof(Wide<Three<byte>>))]
    [InlineData(typeof(Wide<(string?, byte)>))]
    [InlineData(typeof(WideBuffer))]
    public void A_few_bytes_do_not_become_an_array_of_many(Type type) =>
        ((Action)Delegate.CreateDelegate(typeof(Action), GetType().GetMethod(
            nameof(Bomb), System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Static)!.MakeGenericMethod(type)))();

    private static void Bomb<T>()
    {
        // 4,000 elements that would take 2 KB and more each, in front of 5,000 bytes.
        var serializer = new Serializer();
        byte[] bytes = [.. serializer.Serialize(Array.Empty<T>())[..^1], 0xA0, 0x1F, .. new byte[5000]];
        long before = GC.GetAllocatedBytesForCurrentThread();
        WireFormatException e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<T[]>(bytes));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(WireFormatError.Length, e.Error);
        Assert.True(allocated < 2 << 20, $"{allocated} bytes");
    }

    [Fact]
    public void Another_count_is_invalid()
    {
        var serializer = new Serializer();
        byte[] bytes = serializer.SerializeTyped(Three.Of<byte>(1, 2, 3));
        Assert.Equal(3, bytes[^4]);
        bytes[^4] = 2;
        Assert.Equal(
            WireFormatError.InvalidValue,
            Assert.Throws<WireFormatException>(() => serializer.DeserializeTyped<Three<byte>>(bytes.AsSpan(..^1))).Error);
        bytes[^4] = 4;
        Assert.Equal(
            WireFormatError.InvalidValue,
            Assert.Throws<WireFormatException>(() => serializer.DeserializeTyped<Three<byte>>([.. bytes, 4])).Error);
    }
}
