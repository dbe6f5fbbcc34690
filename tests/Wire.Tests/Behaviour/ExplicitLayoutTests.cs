using System.Buffers;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>
/// Fields that lie over each other: plain bits come back, and what could come back as something else, or put an object into a variable of
/// another type, is refused wherever the type is met.
/// </summary>
public sealed class ExplicitLayoutTests
{
    private static readonly ModuleBuilder Module = AssemblyBuilder
        .DefineDynamicAssembly(new AssemblyName("Wire.Tests.ExplicitLayouts"), AssemblyBuilderAccess.Run)
        .DefineDynamicModule("ExplicitLayouts");

    private static int _made;

    // The type, and the members of which the message speaks.
    public static TheoryData<Type, string, string> Refused => new()
    {
        { typeof(ObjectAndText), "O", "S" },
        { typeof(WaveBuffer), "Bytes", "Floats" },
        { typeof(CatAndDog), "Cat", "Dog" },
        { typeof(ListsOfTwoTypes), "Numbers", "Texts" },
        { typeof(SameTypeTwice), "A", "B" },
        { typeof(StructsOfReferences), "A", "B" },
        { typeof(LeftOutIsNarrower), "O", "S" },
        { typeof(LeftOutOfAStruct), "A", "O" },
        { typeof(DerivedFromOverlap), "O", "S" },
        { typeof(WithPadding), "A", "P" },
        { Over(typeof(int?)), "Bits", "Value" },
        { Over(typeof(decimal)), "Bits", "Value" },
        { Over(typeof(DateTime)), "Bits", "Value" },
        { Over(typeof(DateTimeOffset)), "Bits", "Value" },
        { Over(typeof(DateOnly)), "Bits", "Value" },
        { Over(typeof(TimeOnly)), "Bits", "Value" },
        { Over(typeof(Rune)), "Bits", "Value" },
        { Over(typeof(bool)), "Bits", "Value" },
        { Over(typeof((int, bool))), "Bits", "Value" },
        { Over(typeof(LeavesOut)), "Bits", "Value" },
        { Over(typeof(WithGap)), "Bits", "Value" },
        { typeof(Message), "Num", "When" },
        { typeof(PartlyOver), "When", "Part" },
    };

