using Wire.Comparing;
using Xunit;

namespace Wire.Tests.Behaviour.Contexts;

/// <summary>The context of the options, as surrogates and value serializers see it.</summary>
public class ContextTests
{
    public interface ICurrencies
    {
        string NameOf(int code);

        int CodeOf(string name);
    }

    public sealed class Currencies(int first) : ICurrencies
    {
        private static readonly string[] Names = ["EUR", "SEK", "USD"];

        public string NameOf(int code) => Names[code - first];

        public int CodeOf(string name) => Array.IndexOf(Names, name) + first;
    }

    public sealed record Currency(int Code);

    public sealed record Price(decimal Amount, Currency? Currency, List<Currency?> Others);

    public readonly record struct Code(int Number);

    public sealed record Tagged(Code Code, Code? Maybe, object? Any);

    private sealed class CodeSerializer : ValueSerializer<Code>
    {
        public override void Write(ref WireWriter writer, Code value) =>
            writer.WriteString(writer.Context<ICurrencies>().NameOf(value.Number));

        public override Code Read(ref WireReader reader) => new(reader.Context<ICurrencies>().CodeOf(reader.ReadString()!));
    }

    public static TheoryData<bool, bool> Modes => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_surrogate_gets_the_context_of_its_own_side(bool dynamicCode, bool references)
    {
        var price = new Price(1.5m, new Currency(2), [new Currency(1), null]);

        byte[] payload = Surrogates(dynamicCode, references, new Currencies(1)).Serialize(price);

        GraphAssert.Same(
            new Price(1.5m, new Currency(102), [new Currency(101), null]),
            Surrogates(dynamicCode, references, new Currencies(101)).Deserialize<Price>(payload),
            sharing: false);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_value_serializer_gets_the_context_of_its_own_side(bool dynamicCode, bool references)
    {
        var value = new Tagged(new Code(1), new Code(2), new Code(3));

        byte[] payload = Serializers(dynamicCode, references, new Currencies(1)).Serialize(value);

        GraphAssert.Same(
            new Tagged(new Code(11), new Code(12), new Code(13)),
            Serializers(dynamicCode, references, new Currencies(11)).Deserialize<Tagged>(payload),
            sharing: false);
    }

    [Theory]
    [InlineData(null, "not set")]
    [InlineData("text", "of type System.String")]
    public void A_value_serializer_without_its_context_is_told_which_option_is_missing(object? context, string found)
    {
        Serializer serializer = Serializers(true, false, context);
        byte[] payload = Serializers(true, false, new Currencies(1)).Serialize(new Code(1));

        foreach (Action use in new Action[] { () => serializer.Serialize(new Code(1)), () => serializer.Deserialize<Code>(payload) })
        {
            InvalidOperationException e = Assert.Throws<InvalidOperationException>(use);
            Assert.Equal($"SerializerOptions.Context must be of type {typeof(ICurrencies)} here, and is {found}.", e.Message);
        }

        Assert.Equal(1, serializer.RoundTrip(1));
    }

    [Theory]
    [InlineData(null, "not set")]
    [InlineData(1, "of type System.Int32")]
    public void A_serializer_without_the_context_of_its_surrogates_is_not_made(object? context, string found)
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => Surrogates(true, false, context));

        Assert.Equal(
            $"The surrogate of {typeof(Currency)} needs a context. SerializerOptions.Context must be of " +
            $"type {typeof(ICurrencies)} here, and is {found}.", e.Message);
    }

    [Fact]
    public void Functions_and_their_types_are_checked_when_the_surrogate_is_made()
    {
        Assert.Throws<ArgumentNullException>(() => Surrogate.Create<Currency, string, ICurrencies>(null!, (_, _) => new Currency(1)));
        Assert.Throws<ArgumentNullException>(() => Surrogate.Create<Currency, string, ICurrencies>((_, _) => "", null!));
        Assert.Throws<ArgumentException>(() => Surrogate.Create<Animal, Dog, ICurrencies>((_, _) => new Dog(), (dog, _) => dog));
    }

    private static Serializer Surrogates(bool dynamicCode, bool references, object? context) => Setup.Serializer(dynamicCode, o => o with
    {
        PreserveObjectReferences = references,
        Context = context,
        Surrogates =
        [
            Surrogate.Create<Currency, string, ICurrencies>((c, all) => all.NameOf(c.Code), (name, all) => new Currency(all.CodeOf(name))),
        ],
    });

    private static Serializer Serializers(bool dynamicCode, bool references, object? context) => Setup.Serializer(dynamicCode, o => o with
    {
        PreserveObjectReferences = references,
        Context = context,
        ValueSerializerFactories = [ValueSerializerFactory.For(new CodeSerializer())],
    });
}
