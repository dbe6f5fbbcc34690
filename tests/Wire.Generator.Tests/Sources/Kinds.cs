using System;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Linq;
using System.Net;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using System.Text.Json.Nodes;
using Wire;

namespace Kinds
{
    using Kinds.Inner;

    [WireContext]
    [WireType(typeof(Everything))]
    [WireType(typeof(@class<@int>))]
    [WireType(typeof(Page<Money>.Cursor))]
    [WireType(typeof(Page<Money>.Part<Stage>))]
    [WireType(typeof(global::Everywhere))]
    [WireType(typeof(Dictionary<Hidden.Key, int?>))]
    [WireDerivedFrom(typeof(IMessage))]
    [WireDerivedFrom(typeof(IHandled<>))]
    internal sealed partial class Messages : WireTypes;

    internal interface IMessage;

    internal interface IHandled<T>;

    internal enum Stage
    {
        New,
    }

    internal enum Level : ulong
    {
        Low,
    }

    internal readonly record struct Money(decimal Amount, string Currency);

    [Obsolete("An older one.")]
    internal struct Older
    {
        public int Value;
    }

    [InlineArray(3)]
    internal struct Three
    {
        private Money _first;
    }

    internal sealed record Placed(int Id, Money Total) : IMessage, IHandled<int>;

    internal record struct Struck(int Id) : IMessage;

    internal abstract class Shape
    {
        private readonly (int, Level) _at = (1, Level.Low);

        public override string ToString() => $"{_at}";
    }

    internal sealed class Circle : Shape
    {
        public Half Radius { get; set; }
    }

    internal sealed class Square<T> : IShape<T>
    {
        public T? Side { get; set; }
    }

    internal interface IShape<T>;

    internal sealed class @class<T>
    {
        public T? @event;
    }

    internal struct @int
    {
        public short Value;
    }

    internal sealed class Page<T>
    {
        public struct Cursor
        {
            public T At { get; set; }
        }

        public sealed class Part<TPart>
            where TPart : struct
        {
            public TPart? Value { get; set; }
        }
    }

    internal sealed class Captured(DateOnly day, Int128 number)
    {
        public override string ToString() => $"{day} {number}";
    }

    internal class Hidden
    {
        private readonly Key _key = new() { Id = 3 };

        private readonly List<Secret> _secrets = [new()];

        private readonly Dictionary<Stage, Secret> _named = new() { [Stage.New] = new() };

        public override string ToString() => $"{_key} {_secrets.Count} {_named.Count}";

        public struct Key
        {
            public int Id;
        }

        private sealed class Secret
        {
            public UInt128 Number { get; set; } = 1;
        }
    }

    internal sealed class Names : KeyedCollection<int, Placed>
    {
        protected override int GetKeyForItem(Placed item) => item.Id;
    }

    internal sealed class Bag : List<Money?>
    {
        public Level Level { get; set; }
    }

    internal readonly struct Span(int from, int to)
    {
        public int From { get; } = from;

        public int To { get; } = to;
    }

    internal sealed class Failure(string message) : Exception(message)
    {
        public Level? Level { get; init; }
    }

    internal sealed class Ignoring
    {
        [IgnoreMember]
        public Action? Changed { get; set; }

        [field: NonSerialized]
        public Func<int>? Made { get; set; }

        [IgnoreDataMember]
        public IntPtr[]? Pointers { get; set; }

        [field: NonSerialized]
        public event Action? Raised;

