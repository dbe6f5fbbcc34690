using System.Buffers;
using System.Collections.Immutable;
using Bench;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Allocations;

/// <summary>
/// What a call allocates in steady state, exactly, for the messages of the benchmarks: writing to a buffer writer nothing, and reading
/// what code that makes the same objects by hand allocates. The figures of both come from the same measurement.
/// </summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public class AllocationTests
{
    private static readonly WireTypeFilter Filter = WireTypeFilter.Default.Allow<Poco>().Allow<Color>().AllowDerivedFrom<IShape>();

    private static readonly SerializerOptions Defaults = new() { TypeFilter = Filter };

    public static TheoryData<string> Modes => [.. Options.Keys];

    private static Dictionary<string, SerializerOptions> Options { get; } = new()
    {
        ["defaults"] = Defaults,
        ["no version tolerance"] = Defaults with { VersionTolerance = false },
        ["known types"] = Defaults with
        {
            KnownTypes = [new(1, typeof(Poco)), new(2, typeof(OneInt)), new(3, typeof(Order)), new(4, typeof(Dot))],
        },
        ["references"] = Defaults with { PreserveObjectReferences = true },
    };

    [Theory]
    [MemberData(nameof(Modes))]
    public void Poco_message(string mode) => Check(mode, Poco.Create(1), Copies.Copy);

    [Theory]
    [MemberData(nameof(Modes))]
    public void One_int(string mode) => Check(mode, new OneInt { Number = 123_456_789 }, one => new OneInt { Number = one.Number });

    [Theory]
    [MemberData(nameof(Modes))]
    public void One_string(string mode) =>
        Check(mode, new OneString { Text = "a line of text, as in a log" }, one => new OneString { Text = Copies.Copy(one.Text!) });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Forty_members(string mode) => Check(mode, Seeded.Order(1), Copies.Copy);

    [Theory]
    [MemberData(nameof(Modes))]
    public void Nested_objects(string mode) => Check(
        mode,
        new Between { From = new Account { Bank = 1, Number = 2 }, To = new Account { Number = 3 }, Amount = 4.5m },
        transfer => new Between
        {
            From = new Account { Bank = transfer.From!.Bank, Number = transfer.From.Number },
            To = new Account { Bank = transfer.To!.Bank, Number = transfer.To.Number },
            Amount = transfer.Amount,
        });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Small_list_of_objects(string mode) => Check(
        mode,
        new Purchase { Customer = "Ёлка", Lines = [.. Enumerable.Range(1, 5).Select(i => new Line { Product = i })] },
        purchase => new Purchase
        {
            Customer = Copies.Copy(purchase.Customer!),
            Lines = Copies.Copy(
                purchase.Lines!, line => new Line { Product = line.Product, Quantity = line.Quantity, Price = line.Price }),
        });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Mixed_array(string mode) => Check(mode, Messages.Arguments(), Copies.Copy);

    [Theory]
    [MemberData(nameof(Modes))]
    public void List_of_pocos(string mode) => Check(mode, new List<Poco>(Seeded.Pocos(Messages.Count)), list =>
    {
        var copy = new List<Poco>(list.Count);
        foreach (Poco poco in list)
        {
            copy.Add(Copies.Copy(poco));
        }

        return copy;
    });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Array_of_pocos(string mode) => Check(mode, Seeded.Pocos(Messages.Count).ToArray(), pocos =>
    {
        var copy = new Poco[pocos.Length];
        for (int i = 0; i < copy.Length; i++)
        {
            copy[i] = Copies.Copy(pocos[i]);
        }

        return copy;
    });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Dictionary_of_pocos(string mode) => Check(mode, Messages.Pairs().ToDictionary(), pairs =>
    {
        var copy = new Dictionary<string, Poco>(pairs.Count);
        foreach ((string key, Poco poco) in pairs)
        {
            copy.Add(Copies.Copy(key), Copies.Copy(poco));
        }

        return copy;
    });

    // Made one after the other, an immutable collection is a builder that becomes one.
    [Theory]
    [MemberData(nameof(Modes))]
    public void Immutable_list_of_pocos(string mode) => Check(mode, Seeded.Pocos(Messages.Count).ToImmutableList(), list =>
    {
        ImmutableList<Poco>.Builder copy = ImmutableList.CreateBuilder<Poco>();
        foreach (Poco poco in list)
        {
            copy.Add(Copies.Copy(poco));
        }

        return copy.ToImmutable();
    });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Immutable_dictionary_of_pocos(string mode) => Check(mode, Messages.Pairs().ToImmutableDictionary(), pairs =>
    {
        ImmutableDictionary<string, Poco>.Builder copy = ImmutableDictionary.CreateBuilder<string, Poco>();
        foreach ((string key, Poco poco) in pairs)
        {
            copy.Add(Copies.Copy(key), Copies.Copy(poco));
        }

        return copy.ToImmutable();
    });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Members_of_an_interface(string mode) => Check(mode, new List<Figure>(Messages.Figures()), list =>
    {
        var copy = new List<Figure>(list.Count);
        foreach (Figure figure in list)
        {
            copy.Add(new Figure { Id = figure.Id, Shape = Copies.Copy(figure.Shape!) });
        }

        return copy;
    });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Array_of_ints(string mode) => Check(mode, Enumerable.Range(0, 100_000).ToArray(), numbers => (int[])numbers.Clone());

    [Theory]
    [MemberData(nameof(Modes))]
    public void Large_text_beyond_Latin(string mode) =>
        Check(mode, string.Concat(Enumerable.Repeat("Привет 你好世界 — 😀 ", 10_000)), Copies.Copy);

    [Theory]
    [MemberData(nameof(Modes))]
    public void Set_of_texts(string mode) => Check(mode, new HashSet<string>(Texts()), set =>
    {
        var copy = new HashSet<string>(set.Count);
        foreach (string text in set)
        {
            copy.Add(Copies.Copy(text));
        }

        return copy;
    });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Dictionary_that_ignores_case(string mode) =>
        Check(mode, Texts().ToDictionary(text => text, text => text.Length, StringComparer.OrdinalIgnoreCase), pairs =>
    {
        var copy = new Dictionary<string, int>(pairs.Count, StringComparer.OrdinalIgnoreCase);
        foreach ((string key, int value) in pairs)
        {
            copy.Add(Copies.Copy(key), value);
        }

        return copy;
    });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Set_of_many_numbers(string mode) => Check(mode, Enumerable.Range(0, Messages.Count).ToHashSet(), set =>
    {
        var copy = new HashSet<int>(set.Count);
        foreach (int number in set)
        {
            copy.Add(number);
        }

        return copy;
    });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Queue_of_texts(string mode) => Check(mode, new Queue<string>(Texts()), queue =>
    {
        var copy = new Queue<string>(queue.Count);
        foreach (string text in queue)
        {
            copy.Enqueue(Copies.Copy(text));
        }

        return copy;
    });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Linked_list_of_texts(string mode) => Check(mode, new LinkedList<string>(Texts()), list =>
    {
        var copy = new LinkedList<string>();
        foreach (string text in list)
        {
            copy.AddLast(Copies.Copy(text));
        }

        return copy;
    });

    [Theory]
    [MemberData(nameof(Modes))]
    public void Immutable_set_of_texts(string mode) => Check(mode, Texts().ToImmutableHashSet(), set =>
    {
        ImmutableHashSet<string>.Builder copy = ImmutableHashSet.CreateBuilder<string>();
        foreach (string text in set)
        {
            copy.Add(Copies.Copy(text));
        }

        return copy.ToImmutable();
    });

    [Fact]
    public void Tree_with_parent_links() => Check("references", TreeNode.Create(levels: 8), root => Copies.Copy(root));

    [Fact]
    public void Messages_of_a_session()
    {
        Poco poco = Poco.Create(1);
        var serializer = new Serializer(Defaults);
        var output = new ArrayBufferWriter<byte>(1 << 10);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        void Write()
        {
            output.ResetWrittenCount();
            serializer.Serialize(poco, output, writing);
        }

        Write();
        Assert.NotNull(serializer.Deserialize<Poco>(output.WrittenSpan, reading));
        Write();
        byte[] payload = output.WrittenSpan.ToArray();
        Check(poco, Copies.Copy, [Write], [() => serializer.Deserialize<Poco>(payload, reading)!]);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Mixed_types(string mode) => CheckTraffic(mode, Mixed.Messages(Messages.Traffic), serializers: 1);

    [Theory]
    [MemberData(nameof(Modes))]
    public void Varied_text(string mode) => CheckTraffic(mode, Mixed.Texts(Messages.Traffic), serializers: 1);

    [Theory]
    [MemberData(nameof(Modes))]
    public void Two_serializers_in_turn(string mode) => CheckTraffic(mode, Mixed.Messages(Messages.Traffic), serializers: 2);

    // A session of each serializer, as an actor system has one for each connection.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Mixed_types_of_sessions(int serializers)
    {
        Serializer[] all = Serializers(Defaults, serializers);
        SerializerSession[] writing = [.. all.Select(serializer => serializer.GetSerializerSession())];
        DeserializerSession[] reading = [.. all.Select(serializer => serializer.GetDeserializerSession())];
        CheckTraffic(
            Mixed.Messages(Messages.Traffic),
            serializers,
            (value, output, i) => all[i].Serialize(value, output, writing[i]),
            (payload, i) => all[i].Deserialize<object>(payload, reading[i])!);
        Array.ForEach(writing, session => session.Dispose());
        Array.ForEach(reading, session => session.Dispose());
    }

    private static void CheckTraffic(string mode, object[] messages, int serializers)
    {
        Serializer[] all = Serializers(Options[mode], serializers);
        CheckTraffic(
            messages, serializers, (value, output, i) => all[i].Serialize(value, output), (payload, i) => all[i]
                .Deserialize<object>(payload)!);
    }

    private static Serializer[] Serializers(SerializerOptions options, int count)
    {
        SerializerOptions allowing = options with { TypeFilter = Filter.AllowAssembly(typeof(Mixed).Assembly) };
        return [.. Enumerable.Range(0, count).Select(_ => new Serializer(allowing))];
    }

    // Each message is written, or read, by each of the serializers before the next one.
    private static void CheckTraffic(
        object[] messages, int serializers, Action<object, ArrayBufferWriter<byte>, int> write, Func<byte[], int, object> read)
    {
        var output = new ArrayBufferWriter<byte>(1 << 20);

        // Later messages of a session are all alike.
        Payloads(messages);
        byte[][] payloads = Payloads(messages);
        object[] copies = CopyAll(messages);
        Assert.Equal(payloads, Payloads([.. copies.Where((_, i) => i % serializers == 0)]));
        Check(messages, CopyAll, [Write], [() => ReadAll(payloads)]);

        byte[][] Payloads(object[] values)
        {
            byte[][] written = [.. values.SelectMany(value => Enumerable.Range(0, serializers).Select(i =>
            {
                output.ResetWrittenCount();
                write(value, output, i);
                return output.WrittenSpan.ToArray();
            }))];
            ReadAll(written);
            return written;
        }

        void Write()
        {
            output.ResetWrittenCount();
            foreach (object message in messages)
            {
                for (int i = 0; i < serializers; i++)
                {
                    write(message, output, i);
                }
            }
        }

        object[] ReadAll(byte[][] from)
        {
            object[] values = new object[from.Length];
            for (int i = 0; i < values.Length; i++)
            {
                values[i] = read(from[i], i % serializers);
            }

            return values;
        }

        object[] CopyAll(object[] values)
        {
            object[] made = new object[values.Length * serializers];
            for (int i = 0; i < made.Length; i++)
            {
                made[i] = Copies.CopyMessage(values[i / serializers]);
            }

            return made;
        }
    }

    private static IEnumerable<string> Texts() => Enumerable.Range(0, 100).Select(i => $"text {i}");

    private static void Check<T>(string mode, T value, Func<T, T> copy)
        where T : class
    {
        var serializer = new Serializer(Options[mode]);
        var output = new ArrayBufferWriter<byte>(1 << 20);
        byte[] payload = serializer.Serialize(value);
        byte[] typed = serializer.SerializeTyped(value);

        // What is made by hand is the same: of another copy nothing would follow.
        Assert.Equal(typed, serializer.SerializeTyped(copy(value)));
        Check(
            value,
            copy,
            [
                () =>
                {
                    output.ResetWrittenCount();
                    serializer.Serialize(value, output);
                },
                () =>
                {
                    output.ResetWrittenCount();
                    serializer.SerializeTyped(value, output);
                },
            ],
            [() => serializer.Deserialize<T>(payload)!, () => serializer.DeserializeTyped<T>(typed)!]);
    }

    private static void Check<T>(T value, Func<T, T> copy, Action[] writes, Func<T>[] reads)
        where T : class
    {
        // Kept, so that nothing that is made can be left out.
        object? made = null;
        var byHand = new Gauge(() => made = copy(value));
        Gauge[] writing = [.. writes.Select(write => new Gauge(write))];
        Gauge[] reading = [.. reads.Select(read => new Gauge(() => made = read()))];
        Gauge.Settle(
            () => writing.All(gauge => gauge.BytesOfTenCalls == 0) && reading.All(gauge => gauge.BytesOfTenCalls == byHand.BytesOfTenCalls),
            [byHand, .. writing, .. reading]);

        Assert.IsType(value.GetType(), made);
        Assert.All(writing, gauge => Assert.Equal(0, gauge.BytesOfTenCalls));
        Assert.All(reading, gauge => Assert.Equal(byHand.BytesOfTenCalls, gauge.BytesOfTenCalls));
    }

    private sealed class Between
    {
        public Account? From { get; set; }

        public Account? To { get; set; }

        public decimal Amount { get; set; }
    }

    private sealed class Purchase
    {
        public string? Customer { get; set; }

        public List<Line>? Lines { get; set; }
    }
}
