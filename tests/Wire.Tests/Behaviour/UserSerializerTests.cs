using System.Reflection.Emit;
using Wire.Comparing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>Value serializers that users write, right and wrong ones.</summary>
public class UserSerializerTests
{
    public struct Money
    {
        public long Cents;
    }

    public sealed class Holder
    {
        public Money Price;
        public Money? Maybe;
        public List<Money>? All;
        public object? Any;
        public int Last;
    }

    /// <summary>Eight bytes for every value; with its own emitted code or without.</summary>
    private sealed class FixedMoney(bool emits) : ValueSerializer<Money>
    {
        public static int Emitted;

        public override int FixedSize => sizeof(long);

        public override void Write(ref WireWriter writer, Money value) => writer.WriteFixed(value.Cents);

        public override Money Read(ref WireReader reader) => new() { Cents = reader.ReadFixed<long>() };

        public override void EmitWriteValue(ICompiler<ObjectWriter> compiler)
        {
            if (!emits)
            {
                base.EmitWriteValue(compiler);
                return;
            }

            compiler.IL.Emit(OpCodes.Ldfld, typeof(Money).GetField(nameof(Money.Cents))!);
            compiler.EmitCall(typeof(WireWriter).GetMethod(nameof(WireWriter.WriteFixed))!.MakeGenericMethod(typeof(long)));
            Interlocked.Increment(ref Emitted);
        }

        public override void EmitReadValue(ICompiler<ObjectReader> compiler)
        {
            if (!emits)
            {
                base.EmitReadValue(compiler);
                return;
            }

            compiler.EmitCall(typeof(WireReader).GetMethod(nameof(WireReader.ReadFixed))!.MakeGenericMethod(typeof(long)));
            LocalBuilder cents = compiler.IL.DeclareLocal(typeof(long));
            LocalBuilder money = compiler.IL.DeclareLocal(typeof(Money));
            compiler.IL.Emit(OpCodes.Stloc, cents);
            compiler.IL.Emit(OpCodes.Ldloca, money);
            compiler.IL.Emit(OpCodes.Ldloc, cents);
            compiler.IL.Emit(OpCodes.Stfld, typeof(Money).GetField(nameof(Money.Cents))!);
            compiler.IL.Emit(OpCodes.Ldloc, money);
            Interlocked.Increment(ref Emitted);
        }
    }

    private sealed class Scripted(int size, int writes, int reads) : ValueSerializer<Money>
    {
        public override int FixedSize => size;

        public override void Write(ref WireWriter writer, Money value) => writer.WriteBytes(new byte[writes]);

        public override Money Read(ref WireReader reader)
        {
            reader.ReadBytes(new byte[reads]);
            return default;
        }
    }

    private sealed class BoxFactory : ValueSerializerFactory
    {
        public int Asked;

