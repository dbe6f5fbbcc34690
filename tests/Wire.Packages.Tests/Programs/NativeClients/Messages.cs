using System.Globalization;
using Wire;

namespace Depot;

/// <summary>The serializer of all clients, with a row for each struct, enum and collection of them.</summary>
internal static class DepotSerializer
{
    public static SerializerOptions Options { get; } = new()
    {
        PreserveObjectReferences = true,
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<IShipment>(),
        Types =
        [
            WireRow.Struct<Weight>(),
            WireRow.Struct<Ping>(),
            WireRow.Enum<Size, byte>(),
            WireRow.Enum<Stage>(),
            WireRow.Dictionary<Size, Weight>(),
            WireRow.HashSet<Stage>(),
        ],
    };
}

public enum Size : byte
{
    Small,
    Large = 200,
}

public enum Stage
{
    Packed,
    Sent,
    Arrived,
}

/// <summary>What all messages are.</summary>
public interface IShipment
{
    int Number { get; }

    string Describe();
}

/// <summary>A struct with a private field.</summary>
public readonly struct Weight(int grams) : IEquatable<Weight>
{
    private readonly int _grams = grams;

    public bool Equals(Weight other) => _grams == other._grams;

    public override bool Equals(object? obj) => obj is Weight other && Equals(other);

    public override int GetHashCode() => _grams;

    public override string ToString() => $"{_grams} g";
}

/// <summary>A message that is a struct.</summary>
public readonly record struct Ping(int Number, Stage Stage) : IShipment
{
    public string Describe() => ToString();
}

/// <summary>A base class whose private field only a serializer reads.</summary>
public abstract class Parcel(int number, string to) : IShipment
{
    private readonly string _to = to;

    public int Number { get; } = number;

    public virtual string Describe() => $"{GetType().Name} {Number} to {_to}";
}

/// <summary>A class with private fields of all kinds, with objects of classes of its base and with one object twice.</summary>
public sealed class Crate : Parcel
{
    private readonly Weight _weight;
    private readonly Weight? _most;
    private readonly Size _size = Size.Large;
    private readonly Dictionary<Size, Weight> _allowed;
    private readonly HashSet<Stage> _stages = [Stage.Packed, Stage.Sent];
    private readonly List<Parcel> _inside;
    private readonly Parcel _heaviest;
    private readonly DateTimeOffset _at = new(2026, 11, 28, 12, 0, 0, TimeSpan.FromHours(1));

    public Crate(int number, string to, int letters) : base(number, to)
    {
        _weight = new Weight(number);
        _most = letters % 2 == 0 ? new Weight(letters) : null;
        _allowed = new() { [Size.Small] = new Weight(1), [Size.Large] = new Weight(2) };
        _inside = [.. Enumerable.Range(1, letters).Select(each => new Letter(each, to, $"text {each}"))];
        _heaviest = letters == 0 ? this : _inside[^1];
    }

    public override string Describe() => string.Create(
        CultureInfo.InvariantCulture,
        $"{base.Describe()}: {_weight} of {_most}, {_size}, {string.Join(' ', _allowed)}, {string.Join(' ', _stages)}, " +
            $"{_at:O}, [{string.Join("; ", _inside.Select(each => each.Describe()))}], {IsShared}");

    private bool IsShared => _inside.Count == 0 ? ReferenceEquals(_heaviest, this) : ReferenceEquals(_heaviest, _inside[^1]);
}

public sealed class Letter(int number, string to, string text) : Parcel(number, to)
{
    private readonly string _text = text;

    public override string Describe() => $"{base.Describe()}: {_text}";
}

/// <summary>A large message.</summary>
public sealed class Scan(int number, byte[] pixels) : Parcel(number, "archive")
{
    private readonly byte[] _pixels = pixels;

    public override string Describe() => $"{base.Describe()}: {_pixels.Length}, {_pixels.Sum(each => (long)each)}";
}

/// <summary>A request, and its reply.</summary>
public sealed record Quote(int Number, Size Size) : IShipment
{
    public string Describe() => ToString();
}

public sealed record Price(decimal Amount, Weight Upto, Stage Stage);

/// <summary>A class that no filter allows.</summary>
public sealed record Stranger(int Number);