    [Theory]
    [MemberData(nameof(Refused))]
    public void What_may_not_lie_over_another_is_refused_wherever_it_is_met(Type type, string first, string second)
    {
        foreach (bool dynamicCode in new[] { true, false })
        {
            Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = true });
            object value = RuntimeHelpers.GetUninitializedObject(type);
            object held = Activator.CreateInstance(typeof(Held<>).MakeGenericType(type), value)!;
            foreach (Action act in new Action[]
            {
                () => serializer.Serialize(value),
                () => serializer.Serialize(held),
                () => serializer.Serialize(new[] { value }),
                () => serializer.SerializeTyped(type, value, new ArrayBufferWriter<byte>()),
                () => serializer.Clone(value),
                () => serializer.Clone(held),
                () => serializer.Prepare(type),
                () => WireContract.From(serializer, type),
                () => WireContract.From(serializer, held.GetType()),
                () => new GraphEquality(serializer).AreEqual(value, RuntimeHelpers.GetUninitializedObject(type)),
            })
            {
                UnsupportedTypeException refused = Assert.Throws<UnsupportedTypeException>(act);
                Assert.Equal(type, refused.Type);
                Assert.Contains($"'{first}' and '{second}' lie over each other", refused.Message, StringComparison.Ordinal);
                Assert.Contains("surrogate", refused.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void A_payload_does_not_put_an_object_into_a_variable_of_another_type()
    {
        byte[] payload = new Serializer().Serialize(new Before { O = new[] { 65, 66, 67 } });
        foreach (bool dynamicCode in new[] { true, false })
        {
            foreach (bool tolerance in new[] { true, false })
            {
                Serializer serializer = new(new SerializerOptions { DynamicCode = dynamicCode, VersionTolerance = tolerance });
                using SerializerSession writing = serializer.GetSerializerSession();
                using DeserializerSession reading = serializer.GetDeserializerSession();
                byte[] inSession = serializer.Serialize(new Before { O = "text" }, writing);
                foreach (Action act in new Action[]
                {
                    () => serializer.Deserialize<After>(payload),
                    () => serializer.Deserialize<After>(new SeekableStream(payload)),
                    () => serializer.Deserialize<After>(inSession, reading),
                    () => serializer.DeserializeTyped<After>(serializer.SerializeTyped(new Before { O = "text" })),
                })
                {
                    // By a type that the payload names, it is that name which is refused.
                    Exception refused = Assert.ThrowsAny<Exception>(act);
                    Assert.True(refused is UnsupportedTypeException or TypeRefusedException, $"{refused}");
                    Assert.Contains("'O' and 'S' lie over each other", refused.Message, StringComparison.Ordinal);
                }
            }
        }
    }

    public static TheoryData<Type, Type> Plain => new()
    {
        { typeof(long), typeof(ulong) },
        { typeof(Guid), typeof((long, long)) },
        { typeof(Int128), typeof(Guid) },
        { typeof(TimeSpan), typeof(long) },
        { typeof(nint), typeof(ulong) },
        { typeof(nuint), typeof(double) },
        { typeof(Half), typeof(ushort) },
        { typeof(char), typeof(short) },
        { typeof(DayOfWeek), typeof(float) },
        { typeof(Numbers), typeof(ulong) },
        { typeof((int, short, short)), typeof(ulong) },
    };

    [Theory]
    [MemberData(nameof(Plain))]
    public void Plain_bits_come_back_whatever_they_are(Type first, Type second)
    {
        Type type = Over(first, second);
        MethodInfo check = typeof(ExplicitLayoutTests).GetMethod(nameof(CheckAny), BindingFlags.Static | BindingFlags.NonPublic)!;
        var values = Array.CreateInstance(type, 20);
        for (int seed = 0; seed < values.Length; seed++)
        {
            object value = RuntimeHelpers.GetUninitializedObject(type);
            new Random(seed).NextBytes(BitsOf(value));
            values.SetValue(value, seed);
        }

        check.MakeGenericMethod(type).Invoke(null, [values]);
    }

    [Fact]
    public void What_lies_apart_or_is_left_out_comes_back()
    {
        CheckAny(new Numbers { Long = unchecked((long)0x8182838485868788) });
        CheckAny(new Numbers { Double = double.NaN });
        CheckAny(new Apart { Number = 7, Text = "seven", When = new DateTime(2026, 11, 27, 1, 2, 3, DateTimeKind.Utc), Flag = true });
        CheckAny(new LeavesOut { A = 5 });
        CheckAny(new OneOfTwo { Bytes = [1, 2, 3] });
        CheckAny(new LeftOutIsWider { S = "text" });
    }

    [Fact]
    public void A_surrogate_takes_what_is_refused()
    {
        var serializer = new Serializer(new SerializerOptions
        {
            Surrogates = [Surrogate.Create<WaveBuffer, byte[]>(value => value.Bytes!, bytes => new WaveBuffer { Bytes = bytes })],
        });
        Assert.Equal([1, 2, 3], serializer.Deserialize<WaveBuffer>(serializer.Serialize(new WaveBuffer { Bytes = [1, 2, 3] }))!.Bytes);
    }

    private static void CheckAny<T>(params T[] values)
        where T : notnull
    {
        foreach ((bool references, bool tolerance, bool dynamicCode) in Configuration.All())
        {
            SerializerOptions options = Configuration.Options(references, tolerance, dynamicCode);
            var serializer = new Serializer(options with { TypeFilter = WireTypeFilter.Unrestricted });
            foreach (T value in values)
            {
                GraphAssert.Same(value, serializer.Clone(value));
                GraphAssert.Same(value, serializer.CopyBothWays(value));
                T[] array = [value, value];
                Assert.All(serializer.Deserialize<T[]>(serializer.Serialize(array))!, read => GraphAssert.Same(value, read));
                if (!RuntimeHelpers.IsReferenceOrContainsReferences<T>())
                {
                    Assert.Equal(BitsOf(value), BitsOf(serializer.Deserialize<object>(serializer.Serialize<object>(value))!));
                    Assert.Equal(BitsOf(value), BitsOf(serializer.Deserialize<T>(serializer.Serialize(value))!));
                }
            }
        }
    }

    // A struct with the fields Bits and Value at one place.
    private static Type Over(Type value, Type? bits = null)
    {
        TypeBuilder type = Module.DefineType(
            $"Over{Interlocked.Increment(ref _made)}",
            TypeAttributes.Public | TypeAttributes.Sealed | TypeAttributes.ExplicitLayout,
            typeof(ValueType));
        type.DefineField("Bits", bits ?? typeof(ulong), FieldAttributes.Public).SetOffset(0);
        type.DefineField("Value", value, FieldAttributes.Public).SetOffset(0);
        return type.CreateType();
    }

    // The bytes of a value in its box.
    private static Span<byte> BitsOf(object boxed) =>
        MemoryMarshal.CreateSpan(ref Unsafe.As<Box>(boxed).First, RuntimeHelpers.SizeOf(boxed.GetType().TypeHandle));

    private sealed class Box
    {
        public byte First;
    }

    private sealed class Held<T>(T value)
    {
        public T Value { get; } = value;
    }

    [WireName("ExplicitLayoutTests.Changed")]
    private sealed class Before
    {
        public object? O { get; set; }
    }

    [StructLayout(LayoutKind.Explicit)]
    [WireName("ExplicitLayoutTests.Changed")]
    private sealed class After
    {
        [FieldOffset(0)]
        public object? O;

        [FieldOffset(0)]
        public string? S;
    }

    [StructLayout(LayoutKind.Explicit)]
    public class ObjectAndText
    {
        [FieldOffset(8)]
        public object? O;

        [FieldOffset(8)]
        public string? S;

        [FieldOffset(0)]
        public int Before;
    }

    private sealed class DerivedFromOverlap : ObjectAndText
    {
        public int More;
    }

    [StructLayout(LayoutKind.Explicit)]
    private sealed class WaveBuffer
    {
        [FieldOffset(0)]
        public int Count;

        [FieldOffset(8)]
        public byte[]? Bytes;

        [FieldOffset(8)]
        public float[]? Floats;
    }

    private sealed class Cat
    {
        public int X;
        public string? Name;
    }

    private sealed class Dog
    {
        public string? Name;
        public long Y;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct CatAndDog
    {
        [FieldOffset(0)]
        public Cat? Cat;

        [FieldOffset(0)]
        public Dog? Dog;
    }

    [StructLayout(LayoutKind.Explicit)]
    private sealed class ListsOfTwoTypes
    {
        [FieldOffset(0)]
        public List<int>? Numbers;

        [FieldOffset(0)]
        public List<string>? Texts;
    }

    [StructLayout(LayoutKind.Explicit)]
    private sealed class SameTypeTwice
    {
        [FieldOffset(0)]
        public string? A;

        [FieldOffset(0)]
        public string? B;
    }

    private struct TextAndNumber
    {
        public string? Text;
        public int Number;
    }

    private struct AnyAndNumber
    {
        public object? Any;
        public int Number;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct StructsOfReferences
    {
        [FieldOffset(0)]
        public TextAndNumber A;

        [FieldOffset(0)]
        public AnyAndNumber B;
    }

    [StructLayout(LayoutKind.Explicit)]
    private sealed class LeftOutIsNarrower
    {
        [FieldOffset(0)]
        public object? O;

        [FieldOffset(0)]
        [IgnoreMember]
        public string? S;
    }

    [StructLayout(LayoutKind.Explicit)]
    private sealed class LeftOutOfAStruct
    {
        [FieldOffset(0)]
        public AnyAndNumber A;

        [FieldOffset(0)]
        [IgnoreMember]
        public object? O;
    }

    [StructLayout(LayoutKind.Explicit)]
    private sealed class LeftOutIsWider
    {
        [FieldOffset(0)]
        [IgnoreMember]
        public object? O;

        [FieldOffset(0)]
        public string? S;
    }

    [StructLayout(LayoutKind.Explicit)]
    private sealed class OneOfTwo
    {
        [FieldOffset(0)]
        public byte[]? Bytes;

        [FieldOffset(0)]
        [IgnoreMember]
        public float[]? Floats;
    }

    private struct Parts
    {
        public byte Kind;
        public int Value;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct WithPadding
    {
        [FieldOffset(0)]
        public ulong A;

        [FieldOffset(0)]
        public Parts P;
    }

    [StructLayout(LayoutKind.Explicit)]
    public struct LeavesOut
    {
        [FieldOffset(0)]
        public long A;

        [FieldOffset(0)]
        [IgnoreMember]
        public DateTime When;
    }

    [StructLayout(LayoutKind.Explicit)]
    public struct WithGap
    {
        [FieldOffset(0)]
        public int A;

        [FieldOffset(8)]
        public int B;

        [FieldOffset(0)]
        public short C;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct Message
    {
        [FieldOffset(0)]
        public int Kind;

        [FieldOffset(8)]
        public double Num;

        [FieldOffset(8)]
        public long Int;

        [FieldOffset(8)]
        public DateTime When;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct PartlyOver
    {
        [FieldOffset(0)]
        public DateTime When;

        [FieldOffset(6)]
        public short Part;
    }

    [StructLayout(LayoutKind.Explicit)]
    public struct Numbers
    {
        [FieldOffset(0)]
        public long Long;

        [FieldOffset(0)]
        public double Double;

        [FieldOffset(0)]
        public uint Low;

        [FieldOffset(4)]
        public float High;

        [FieldOffset(3)]
        public byte Middle;
    }

    [StructLayout(LayoutKind.Explicit, Size = 64)]
    private sealed class Apart
    {
        [FieldOffset(0)]
        public string? Text;

        [FieldOffset(8)]
        public DateTime When;

        [FieldOffset(40)]
        public bool Flag;

        [FieldOffset(44)]
        public int Number;
    }
}
