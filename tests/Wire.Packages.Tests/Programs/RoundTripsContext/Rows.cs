using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Globalization;
using System.Net;
using System.Numerics;
using System.Text;
using Shop;
using Wire;

// In the place of the table beside the round trips: what they write, and no row.
internal static class Rows
{
    public static WireTypes Types => Written.Default;
}

// Graphs.cs, from above.
[WireContext]
[WireDerivedFrom(typeof(IEvent))]
[WireDerivedFrom(typeof(Payment))]
[WireType(typeof(Order))]
[WireType(typeof(List<IEvent>))]
[WireType(typeof(Money?))]
[WireType(typeof(Hidden))]
[WireType(typeof(Unread))]
[WireType(typeof(Inner))]
[WireType(typeof(Box<Box<Money>>))]
[WireType(typeof(Dictionary<Money, List<string>>))]
[WireType(typeof(Dictionary<string, int>))]
[WireType(typeof(SortedSet<int>))]
[WireType(typeof(SortedDictionary<int, string>))]
[WireType(typeof(LinkedList<int>))]
[WireType(typeof(Queue<int>))]
[WireType(typeof(Stack<int>))]
[WireType(typeof(ConcurrentDictionary<int, string>))]
[WireType(typeof(PriorityQueue<string, int>))]
[WireType(typeof(ImmutableArray<int>))]
[WireType(typeof(ImmutableList<string>))]
[WireType(typeof(ImmutableDictionary<string, int>))]
[WireType(typeof(ImmutableHashSet<Money>))]
[WireType(typeof(ImmutableSortedDictionary<int, Placed>))]
[WireType(typeof(FrozenDictionary<string, int>))]
[WireType(typeof(FrozenSet<Money>))]
[WireType(typeof(int[,]))]
[WireType(typeof((int, string, int?)))]
[WireType(typeof(Tuple<int, Money>))]
[WireType(typeof(Basket))]
[WireType(typeof(Shop.Holder))]
[WireType(typeof(Range<int>))]
[WireType(typeof(ShopException))]
[WireType(typeof(Node))]
[WireType(typeof(Box<State>))]
[WireType(typeof(Days))]
[WireType(typeof(Called))]
[WireType(typeof(Vector3))]
[WireType(typeof(IPAddress))]
[WireType(typeof(CultureInfo))]

// Values.cs.
[WireType(typeof(Half))]
[WireType(typeof(Complex))]
[WireType(typeof(Rune))]
[WireType(typeof(int[][]))]
[WireType(typeof(List<Money>))]
[WireType(typeof(List<double>))]
[WireType(typeof(TimeSpan?))]
[WireType(typeof(List<int?>))]
[WireType(typeof(List<Money?>))]
[WireType(typeof(Maybe))]
[WireType(typeof(Stock))]
[WireType(typeof(Pair<int>))]
[WireType(typeof(Pair<string>))]
[WireType(typeof(Holder<int>))]
[WireType(typeof(Holder<State>))]
[WireType(typeof(Level[]))]
[WireType(typeof(Dictionary<State, string>))]
[WireType(typeof(Dictionary<string, Money>))]
[WireType(typeof(Dictionary<int, double>))]
[WireType(typeof(Dictionary<Guid, Placed>))]
[WireType(typeof(HashSet<int>))]
[WireType(typeof(HashSet<string>))]
[WireType(typeof(KeyValuePair<int, Money>))]
[WireType(typeof((int, (string, double))))]
[WireType(typeof((string, string)))]
[WireType(typeof(Memory<byte>))]
[WireType(typeof(ArraySegment<int>))]
[WireType(typeof(ObservableCollection<string>))]
[WireType(typeof(ReadOnlyCollection<string>))]
[WireType(typeof(Collection<int>))]
[WireType(typeof(Lazy<string>))]
[WireType(typeof(ImmutableList<Money>))]
[WireType(typeof(ImmutableArray<Money>))]

// Messages.cs.
[WireType(typeof(Old))]
[WireType(typeof(New))]
[WireType(typeof(OldPoint))]
[WireType(typeof(NewPoint))]
[WireType(typeof(Named))]
[WireType(typeof(Nothing))]
[WireType(typeof(Dictionary<int, Money>))]
internal sealed partial class Written : WireTypes;
