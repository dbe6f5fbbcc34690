using System.Runtime.CompilerServices;
using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>
/// A value with members of which a type has none could only be read as zeros: it is refused, whether or not the bytes name the type.
/// </summary>
public class NothingInCommonTests
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Reads = 12;

    public static TheoryData<bool, bool> Configurations => new() { { false, false }, { false, true }, { true, false }, { true, true } };

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_value_type_that_becomes_another_is_an_error(bool references, bool dynamicCode)
    {
        Serializer serializer = Make(references, dynamicCode);
        Old[] old = [new(1, 2)];
        Refused<Holder<New>>(serializer, new Holder<Old> { Value = old[0] }, "Value");
        Refused<Holder<New?>>(serializer, new Holder<Old?> { Value = old[0] }, "Value");
        Refused<Holder<New?>>(serializer, new Holder<Old> { Value = old[0] }, "Value");
        Refused<Holder<New[]>>(serializer, new Holder<Old[]> { Value = old }, "Value");
        Refused<Holder<New[,]>>(serializer, new Holder<Old[,]> { Value = new Old[,] { { old[0] } } }, "Value");
        Refused<Holder<List<New>>>(serializer, new Holder<List<Old>> { Value = [.. old] }, "Value");
        Refused<Holder<List<New>[]>>(serializer, new Holder<List<Old>[]> { Value = [[.. old]] }, "Value");
        Refused<Holder<HashSet<New>>>(serializer, new Holder<HashSet<Old>> { Value = [.. old] }, "Value");
        Refused<Holder<Memory<New>>>(serializer, new Holder<Memory<Old>> { Value = old }, "Value");
        Refused<Holder<Dictionary<New, int>>>(serializer, new Holder<Dictionary<Old, int>> { Value = new() { [old[0]] = 1 } }, "Value");
        Refused<Holder<Dictionary<int, New>>>(serializer, new Holder<Dictionary<int, Old>> { Value = new() { [1] = old[0] } }, "Value");
        Refused<Holder<(int, New)>>(serializer, new Holder<(int, Old)> { Value = (1, old[0]) }, "Item2");
        Refused<Holder<KeyValuePair<int, New>>>(serializer, new Holder<KeyValuePair<int, Old>> { Value = new(1, old[0]) }, "value");
        Refused<Holder<Four<New>>>(serializer, new Holder<Four<Old>> { Value = default }, "Value");
        Refused<Holder<Lazy<New>>>(serializer, new Holder<Lazy<Old>> { Value = new(old[0]) }, "Value");
        Refused<Holder<Outside<New>>>(serializer, new Holder<Outside<Old>> { Value = new() { Inner = old[0] } }, "Inner");
        Refused<Bag<New>>(serializer, new Bag<Old> { old[0] }, "<items>");
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Tuples_and_pairs_are_not_each_other(bool references, bool dynamicCode)
    {
        Serializer serializer = Make(references, dynamicCode);
        Refused<Holder<KeyValuePair<int, int>>>(serializer, new Holder<(int, int)> { Value = (1, 2) }, "Value");
        Refused<Holder<(int, int)>>(serializer, new Holder<KeyValuePair<int, int>> { Value = new(1, 2) }, "Value");
        Refused<Holder<KeyValuePair<int, int>[]>>(serializer, new Holder<(int, int)[]> { Value = [(1, 2)] }, "Value");
        Refused<Holder<Dictionary<int, (int, int)>>>(
            serializer, new Holder<Dictionary<int, KeyValuePair<int, int>>> { Value = new() { [1] = new(1, 2) } }, "Value");
        Refused<Holder<Range>>(serializer, new Holder<(int, int)> { Value = (1, 2) }, "Value");
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_sealed_class_that_becomes_another_is_an_error(bool references, bool dynamicCode)
    {
        Serializer serializer = Make(references, dynamicCode);
        Refused<Holder<NewClass>>(serializer, new Holder<OldClass> { Value = new(1, 2) }, "");
        Refused<Holder<NewClass[]>>(serializer, new Holder<OldClass[]> { Value = [new(1, 2)] }, "");
        Refused<Holder<List<NewClass>>>(serializer, new Holder<List<OldClass>> { Value = [new(1, 2)] }, "");
        Refused<Holder<Dictionary<int, NewClass>>>(
            serializer, new Holder<Dictionary<int, OldClass>> { Value = new() { [1] = new(1, 2) } }, "");
        Refused<Holder<New>>(serializer, new Holder<Outside<Old>> { Value = new() { Inner = new(1, 2) } }, "Value");
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void What_a_surrogate_has_become_is_not_named_either(bool references, bool dynamicCode)
    {
        Serializer writer = Make(
            references, dynamicCode, Surrogate.Create<Money, Old>(money => new Old(money.Cents, 0), old => new Money { Cents = old.X }));
        Serializer reader = Make(
            references, dynamicCode, Surrogate.Create<Money, New>(money => new New(money.Cents, 0), now => new Money { Cents = now.P }));
        byte[] bytes = writer.Serialize(new Money { Cents = 5 });
        Assert.Equal(WireFormatError.SchemaMismatch, Assert.Throws<WireFormatException>(() => reader.Deserialize<Money>(bytes)).Error);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void An_alias_of_a_constructed_type_does_not_name_its_arguments(bool references, bool dynamicCode)
    {
        Refused<Holder<Old>, Holder<New>>(new Holder<Old> { Value = new(1, 2) });
        Refused<Holder<KeyValuePair<int, int>>, Holder<(int, int)>>(new Holder<KeyValuePair<int, int>> { Value = new(1, 2) });
        Refused<List<Old>, List<New>>([new(1, 2)]);

        void Refused<TOld, TNew>(TOld value)
        {
            Serializer plain = Make(references, dynamicCode);
            var writer = new Serializer(plain.Options with { TypeAliases = TypeAliases.None.Alias<TOld>("it") });
            var reader = new Serializer(plain.Options with { TypeAliases = TypeAliases.None.Alias<TNew>("it") });
            byte[] bytes = writer.Serialize(value);
            Assert.Equal(WireFormatError.SchemaMismatch, Assert.Throws<WireFormatException>(() => reader.Deserialize<TNew>(bytes)).Error);
            Assert.IsType<TOld>(writer.Deserialize<TOld>(bytes));
        }
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void One_member_in_common_is_enough(bool references, bool dynamicCode)
    {
        Serializer serializer = Make(references, dynamicCode);
        Assert.Equal(new Half(0, 2), Again<Holder<Half>>(serializer, new Holder<Old> { Value = new(1, 2) }).Value);
        Assert.Equal(new Half(0, 2), Again<Holder<List<Half>>>(serializer, new Holder<List<Old>> { Value = [new(1, 2)] }).Value![0]);
        Assert.Equal(2, Again<Holder<(int, int, int)>>(serializer, new Holder<(int, int)> { Value = (1, 2) }).Value.Item2);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_type_without_members_is_no_other_one_either(bool references, bool dynamicCode)
    {
        Serializer serializer = Make(references, dynamicCode);
        Refused<Holder<Empty>>(serializer, new Holder<Old> { Value = new(1, 2) }, "Value");
        Refused<Holder<Empty?>>(serializer, new Holder<Old> { Value = new(1, 2) }, "Value");
        Refused<Holder<Empty[]>>(serializer, new Holder<Old[]> { Value = [new(1, 2)] }, "Value");
        Refused<Holder<Empty>>(serializer, new Holder<(int, int)> { Value = (1, 2) }, "Value");
        Refused<Holder<Empty>>(serializer, new Holder<KeyValuePair<int, int>> { Value = new(1, 2) }, "Value");
        Refused<Holder<ValueTuple>>(serializer, new Holder<(int, int)> { Value = (1, 2) }, "Value");
        Refused<Holder<EmptyClass>>(serializer, new Holder<OldClass> { Value = new(1, 2) }, "");
        Refused<Holder<EmptyClass[]>>(serializer, new Holder<OldClass[]> { Value = [new(1, 2)] }, "");
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_type_may_get_its_first_member_and_a_named_class_lose_its_last(bool references, bool dynamicCode)
    {
        Serializer serializer = Make(references, dynamicCode);
        Assert.Equal(default, Again<Holder<New>>(serializer, new Holder<Empty> { Value = default }).Value);
        Assert.NotNull(Again<Holder<NewClass>>(serializer, new Holder<EmptyClass> { Value = new() }).Value);

        var writer = new Serializer(serializer.Options with { TypeAliases = TypeAliases.None.Alias<OldClass>("it") });
        var reader = new Serializer(serializer.Options with { TypeAliases = TypeAliases.None.Alias<EmptyClass>("it") });
        for (int i = 0; i < Reads; i++)
        {
            Assert.NotNull(reader.Deserialize<EmptyClass>(writer.Serialize(new OldClass(1, 2))));
            Assert.NotNull(writer.Deserialize<OldClass>(reader.Serialize(new EmptyClass())));
        }
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_type_that_is_named_is_refused_too(bool references, bool dynamicCode)
    {
        Serializer writer = Make(references, dynamicCode);
        TypeAliases moved = TypeAliases.None
            .Redirect(typeof(Old).FullName + ", Wire.Tests", typeof(New))
            .Redirect(typeof(OldClass).FullName + ", Wire.Tests", typeof(NewClass));
        var reader = new Serializer(writer.Options with { TypeAliases = moved });
        byte[] boxed = writer.Serialize<object>(new Old(1, 2));
        byte[] array = writer.Serialize(new Old[] { new(1, 2) });
        byte[] list = writer.Serialize(new List<Old> { new(1, 2) });
        byte[] root = writer.Serialize(new OldClass(1, 2));
        byte[] map = writer.Serialize(new Dictionary<int, (int, Old)> { [1] = (3, new(1, 2)) });
        for (int i = 0; i < Reads; i++)
        {
            Refused(() => reader.Deserialize<object>(boxed));
            Refused(() => reader.Deserialize<New[]>(array));
            Refused(() => reader.Deserialize<List<New>>(list));
            Refused(() => reader.Deserialize<Dictionary<int, (int, New)>>(map));
            Refused(() => reader.Deserialize<NewClass>(root));
        }

        static void Refused(Func<object?> read)
        {
            var error = Assert.Throws<WireFormatException>(read);
            Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
            Assert.Contains("no member in common", error.Message, StringComparison.Ordinal);
        }
    }

    private static T Again<T>(Serializer serializer, object old)
    {
        (byte[] bytes, Serializer reader) = Written<T>(serializer, old);
        T read = default!;
        for (int i = 0; i < Reads; i++)
        {
            read = reader.Deserialize<T>(bytes)!;
        }

        return read;
    }

    private static void Refused<T>(Serializer serializer, object old, string member)
    {
        (byte[] bytes, Serializer reader) = Written<T>(serializer, old);
        for (int i = 0; i < Reads; i++)
        {
            var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<T>(bytes));
            Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
            Assert.Contains(member, error.Message, StringComparison.Ordinal);
            Assert.Contains("no member in common", error.Message, StringComparison.Ordinal);
            Assert.Contains("[WireName]", error.Message, StringComparison.Ordinal);
        }
    }

    // A number instead of a name: the payload names no type at all, as if one had become another between two versions of a program.
    private static (byte[] Bytes, Serializer Reader) Written<T>(Serializer serializer, object old)
    {
        var writer = new Serializer(serializer.Options with { KnownTypes = [new(1, old.GetType())] });
        return (writer.Serialize(old), new Serializer(serializer.Options with { KnownTypes = [new(1, typeof(T))] }));
    }

    private static Serializer Make(bool references, bool dynamicCode, params Surrogate[] surrogates) => new(new SerializerOptions
    {
        TypeFilter = Setup.TestTypes,
        DynamicCode = dynamicCode,
        PreserveObjectReferences = references,
        Surrogates = [.. surrogates],
    });

    public sealed class Holder<T>
    {
        public T? Value { get; set; }
    }

    public sealed class Bag<T> : List<T>;

    public record struct Outside<T>(T Inner);

    public record struct Old(int X, int Y);

    public record struct New(int P, int Q);

    public record struct Half(int P, int Y);

    public readonly struct Empty;

    public sealed record OldClass(int X, int Y);

    public sealed record NewClass(int P, int Q);

    public sealed class EmptyClass;

    public sealed class Money
    {
        public int Cents { get; set; }
    }

    [InlineArray(4)]
    public struct Four<T>
    {
        private T _first;
    }
}
