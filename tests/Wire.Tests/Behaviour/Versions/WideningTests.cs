using System.Globalization;
using System.Numerics;
using System.Reflection;
using Wire.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>Every pair of number types: a value that the reader's type holds exactly is read, and any other is a clear error.</summary>
public class WideningTests
{
    private static readonly Type[] Numbers =
    [
        typeof(sbyte), typeof(byte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong),
        typeof(Int128), typeof(UInt128), typeof(nint), typeof(nuint), typeof(Half), typeof(float), typeof(double), typeof(decimal),
    ];

    private static readonly ExactNumber.Samples Samples = new(seed: 27);

    private interface IPair
    {
        (int Read, int Refused) Check(bool dynamicCode);
    }

    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void Every_pair_of_numbers_is_converted_exactly_or_refused(bool dynamicCode)
    {
        int read = 0, refused = 0;
        foreach (Type from in Numbers)
        {
            foreach (Type to in Numbers.Sample(among: 2, Array.IndexOf(Numbers, from)))
            {
                (int held, int other) = ((IPair)Activator.CreateInstance(typeof(Pair<,>).MakeGenericType(from, to))!).Check(dynamicCode);
                read += held;
                refused += other;
            }
        }

        Assert.True(read > 10_000 && refused > 10_000, $"{read} read, {refused} refused");
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Numbers_narrow_in_every_place(bool dynamicCode)
    {
        (Serializer writer, Serializer reader) = Pairs<Places<long, double>, Places<int, short>>(dynamicCode);
        var places = new Places<long, double>
        {
            Member = -5,
            Other = 3.0,
            Maybe = 7,
            None = null,
            Array = [1, 2],
            Optionals = [8, null],
            List = [3],
            Grid = new long[,] { { 4, 5 } },
            Map = new() { [6] = -7.0 },
            Inner = new() { Value = 9 },
            Tuple = (10, 11.0),
            Rest = new long[] { 12 },
        };
        byte[] bytes = writer.Serialize(places);
        Compiled.Once(writer, reader, places);
        for (int i = 0; i < 2; i++)
        {
            Places<int, short> read = reader.Deserialize<Places<int, short>>(bytes)!;
            Assert.Equal((-5, (short)3, 7, null), (read.Member, read.Other, read.Maybe, read.None));
            Assert.Equal([1, 2], read.Array!);
            Assert.Equal([8, null], read.Optionals!);
            Assert.Equal([3], read.List!);
            Assert.Equal(new[,] { { 4, 5 } }, read.Grid);
            Assert.Equal(new Dictionary<int, short> { [6] = -7 }, read.Map);
            Assert.Equal(9, read.Inner.Value);
            Assert.Equal((10, (short)11), read.Tuple);
            Assert.Equal([12], read.Rest.ToArray());
        }

        const long Big = 1L << 40;
        Refused(p => p.Member = Big, "Member");
        Refused(p => p.Other = 0.5, "Other");
        Refused(p => p.Maybe = Big, "Maybe");
        Refused(p => p.Array = [0, Big], "Array[1]");
        Refused(p => p.Optionals = [null, Big], "Optionals[1]");
        Refused(p => p.List = [0, 0, Big], "List[2]");
        Refused(p => p.Grid = new[,] { { 0, Big } }, "Grid[1]");
        Refused(p => p.Map = new() { [Big] = 0 }, "Map[0]");
        Refused(p => p.Map = new() { [1] = 40_000 }, "Map[0]");
        Refused(p => p.Inner = new() { Value = Big }, "Value");
        Refused(p => p.Tuple = (Big, 0), "Item1");
        Refused(p => p.Rest = new[] { Big }, "[0]");

        void Refused(Action<Places<long, double>> change, string path)
        {
            var changed = new Places<long, double>();
            change(changed);
            var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<Places<int, short>>(writer.Serialize(changed)));
            Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
            Assert.EndsWith(path, error.MemberPath, StringComparison.Ordinal);
            Assert.Equal(-5, reader.Deserialize<Places<int, short>>(bytes)!.Member);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_value_that_may_be_null_becomes_one_that_may_not(bool dynamicCode)
    {
        (Serializer writer, Serializer reader) = Pairs<Optional<long?, Spot?>, Optional<int, Spot>>(dynamicCode);
        byte[] bytes = writer.Serialize(new Optional<long?, Spot?> { Member = 5, Struct = new Spot { X = 6 }, List = [7] });
        byte[] noNumber = writer.Serialize(new Optional<long?, Spot?> { Struct = default(Spot), List = [] });
        byte[] noStruct = writer.Serialize(new Optional<long?, Spot?> { Member = 1 });
        byte[] noElement = writer.Serialize(new Optional<long?, Spot?> { Member = 1, Struct = default(Spot), List = [1, null] });
        for (int i = 0; i < 2; i++)
        {
            Optional<int, Spot> read = reader.Deserialize<Optional<int, Spot>>(bytes)!;
            Assert.Equal((5, 6), (read.Member, read.Struct.X));
            Assert.Equal([7], read.List!);
            Null(noNumber, "Member", "Int32? is null");
            Null(noStruct, "Struct", "Spot? is null");
            Null(noElement, "List[1]", "Int32? is null");
            Compiled.Once(writer, reader, new Optional<long?, Spot?> { Member = 5, Struct = new Spot { X = 6 }, List = [7] });
        }

        void Null(byte[] payload, string path, string reason)
        {
            var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<Optional<int, Spot>>(payload));
            Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
            Assert.EndsWith(path, error.MemberPath, StringComparison.Ordinal);
            Assert.Contains(reason, error.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void An_enum_over_a_wider_integer_narrows_and_no_float_becomes_one(bool dynamicCode)
    {
        (Serializer writer, Serializer reader) = Pairs<Holder<long>, Holder<Narrow>>(dynamicCode);
        Assert.Equal(Narrow.Two, reader.Deserialize<Holder<Narrow>>(writer.Serialize(new Holder<long> { Value = 2 }))!.Value);
        var error = Assert.Throws<WireFormatException>(
            () => reader.Deserialize<Holder<Narrow>>(writer.Serialize(new Holder<long> { Value = 256 })));
        Assert.Equal((WireFormatError.SchemaMismatch, "Value"), (error.Error, error.MemberPath));
        Assert.Contains("Int64 256 ", error.Message, StringComparison.Ordinal);
        Assert.Contains(typeof(Narrow).ToString(), error.Message, StringComparison.Ordinal);

        (Serializer wide, Serializer narrow) = Pairs<Holder<Wide>, Holder<Narrow>>(dynamicCode);
        Assert.Equal(Narrow.Two, narrow.Deserialize<Holder<Narrow>>(wide.Serialize(new Holder<Wide> { Value = Wide.Two }))!.Value);

        (Serializer floats, Serializer enums) = Pairs<Holder<double>, Holder<Narrow>>(dynamicCode);
        byte[] two = floats.Serialize(new Holder<double> { Value = 2 });
        Assert.Equal(
            WireFormatError.SchemaMismatch, Assert.Throws<WireFormatException>(() => enums.Deserialize<Holder<Narrow>>(two)).Error);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void What_is_no_number_does_not_become_one(bool dynamicCode)
    {
        Never<char, int>(dynamicCode, 'a');
        Never<int, char>(dynamicCode, 97);
        Never<bool, byte>(dynamicCode, true);
        Never<byte, bool>(dynamicCode, 1);
        Never<string, int>(dynamicCode, "1");
        Never<int, BigInteger>(dynamicCode, 1);
        Never<long, DateTime>(dynamicCode, 1);
        Never<Complex, double>(dynamicCode, 1);
    }

    private static void Never<TFrom, TTo>(bool dynamicCode, TFrom value)
    {
        (Serializer writer, Serializer reader) = Pairs<Holder<TFrom>, Holder<TTo>>(dynamicCode);
        byte[] bytes = writer.Serialize(new Holder<TFrom> { Value = value });
        var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<Holder<TTo>>(bytes));
        Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
    }

    private static (Serializer Writer, Serializer Reader) Pairs<TFrom, TTo>(bool dynamicCode) => (
        Setup.Serializer(dynamicCode, o => o with { TypeAliases = TypeAliases.None.Alias<TFrom>("it") }),
        Setup.Serializer(dynamicCode, o => o with { TypeAliases = TypeAliases.None.Alias<TTo>("it") }));

    private sealed class Pair<TFrom, TTo> : IPair
        where TFrom : struct, INumber<TFrom>, IMinMaxValue<TFrom>
        where TTo : struct, INumber<TTo>, IMinMaxValue<TTo>
    {
        public (int Read, int Refused) Check(bool dynamicCode)
        {
            (Serializer writer, Serializer reader) = Pairs<Holder<TFrom>, Holder<TTo>>(dynamicCode);
            (int held, int refused) = (0, 0);
            bool never = (typeof(TFrom) == typeof(decimal) && IsFloat<TTo>()) || (typeof(TTo) == typeof(decimal) && IsFloat<TFrom>());
            if (dynamicCode && !never)
            {
                Compiled.Once(writer, reader, new Holder<TFrom> { Value = TFrom.One });
            }

            foreach (TFrom value in Samples.Of<TFrom>())
            {
                byte[] payload = writer.Serialize(new Holder<TFrom> { Value = value });
                var exact = ExactNumber.From(value);
                if (!never && (typeof(TFrom) == typeof(TTo) || exact.IsHeldBy<TTo>()))
                {
                    TTo read = reader.Deserialize<Holder<TTo>>(payload)!.Value;
                    Assert.True(ExactNumber.From(read) == exact, $"{typeof(TFrom)} {value} was read as {typeof(TTo)} {read}");
                    Assert.True(!IsFloat<TFrom>() || !IsFloat<TTo>() || TFrom.IsNegative(value) == TTo.IsNegative(read));
                    held++;
                    continue;
                }

                var error = Record.Exception(() => reader.Deserialize<Holder<TTo>>(payload)) as WireFormatException;
                Assert.True(error is not null, $"{typeof(TFrom)} {value} was read as {typeof(TTo)}");
                Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
                string named = never ? "'Value'" : value.ToString(null, CultureInfo.InvariantCulture);
                Assert.Contains(named, error.Message, StringComparison.Ordinal);
                Assert.Contains(typeof(TTo).ToString(), error.Message, StringComparison.Ordinal);
                Assert.True(never || error.MemberPath == "Value", error.MemberPath);
                refused++;
            }

            return (held, refused);
        }

        private static bool IsFloat<T>() => typeof(T) == typeof(Half) || typeof(T) == typeof(float) || typeof(T) == typeof(double);
    }

    private enum Wide : long
    {
        One = 1,
        Two = 2,
    }

    private enum Narrow : byte
    {
        One = 1,
        Two = 2,
    }

    private sealed class Holder<T>
    {
        public T? Value;
    }

    private sealed class Places<T, TOther>
        where T : struct
        where TOther : struct
    {
        public T Member;
        public TOther Other;
        public T? Maybe;
        public T? None;
        public T[]? Array;
        public T?[]? Optionals;
        public List<T>? List;
        public T[,]? Grid;
        public Dictionary<T, TOther>? Map;
        public Inner<T> Inner;
        public (T, TOther) Tuple;
        public Memory<T> Rest;
    }

    private struct Inner<T>
    {
        public T Value;
    }

    private sealed class Optional<T, TStruct>
    {
        public T? Member;
        public TStruct? Struct;
        public List<T>? List;
    }

    private struct Spot
    {
        public int X;
    }
}
