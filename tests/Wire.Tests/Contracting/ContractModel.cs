namespace Wire.Tests.Contracting;

#pragma warning disable CS0169, CS0414, CS0649, IDE0051, IDE0044, CA1823, CA1812 // The members are described, and never used.

/// <summary>Types with all that a contract says.</summary>
public static class ContractModel
{
    public enum State : byte
    {
        Unknown,
        Open,
        Paid,
    }

    [Flags]
    public enum Rights
    {
        None = 0,
        Read = 1,
        Write = 2,
    }

    public interface IThing;

    public abstract class Message
    {
        private int _n;

        public long Number { get; set; }
    }

    [WireName("Shop.OrderPlaced")]
    public sealed class OrderPlaced : Message, IThing
    {
        private string? _n;

        public required string Customer { get; set; }

        public decimal Total { get; set; }

        public decimal? Discount { get; set; }

        public State State { get; set; }

        public Rights? Rights { get; set; }

        public Line[] Lines { get; set; } = [];

        public List<Line>? More { get; set; }

        public Dictionary<string, List<int>> Counts { get; set; } = [];

        public HashSet<string> Words { get; set; } = [];

        public System.Collections.Immutable.ImmutableArray<Line> Fixed { get; set; }

        public (int X, int Y) Place { get; set; }

        public int[]? Numbers { get; set; }

        public int[,]? Matrix { get; set; }

        public Tree Root { get; set; }

        public object? Anything { get; set; }

        public IThing? Thing { get; set; }

        public Uri? Link { get; set; }

        public IReadOnlyList<int>? Listed { get; set; }

        public Func<int>? Unwritable { get; set; }

        public Box<int>? Box { get; set; }

        public DateTime At { get; set; }

        [WireName("two words: = # in")]
        public int Odd { get; set; }
    }

    [WireName("Shop.Line")]
    public record Line(string Article, int Pieces);

    public struct Tree
    {
        public Tree[]? Children { get; set; }

        public int Value { get; set; }
    }

    public sealed class Box<T>
    {
        public T? Value { get; set; }

        public Lazy<string>? Later { get; set; }

        public System.Collections.ObjectModel.ObservableCollection<T>? Seen { get; set; }
    }

    public sealed class Things : List<string>
    {
        public string? Title { get; set; }
    }
}