        public override ValueSerializer? Create(Type type)
        {
            Interlocked.Increment(ref Asked);
            return type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Box<>)
                ? (ValueSerializer)Activator.CreateInstance(typeof(BoxSerializer<>).MakeGenericType(type.GetGenericArguments()))!
                : null;
        }
    }

    private sealed class BoxSerializer<T> : ValueSerializer<Box<T>>
    {
        public override void Write(ref WireWriter writer, Box<T> value)
        {
            writer.WriteByte(42);
            writer.WriteValue(value.Value);
        }

        public override Box<T> Read(ref WireReader reader) => reader.ReadByte() == 42
            ? new Box<T> { Value = reader.ReadValue<T>() }
            : throw new InvalidDataException("no box");
    }

    private sealed class Liar : ValueSerializerFactory
    {
        public override ValueSerializer? Create(Type type) => type == typeof(Leaf) ? new FixedMoney(false) : null;
    }

    public static TheoryData<bool, bool> Modes => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    [Theory]
    [MemberData(nameof(Modes))]
    public void Fixed_and_framed_ones_round_trip_everywhere(bool dynamicCode, bool emits)
    {
        foreach (ValueSerializerFactory factory in new[] { ValueSerializerFactory.For(new FixedMoney(emits)), new BoxFactory() })
        {
            Serializer serializer = Setup.Serializer(dynamicCode, o => o with { ValueSerializerFactories = [factory] });
            var holder = new Holder
            {
                Price = new Money { Cents = 1 },
                Maybe = new Money { Cents = 2 },
                All = [new Money { Cents = 3 }, default],
                Any = new object[]
                {
                    new Money { Cents = 4 },
                    new Box<Money> { Value = new Money { Cents = 5 } },
                    new Box<object> { Value = new Box<string> { Value = "deep" } },
                },
                Last = 6,
            };
            GraphAssert.Same(holder, serializer.RoundTrip(holder), sharing: false);
            Assert.Equal(7, serializer.RoundTrip(new Money { Cents = 7 }).Cents);
            GraphAssert.Same(holder, serializer.DeserializeTyped<Holder>(serializer.SerializeTyped(holder)), sharing: false);
        }

        Assert.True(!dynamicCode || !emits || FixedMoney.Emitted > 0);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void One_that_reads_too_little_or_too_much_is_reported(bool dynamicCode)
    {
        foreach ((int size, int reads) in new[] { (0, 7), (0, 9), (0, 0), (8, 7), (8, 9) })
        {
            Serializer writer = With(dynamicCode, new Scripted(size, 8, 8));
            Serializer reader = With(dynamicCode, new Scripted(size, 8, reads));
            byte[] payload = writer.Serialize(new Holder { Last = 5, Any = "behind" });
            Assert.Equal(5, writer.Deserialize<Holder>(payload)!.Last);
            var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<Holder>(payload));
            // The last one of the payload may hit the end before its own.
            Assert.Contains(error.Error, new[] { WireFormatError.Length, WireFormatError.Truncated });
            Assert.True(error.Error == WireFormatError.Truncated || error.Message.Contains(nameof(Scripted), StringComparison.Ordinal));
            Assert.ThrowsAny<WireFormatException>(() => reader.Deserialize<Money>(writer.Serialize(new Money())));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void One_that_writes_another_size_than_it_says_is_reported(bool dynamicCode)
    {
        foreach (int writes in new[] { 0, 7, 9, 5000 })
        {
            Serializer serializer = With(dynamicCode, new Scripted(8, writes, 8));
            var error = Assert.Throws<InvalidOperationException>(() => serializer.Serialize(new Holder()));
            Assert.Contains(nameof(Scripted), error.Message, StringComparison.Ordinal);
            Assert.Equal(3, serializer.RoundTrip(new Leaf { Id = 3 }).Id);
        }
    }

    [Fact]
    public void What_it_throws_comes_out_as_it_is_and_leaves_the_serializer_usable()
    {
        Serializer serializer = Setup.Serializer(true, o => o with { ValueSerializerFactories = [new BoxFactory()] });
        byte[] payload = serializer.Serialize(new Box<int> { Value = 1 });
        payload[payload.AsSpan().LastIndexOf((byte)42)] = 41;
        Assert.Throws<InvalidDataException>(() => serializer.Deserialize<Box<int>>(payload));
        Assert.Equal(1, serializer.RoundTrip(new Box<int> { Value = 1 }).Value);
    }

    [Fact]
    public void A_factory_is_asked_once_per_type_and_must_not_lie()
    {
        var factory = new BoxFactory();
        Serializer serializer = Setup.Serializer(true, o => o with { ValueSerializerFactories = [factory] });
        serializer.RoundTrip(new Box<int>());
        int asked = factory.Asked;
        serializer.RoundTrip(new Box<int>());
        Assert.Equal(asked, factory.Asked);
        Serializer liar = Setup.Serializer(true, o => o with { ValueSerializerFactories = [new Liar()] });
        Assert.Throws<InvalidOperationException>(() => liar.Serialize(new Leaf()));
    }

    private static Serializer With(bool dynamicCode, ValueSerializer serializer) =>
        Setup.Serializer(dynamicCode, o => o with { ValueSerializerFactories = [ValueSerializerFactory.For(serializer)] });
}