        public void Raise() => Raised?.Invoke();
    }

#pragma warning disable CS0618
    internal sealed class Everything
    {
        public Older Older;
        public Three Three;
        public Shape? Shape { get; set; }
        public IShape<Level>? Generic { get; set; }
        public Captured? Captured { get; set; }
        public Hidden? Hidden { get; set; }
        public Names? Names { get; set; }
        public Bag? Bag { get; set; }
        public Exception? Failure { get; set; }
        public Ignoring? Ignoring { get; set; }
        public Span?[]? Spans { get; set; }
        public Stage[][]? Stages { get; set; }
        public Money[,]? Grid { get; set; }
        public Half[]? Halves { get; set; }
        public List<Int128>? Numbers { get; set; }
        public Rune? Rune { get; set; }
        public DayOfWeek Day { get; set; }
        public (int A, (Money B, string C) D) Tuple { get; set; }
        public Tuple<Stage, string>? Pair { get; set; }
        public KeyValuePair<Guid, Money>? Entry { get; set; }
        public IReadOnlyList<Money>? ReadOnly { get; set; }
        public IReadOnlyList<string>? Texts { get; set; }
        public IEnumerable<Stage>? Query { get; set; }
        public IEnumerable<int>? Counted { get; set; }
        public IReadOnlyDictionary<Stage, Money>? Map { get; set; }
        public ISet<Level>? Set { get; set; }
        public IImmutableList<Money>? Immutable { get; set; }
        public ILookup<int, Money>? Lookup { get; set; }
        public SortedDictionary<int, Dictionary<byte, Money>>? Sorted { get; set; }
        public ConcurrentQueue<Money?>? Queue { get; set; }
        public FrozenSet<string>? Frozen { get; set; }
        public ImmutableArray<Money?> Array { get; set; } = [];
        public Lazy<Money>? Lazy { get; set; }
        public Memory<Stage> Memory { get; set; }
        public JsonNode? Json { get; set; }
        public IPAddress? Address { get; set; }
        public Vector3[]? Vectors { get; set; }
        public System.Text.StringBuilder? Text { get; set; }
        public LinkedListNode<Money>? Node { get; set; }
        public object? Anything { get; set; }
    }

    internal static class Values
    {
        public static object[] All() =>
        [
            new Everything
            {
                Older = new Older { Value = 1 },
                Shape = new Circle { Radius = (Half)2 },
                Generic = new Square<Level> { Side = Level.Low },
                Captured = new Captured(new DateOnly(2026, 1, 2), 3),
                Hidden = new Hidden(),
                Names = [new Placed(1, new Money(1, "EUR"))],
                Bag = [null, new Money(2, "EUR")],
                Failure = new Failure("late") { Level = Level.Low },
                Ignoring = new Ignoring(),
                Spans = [new Span(1, 2), null],
                Stages = [[Stage.New]],
                Grid = new[,] { { new Money(3, "EUR") } },
                Halves = [(Half)1],
                Numbers = [1],
                Rune = new Rune { Text = "r" },
                Day = DayOfWeek.Friday,
                Tuple = (1, (new Money(4, "EUR"), "c")),
                Pair = System.Tuple.Create(Stage.New, "a"),
                Entry = new(Guid.Empty, new Money(5, "EUR")),
                ReadOnly = [new Money(6, "EUR")],
                Texts = ["a", "b"],
                Query = new[] { 1, 2 }.Select(_ => Stage.New),
                Counted = new[] { 1, 2 }.Select(each => each + 1),
                Map = new Dictionary<Stage, Money> { [Stage.New] = new Money(7, "EUR") },
                Set = new HashSet<Level> { Level.Low },
                Immutable = ImmutableList.Create(new Money(8, "EUR")),
                Lookup = new[] { new Money(9, "EUR") }.ToLookup(each => 1),
                Sorted = new() { [1] = new() { [2] = new Money(1, "USD") } },
                Queue = new([null, new Money(2, "USD")]),
                Frozen = new[] { "a" }.ToFrozenSet(),
                Array = [new Money(3, "USD")],
                Lazy = new(() => new Money(4, "USD")),
                Memory = new[] { Stage.New },
                Json = JsonNode.Parse("[1]"),
                Address = IPAddress.Loopback,
                Vectors = [new Vector3(1, 2, 3)],
                Text = new("text"),
                Node = new LinkedList<Money>([new Money(5, "USD")]).First,
                Anything = new Struck(1),
            },
            new @class<@int> { @event = new @int { Value = 1 } },
            new Page<Money>.Cursor { At = new Money(1, "GBP") },
            new Page<Money>.Part<Stage> { Value = Stage.New },
            new Everywhere(),
            new Dictionary<Hidden.Key, int?> { [new Hidden.Key { Id = 1 }] = null },
            new Placed(1, new Money(1, "GBP")),
        ];
    }
#pragma warning restore CS0618
}

namespace Kinds.Inner
{
    internal struct Rune
    {
        public string Text;
    }
}

internal sealed class Everywhere
{
    public Kinds.Level[]? Levels { get; set; } = [Kinds.Level.Low];
}
