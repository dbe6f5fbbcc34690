using Wire;

namespace Versions;

/// <summary>What became of them.</summary>
internal static class After
{
    public enum Color
    {
        None,
        Green,
        Red,
        Yellow,
        Blue,
    }

    public enum Colour
    {
        None,
        Rouge,
        Vert,
    }

    public enum Fewer
    {
        None,
        Red,
    }

    public enum LongColor : long
    {
        None,
        Red,
        Green,
    }

    public enum ByteColor : byte
    {
        None,
        Red,
        Green,
    }

    public sealed class Added
    {
        public string Name { get; init; } = "an initializer";

        public int X { get; init; }

        public int Y { get; init; } = 5;
    }

    public sealed class Reordered
    {
        public string? Second { get; init; }

        public int First { get; init; }
    }

    public sealed class Renamed
    {
        public int Number { get; init; }
    }

    public sealed class RenamedWithWireName
    {
        [WireName("X")]
        public int Number { get; init; }
    }

    public sealed class OwnField
    {
        private readonly int _x;

        public int X { get => _x; init => _x = value; }
    }

    public sealed class OwnFieldWithWireName
    {
        [WireName("X")]
        private readonly int _x;

        public int X { get => _x; init => _x = value; }
    }

    public sealed class FieldKeyword
    {
        public int X { get => field; init => field = value; }
    }

    public sealed record Record(int X);

    public class OnBaseBase
    {
        public int First { get; init; }
    }

    public sealed class OnBase : OnBaseBase
    {
        public string? Second { get; init; }
    }

    public sealed class NoBase
    {
        public string? Second { get; init; }
    }

    public class HidingBase
    {
        public int X { get; init; }
    }

    public sealed class Hiding : HidingBase
    {
        public new int X { get; init; }
    }

    public sealed class Ignored
    {
        [IgnoreMember]
        public int X { get; init; }
    }

    public class Open
    {
        public int X { get; init; }
    }

    public abstract class Abstract
    {
        public int X { get; init; }
    }

    public sealed class Things : List<int>;

    public readonly record struct Place
    {
        public int X { get; init; }
    }

    public readonly record struct Pixel
    {
        public int Column { get; init; }
    }
}
