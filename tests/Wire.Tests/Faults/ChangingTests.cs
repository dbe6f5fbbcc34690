using System.Collections;
using System.Collections.Concurrent;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Reflection;
using System.Text;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Faults;

/// <summary>
/// What changes while it is written, by another thread or by code that writing calls, is an error that says so, or can be read: it never
/// becomes a payload that nothing reads.
/// </summary>
public sealed class ChangingTests
{
    private static readonly SerializerOptions Options = SerializerOptions.Default with { PreserveObjectReferences = true };

    public static TheoryData<string> Names => [.. Changing.Select(each => each.Name)];

    /// <summary>Gets the collections anew: each counts what it has.</summary>
    internal static (string Name, Func<object> Make, Action<object, int> Change)[] Changing =>
    [
        .. Lists(number => number),
        .. Lists(number => $"{number}"),
        .. Lists(number => (number, $"{number}")),
        Of(() => new Dictionary<int, string>(), (all, n) => all[n % 90] = "x", all => all.Remove(5)),
        Of(() => new HashSet<int>(), (all, n) => all.Add(n % 90), all => all.Remove(5)),
        Of(() => new SortedDictionary<int, string>(), (all, n) => all[n % 90] = "x", all => all.Remove(5)),
        Of(() => new SortedSet<int>(), (all, n) => all.Add(n % 90), all => all.Remove(5)),
        Of(() => new LinkedList<int>(), (all, n) => all.AddLast(n), all => all.RemoveFirst()),
        Of(() => new Queue<int>(), (all, n) => all.Enqueue(n), all => all.Dequeue()),
        Of(() => new Stack<int>(), (all, n) => all.Push(n), all => all.Pop()),
        Of(() => new Collection<string>(), (all, n) => all.Add("x"), all => all.RemoveAt(0)),
        Of(() => new BindingList<string>(), (all, n) => all.Add("x"), all => all.RemoveAt(0)),
        Of(() => new ConcurrentDictionary<int, string>(), (all, n) => all[n % 90] = "x", all => all.TryRemove(5, out _)),
        Of(() => new ConcurrentQueue<int>(), (all, n) => all.Enqueue(n), all => all.TryDequeue(out _)),
        Of(() => new ArrayList(), (all, n) => all.Add("x"), all => all.RemoveAt(0)),
        Of(() => new Queue(), (all, n) => all.Enqueue("x"), all => all.Dequeue()),
        Of(() => new Stack(), (all, n) => all.Push("x"), all => all.Pop()),
        Of(() => new Hashtable(), (all, n) => all[n % 90] = "x", all => all.Remove(5)),
        Of(() => new SortedList(), (all, n) => all[n % 90] = "x", all => all.Remove(5)),
        Of(() => new StringCollection(), (all, n) => all.Add("x"), all => all.RemoveAt(0)),
        Of(() => new StringDictionary(), (all, n) => all[$"{n % 90}"] = "x", all => all.Remove("5")),
        Of(() => new NameValueCollection(), (all, n) => all.Set($"{n % 90}", "x"), all => all.Remove("5")),
        Of(() => new BitArray(1), (all, n) => all.Length += 9, all => all.Length = Math.Max(1, all.Length - 9)),
        Of(() => new StringBuilder(), (all, n) => all.Append('x'), all => all.Remove(0, 1)),
        Of(() => new MemoryStream(), (all, n) => all.Write(new byte[n % 90]), all => all.SetLength(0)),
    ];

