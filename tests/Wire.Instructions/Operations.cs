using System.Buffers;
using Bench;

namespace Wire.Instructions;

/// <summary>What is counted: the messages of the benchmarks for which the library promises most.</summary>
internal sealed class Operations
{
    private readonly ArrayBufferWriter<byte> _output = new(1 << 17);
    private readonly List<Operation> _all = [];

    // Where results go, so that none of the work is dead.
    private object? _read;

    private Operations()
    {
        AddPocos();
        AddOthers();
        AddTraffic();
        AddCopies();
        AddDoors();
        AddParts();
        AddInterpreted();
        AddFlat();
    }

    public static IReadOnlyList<Operation> All() => new Operations()._all;

    private void AddPocos()
    {
        Poco poco = Poco.Create(1);
        var serializer = new Serializer();
        Add(
            "POCO, SerializeTyped",
            2000,
            () => serializer.SerializeTyped(poco, _output),
            payload => serializer.DeserializeTyped<Poco>(payload));
        Add("POCO, defaults", 2000, () => serializer.Serialize<object>(poco, _output), payload => serializer.Deserialize<Poco>(payload));

        var known = new Serializer(new SerializerOptions { KnownTypes = [new(1, typeof(Poco))] });
        Add("POCO, known type", 2000, () => known.Serialize<object>(poco, _output), payload => known.Deserialize<Poco>(payload));

        // They live as long as the process.
        SerializerSession writing = serializer.GetSerializerSession();
        DeserializerSession reading = serializer.GetDeserializerSession();
        Add(
            "POCO, long-lived session",
            2000,
            () => serializer.Serialize<object>(poco, _output, writing),
            payload => serializer.Deserialize<Poco>(payload, reading));
    }

    private void AddOthers()
    {
        var serializer = new Serializer();
        var one = new OneInt { Number = 123_456_789 };
        Add("One int", 2000, () => serializer.Serialize<object>(one, _output), payload => serializer.Deserialize<OneInt>(payload));

        List<Poco> pocos = [.. Enumerable.Range(1, 1000).Select(Poco.Create)];
        Add(
            "List of 1,000 POCOs",
            20,
            () => serializer.Serialize<object>(pocos, _output),
            payload => serializer.Deserialize<List<Poco>>(payload));

        var references = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
        TreeNode tree = TreeNode.Create(levels: 8);
        Add(
            "Tree of 255 nodes, references",
            40,
            () => references.Serialize<object>(tree, _output),
            payload => references.Deserialize<TreeNode>(payload));

        int[] numbers = [.. Enumerable.Range(0, 10_000).Select(i => i * 7919)];
        Add("int[10,000]", 100, () => serializer.Serialize<object>(numbers, _output), payload => serializer.Deserialize<int[]>(payload));
    }

    private void AddCopies()
    {
        var serializer = new Serializer();
        var references = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
        Poco poco = Poco.Create(1);
        List<Poco> pocos = [.. Enumerable.Range(1, 1000).Select(Poco.Create)];
        TreeNode tree = TreeNode.Create(levels: 8);
        _all.Add(new("POCO, clone", 2000, () => _read = serializer.Clone(poco)));
        _all.Add(new("List of 1,000 POCOs, clone", 20, () => _read = serializer.Clone(pocos)));
        _all.Add(new("Tree of 255 nodes, references, clone", 40, () => _read = references.Clone(tree)));
    }

    // The same message through the other ways in and out.
    private void AddDoors()
    {
        Poco poco = Poco.Create(1);
        var serializer = new Serializer();
        byte[] payload = serializer.Serialize(poco);
        var sequence = new ReadOnlySequence<byte>(payload);
        _all.Add(new("POCO, sequence of one segment, read", 2000, () => _read = serializer.Deserialize<Poco>(sequence)));
        _all.Add(new("POCO, read, with the bytes consumed", 2000, () => _read = serializer.Deserialize<Poco>(payload, out int _)));

        var stream = new MemoryStream(1 << 10);
        _all.Add(new("POCO, memory stream, write", 1000, () =>
        {
            stream.Position = 0;
            serializer.Serialize(poco, stream);
        }));
        _all.Add(new("POCO, memory stream, read", 1000, () =>
        {
            stream.Position = 0;
            _read = serializer.Deserialize<Poco>(stream);
        }));

        var other = new CountingStream();
        _all.Add(new("POCO, other stream, write", 1000, () => serializer.Serialize(poco, other)));

        // They live as long as the process.
        SerializerSession writing = serializer.GetSerializerSession();
        DeserializerSession reading = serializer.GetDeserializerSession();
        serializer.Deserialize<Poco>(serializer.Serialize(poco, writing), reading);
        var message = new ReadOnlySequence<byte>(serializer.Serialize(poco, writing));
        _all.Add(new("POCO, array of a session, write", 2000, () => _read = serializer.Serialize(poco, writing)));
        _all.Add(new("POCO, sequence of a session, read", 2000, () => _read = serializer.Deserialize<Poco>(message, reading)));
    }

