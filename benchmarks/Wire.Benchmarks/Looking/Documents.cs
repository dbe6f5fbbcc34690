using System.Text.Json;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Looking;

/// <summary>
/// One value of a message that is not read as an object: by <c>Serializer.Read</c>, by a <see cref="PayloadPath{T}"/> that is kept, which
/// makes no string, and by <see cref="PayloadDocument"/>, beside reading all of it, and beside <see cref="JsonDocument"/> over the same
/// data as JSON.
/// </summary>
internal static class Documents
{
    private const int Elements = 1000;

    private static readonly Serializer Serializer =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Poco>().Allow<Order>().Allow<OrderStatus>() });

    public static void Run()
    {
        List<string[]> lines = [["Message", "by", "ns", "x", "B"]];
        Poco poco = Poco.Create(1);
        Order order = Seeded.Order(seed: 1);
        List<Poco> list = [.. Enumerable.Range(0, Elements).Select(Poco.Create)];
        foreach (Interleaved scenario in new[]
        {
            Scenario(
                "POCO, the last member",
                poco,
                100,
                poco.StringProp,
                "StringProp",
                node => node["StringProp"],
                json => json.GetProperty("StringProp")),
            Scenario(
                "40 members, the second",
                order,
                20,
                order.Channel,
                "Channel",
                node => node["Channel"],
                json => json.GetProperty("Channel")),
            Scenario(
                "40 members, the last", order, 20, order.Weight, "Weight", node => node["Weight"], json => json.GetProperty("Weight")),
            Scenario(
                "1,000 POCOs, the last one",
                list,
                1,
                list[^1].StringProp,
                $"[{Elements - 1}].StringProp",
                node => node[Elements - 1]["StringProp"],
                json => json[Elements - 1].GetProperty("StringProp")),
        })
        {
            lines.AddRange(scenario.Measure());
        }

        string table = $"{Machine.Describe()}\n\n{Table.Format(lines)}\n"
            + $"One look in {Interleaved.Method} (`./bench.sh --documents`).";
        Console.WriteLine(table);
        Page.Documents.Write("documents", table);
    }

    private static Interleaved Scenario<T, TValue>(
        string name,
        T message,
        int batch,
        TValue value,
        string path,
        Func<PayloadNode, PayloadNode> look,
        Func<JsonElement, JsonElement> lookInJson)
        where T : class
    {
        byte[] payload = Serializer.Serialize(message);
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(message);
        var document = PayloadDocument.Parse(payload);
        using var jsonDocument = JsonDocument.Parse(json);
        PayloadPath<TValue> kept = Serializer.Path<TValue>(path);
        Action<int> byPath = kept is PayloadPath<string> text ? ReadText(text, payload) : Read(kept, payload);
        if (!Equals(kept.Read(payload), value)
            || !Equals(Serializer.Read<TValue>(payload, path), value)
            || !Equals(look(document.Root).GetValue<TValue>(), value)
            || !Equals(lookInJson(jsonDocument.RootElement).Deserialize<TValue>(), value))
        {
            throw new InvalidOperationException($"{name}: another value was found.");
        }

        return new Interleaved(
            name,
            batch,
            1,
            [
                ("Deserialize, all of it", Repeat(() => Interleaved.Result = Serializer.Deserialize<T>(payload))),
                ("Read, the value alone", Repeat(() => Serializer.Read<TValue>(payload, path))),
                ("PayloadPath, kept", byPath),
                ("PayloadDocument, parsed before", Repeat(() => look(document.Root))),
                ("PayloadDocument", Repeat(() => look(PayloadDocument.Parse(payload).Root))),
                ("JsonSerializer.Deserialize, all of it", Repeat(() => Interleaved.Result = JsonSerializer.Deserialize<T>(json))),
                ("JsonDocument", Repeat(() => LookIn(json, lookInJson))),
            ]);
    }

    private static Action<int> Read<T>(PayloadPath<T> path, byte[] payload) => times =>
    {
        for (int i = 0; i < times; i++)
        {
            path.TryRead(payload, out _);
        }
    };

    private static Action<int> ReadText(PayloadPath<string> path, byte[] payload) => times =>
    {
        for (int i = 0; i < times; i++)
        {
            path.TryReadText(payload, out _);
        }
    };

    private static void LookIn(byte[] json, Func<JsonElement, JsonElement> look)
    {
        using var document = JsonDocument.Parse(json);
        look(document.RootElement);
    }

    private static Action<int> Repeat(Action look) => times =>
    {
        for (int i = 0; i < times; i++)
        {
            look();
        }
    };
}
