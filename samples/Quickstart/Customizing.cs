using System.Collections.Concurrent;
using System.Globalization;
using Wire;

namespace Quickstart;

#region surrogate-types
internal sealed class Route(Func<string> describe)
{
    public override string ToString() => describe();

    public static Route Parse(string text) => new(() => text);
}
#endregion

#region context-types
internal interface IActor
{
    string Path { get; }
}

internal sealed record Actor(string Path) : IActor;

internal readonly record struct ActorPath(string Path);

internal sealed class ActorSystem
{
    private readonly ConcurrentDictionary<string, IActor> _actors = new();

    public IActor Resolve(string path) => _actors.GetOrAdd(path, static path => new Actor(path));
}
#endregion

#region generic-surrogate
internal sealed class Money<T>(T amount, string currency)
{
    private readonly Lazy<string> _text = new(() => $"{amount} {currency}");

    public T Amount { get; } = amount;

    public string Currency { get; } = currency;

    public override string ToString() => _text.Value;
}

internal readonly record struct MoneySurrogate<T>(T Amount, string Currency) : ISurrogate<MoneySurrogate<T>, Money<T>>
{
    public static MoneySurrogate<T> From(Money<T> value) => new(value.Amount, value.Currency);

    public Money<T> ToSource() => new(Amount, Currency);
}
#endregion

#region singleton
internal sealed class Stop
{
    public static Stop Instance { get; } = new();

    private Stop()
    {
    }
}
#endregion

#region value-serializer
internal readonly record struct Shade(byte Red, byte Green, byte Blue);

internal sealed class ShadeSerializer : ValueSerializer<Shade>
{
    public override int FixedSize => 3; // no length in front

    public override void Write(ref WireWriter writer, Shade value)
    {
        writer.WriteByte(value.Red);
        writer.WriteByte(value.Green);
        writer.WriteByte(value.Blue);
    }

    public override Shade Read(ref WireReader reader) => new(reader.ReadByte(), reader.ReadByte(), reader.ReadByte());
}
#endregion

#region value-serializer-context
internal readonly record struct Handle(int Number);

internal sealed class HandleSerializer : ValueSerializer<Handle>
{
    public override void Write(ref WireWriter writer, Handle value) => writer.WriteString(writer.Context<HandleTable>().NameOf(value));

    public override Handle Read(ref WireReader reader) => reader.Context<HandleTable>().Find(reader.ReadString());
}
#endregion

#region native
[WireContext]
[WireType(typeof(Money<decimal>))] // and its stand-in
[WireType(typeof(Shade))]
[WireType(typeof(Handle))]
internal sealed partial class NativeTypes : WireTypes;
#endregion

internal sealed class HandleTable
{
    public string NameOf(Handle handle) => $"h{handle.Number}";

    public Handle Find(string? name) => new(int.Parse(name.AsSpan(1), CultureInfo.InvariantCulture));
}

internal static class Customizing
{
    /// <summary>Sends types through Wire that it could not write by itself, and returns whether they came back.</summary>
    public static bool RoundTrip()
    {
        #region surrogate
        var routes = new Serializer(new SerializerOptions
        {
            Surrogates = [Surrogate.Create<Route, string>(route => route.ToString(), Route.Parse)],
        });
        #endregion

        #region context
        var system = new ActorSystem();
        var actors = new Serializer(new SerializerOptions
        {
            Context = system,
            Surrogates = [Surrogate.Create<IActor, ActorPath, ActorSystem>(
                (actor, _) => new ActorPath(actor.Path), (path, at) => at.Resolve(path.Path))],
            Singletons = [Stop.Instance],
        });
        object[] message = [system.Resolve("/user/ada"), Stop.Instance];
        object[] copy = actors.Deserialize<object[]>(actors.Serialize(message))!; // the same two objects
        #endregion

        #region generic-options
        var prices = new Serializer(new SerializerOptions
        {
            Surrogates = [Surrogate.Create(typeof(Money<>), typeof(MoneySurrogate<>))],
            Types = NativeTypes.Default, // for native programs: see below
        });
        #endregion

        #region value-serializer-options
        var shades = new Serializer(new SerializerOptions
        {
            ValueSerializerFactories =
            [
                ValueSerializerFactory.For(new ShadeSerializer()),
                ValueSerializerFactory.For(new HandleSerializer()),
            ],
            Context = new HandleTable(),
            Types = NativeTypes.Default, // for native programs: see below
        });
        #endregion

        bool equal = routes.Clone(Route.Parse("a-b")).ToString() == "a-b"
            && ReferenceEquals(copy[0], message[0]) && ReferenceEquals(copy[1], message[1])
            && prices.Clone(new Money<decimal>(1.50m, "EUR")).ToString() == "1.50 EUR"
            && shades.Clone(new Shade(1, 2, 3)) == new Shade(1, 2, 3) && shades.Clone(new Handle(7)) == new Handle(7);
        Console.WriteLine($"surrogates, context, singletons and value serializers: {(equal ? "equal" : "NOT EQUAL")} after reading back");
        return equal;
    }
}