    // What looks into a message rather than reading it whole.
    private void AddParts()
    {
        Order order = Seeded.Order(1), equal = Seeded.Order(1);
        Poco poco = Poco.Create(1), same = Poco.Create(1);
        var serializer = new Serializer(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Order>("order") });
        var behind = new Serializer(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<OrderHead>("order") });
        byte[] payload = serializer.Serialize(order);
        _all.Add(new("Order of 40 members, 37 skipped, read", 200, () => _read = behind.Deserialize<OrderHead>(payload)));
        _all.Add(new("One part of an order, read", 200, () => _read = serializer.Read<string>(payload, nameof(Order.Customer))));

        var equality = new GraphEquality(serializer);
        _all.Add(new("POCO, compared", 200, () => _read = equality.AreEqual(poco, same) ? poco : null));
        _all.Add(new("Order of 40 members, compared", 20, () => _read = equality.AreEqual(order, equal) ? order : null));
    }

    // What native code does, beside the code that is emitted for the same: with references, so that neither is the flat code of a message.
    private void AddInterpreted()
    {
        var emitting = new SerializerOptions
        {
            PreserveObjectReferences = true,
            TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(Mixed).Assembly),
        };
        foreach ((string name, SerializerOptions options) in new[]
        {
            ("references", emitting),
            ("references, interpreted", emitting with { DynamicCode = false }),
            ("references, generated", emitting with { DynamicCode = false, Types = GeneratedMessages.Default }),
        })
        {
            var serializer = new Serializer(options);
            Order order = Seeded.Order(1);
            Add(
                $"Order of 40 members, {name}",
                200,
                () => serializer.Serialize<object>(order, _output),
                payload => serializer.Deserialize<Order>(payload));

            object[] mixed = Mixed.Messages(64);
            Add(
                $"64 mixed objects, {name}",
                40,
                () => serializer.Serialize<object>(mixed, _output),
                payload => serializer.Deserialize<object[]>(payload));
        }
    }

    // Without references, each of these messages is flat.
    private void AddFlat()
    {
        var emitting = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(Mixed).Assembly) };
        foreach ((string name, SerializerOptions options) in new[]
        {
            ("flat", emitting),
            ("flat, interpreted", emitting with { DynamicCode = false }),
            ("flat, generated", emitting with { DynamicCode = false, Types = GeneratedMessages.Default }),
        })
        {
            var serializer = new Serializer(options);
            Order order = Seeded.Order(1);
            Add(
                $"Order of 40 members, {name}",
                200,
                () => serializer.Serialize<object>(order, _output),
                payload => serializer.Deserialize<Order>(payload));
            AddAll(
                $"Mixed types, {name}",
                Mixed.Messages(64),
                value => serializer.Serialize(value, _output),
                payload => serializer.Deserialize<object>(payload));
        }
    }

    // One operation is all messages, of eight classes in random order, or of one class with texts of all kinds.
    private void AddTraffic()
    {
        var options = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(Mixed).Assembly) };
        var serializer = new Serializer(options);
        object[] mixed = Mixed.Messages(64);
        AddAll(
            "Mixed types, defaults",
            mixed,
            value => serializer.Serialize(value, _output),
            payload => serializer.Deserialize<object>(payload));

        SerializerSession writing = serializer.GetSerializerSession();
        DeserializerSession reading = serializer.GetDeserializerSession();
        AddAll(
            "Mixed types, long-lived session",
            mixed,
            value => serializer.Serialize(value, _output, writing),
            payload => serializer.Deserialize<object>(payload, reading));

        object[] texts = Mixed.Texts(64);
        AddAll(
            "Varied text, defaults",
            texts,
            value => serializer.Serialize(value, _output),
            payload => serializer.Deserialize<object>(payload));

        var other = new Serializer(options);
        AddAll(
            "Mixed types, two serializers in turn",
            mixed,
            value =>
            {
                other.Serialize(value, _output);
                _output.ResetWrittenCount();
                serializer.Serialize(value, _output);
            },
            payload =>
            {
                other.Deserialize<object>(payload);
                return serializer.Deserialize<object>(payload);
            });
    }

    // One operation is all of them.
    private void AddAll(string name, object[] messages, Action<object> write, Func<byte[], object?> read)
    {
        byte[][] payloads = [];
        for (int round = 0; round < 3; round++)
        {
            payloads = [.. messages.Select(Payload)];
            ReadAll();
        }

        Add(name, 40, () => Array.ForEach(messages, write), _ => ReadAll());

        byte[] Payload(object message)
        {
            _output.ResetWrittenCount();
            write(message);
            return _output.WrittenSpan.ToArray();
        }

        object? ReadAll()
        {
            object? last = null;
            foreach (byte[] payload in payloads)
            {
                last = read(payload);
            }

            return last;
        }
    }

    // The first message of a session carries the manifest; the second is like all that follow.
    private void Add(string name, int times, Action write, Func<byte[], object?> read)
    {
        Read(Payload());
        byte[] payload = Payload();
        Read(payload);
        _all.Add(new($"{name}, write", times, Write));
        _all.Add(new($"{name}, read", times, () => Read(payload)));

        void Write()
        {
            _output.ResetWrittenCount();
            write();
        }

        byte[] Payload()
        {
            Write();
            return _output.WrittenSpan.ToArray();
        }

        void Read(byte[] bytes) => _read = read(bytes);
    }
}