    // As another thread sees it that is about to remove the last key.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_key_that_is_gone_is_an_error_of_the_writer(bool dynamicCode)
    {
        var list = new SortedList { ["a"] = 1, ["b"] = 2 };
        var keys = (object?[])typeof(SortedList).GetField("keys", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(list)!;
        keys[1] = null;
        var serializer = new Serializer(Options with { DynamicCode = dynamicCode });
        foreach (Action use in new Action[] { () => serializer.Serialize(list), () => serializer.Clone(list) })
        {
            Assert.Contains("changed", Assert.Throws<InvalidOperationException>(use).Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void By_another_thread(string name)
    {
        (_, Func<object> make, Action<object, int> change) = Changing.Single(each => each.Name == name);
        var serializer = new Serializer(Options);
        object shared = make();
        bool hasEnded = false;
        var changing = new Thread(() =>
        {
            var random = new Random(1);
            while (!Volatile.Read(ref hasEnded))
            {
                change(shared, random.Next(1, int.MaxValue));
            }
        });
        changing.Start();
        try
        {
            (int read, int refused) = (0, 0);
            long end = Environment.TickCount64 + (Sweep.IsWhole ? 5_000 : 50);
            for (int i = 0; read + refused < 200 || Environment.TickCount64 < end; i++)
            {
                try
                {
                    object back = i % 2 == 0 ? serializer.Deserialize<object>(serializer.Serialize(shared))! : serializer.Clone(shared);
                    Assert.Equal(shared.GetType(), back.GetType());
                    read++;
                }
                catch (Exception e) when (IsTorn(e))
                {
                    refused++;
                }
                catch (InvalidOperationException e)
                {
                    Assert.True(
                        e.Message.Contains("changed", StringComparison.Ordinal) || e.Message.Contains("modified", StringComparison.Ordinal),
                        $"{e}");
                    refused++;
                }
            }
        }
        finally
        {
            hasEnded = true;
            changing.Join();
        }
    }

    /// <summary>
    /// Returns whether a sorted list was met while it made room for a key: it has another one twice, for a moment in which nothing tells.
    /// </summary>
    internal static bool IsTorn(Exception e) =>
        e is WireFormatException && e.Message.Contains("a key appears twice", StringComparison.Ordinal)
        || e is ObjectGraphException { InnerException: WireFormatException inner } && IsTorn(inner);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_list_by_code_that_writing_it_calls(bool grows)
    {
        foreach (bool dynamicCode in new[] { true, false })
        {
            List<Meddler>? list = null;
            int left = 3;
            var serializer = new Serializer(Options with
            {
                DynamicCode = dynamicCode,
                Surrogates =
                [
                    Surrogate.Create<Meddler, string>(
                        value =>
                        {
                            if (--left == 0)
                            {
                                Change(list!, value);
                            }

                            return value.Text;
                        },
                        text => new Meddler(text)),
                ],
            });
            foreach (Action act in new Action[]
            {
                () => Assert.InRange(serializer.Deserialize<List<Meddler>>(serializer.Serialize(list))!.Count, 8, 10),
                () => Assert.IsType<List<Meddler>>(serializer.Deserialize<object[]>(serializer.Serialize(new object[] { list!, 5 }))![0]),
                () => Assert.InRange(serializer.Clone(list)!.Count, 8, 10),
            })
            {
                list = [.. Enumerable.Range(0, 9).Select(i => new Meddler($"{i}"))];
                left = 3;

                // A message may be begun anew: then it is what the list has become.
                if (Record.Exception(act) is { } error)
                {
                    Assert.IsType<InvalidOperationException>(error);
                    Assert.Contains($"changed from 9 to {(grows ? 10 : 8)} elements", error.Message, StringComparison.Ordinal);
                }

                Assert.True(left <= 0);
            }
        }

        void Change(List<Meddler> list, Meddler value)
        {
            if (grows)
            {
                list.Add(value);
            }
            else
            {
                list.RemoveAt(8);
            }
        }
    }

    private static IEnumerable<(string Name, Func<object> Make, Action<object, int> Change)> Lists<T>(
        Func<int, T> make)
    {
        yield return Of(() => new List<T>(), (all, n) => all.Add(make(n)), all => all.RemoveAt(all.Count - 1));
    }

    // It grows to some hundred elements, and becomes shorter now and then.
    private static (string Name, Func<object> Make, Action<object, int> Change) Of<T>(
        Func<T> make, Action<T, int> add, Action<T> remove)
        where T : class
    {
        int added = 0;
        return ($"{typeof(T)}", make, Change);

        void Change(object all, int n)
        {
            if (n % 3 > 0 && added < 300)
            {
                add((T)all, n);
                added++;
            }
            else if (added > 0)
            {
                remove((T)all);
                added--;
            }
        }
    }

    private sealed record Meddler(string Text);
}
