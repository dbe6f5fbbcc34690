using System.Text.Json;
using Xunit;
using static System.FormattableString;

namespace Wire.Tests.Documents;

/// <summary>Walks through a document in every way that there is, and checks that all of them find the same nodes.</summary>
internal static class NodeWalk
{
    // Small values are looked up one by one.
    private const int Few = 50;

    // Beyond that, .NET's own reader of JSON goes on no further.
    private const int ReadDepth = 2000;

    /// <summary>Parses a payload, walks through it, and reads its JSON.</summary>
    public static PayloadDocument Check(byte[] payload)
    {
        var document = PayloadDocument.Parse(payload);
        Check(document);
        return document;
    }

    /// <summary>Walks through a document, and reads its JSON.</summary>
    public static void Check(PayloadDocument document, bool isWhole = true)
    {
        PayloadNode root = document.Root;
        Assert.Equal(1, root.Offset);
        Assert.InRange(root.Length, isWhole ? document.Payload.Length - 1 : 1, document.Payload.Length - 1);
        var open = new Stack<PayloadNode>([root]);
        while (open.TryPop(out PayloadNode node))
        {
            Check(node, open, isWhole);
        }

        using var json = JsonDocument.Parse(document.ToString(), new JsonDocumentOptions { MaxDepth = ReadDepth });
    }

    /// <summary>Lists nodes with paths to them, from the root down; of collections the first elements.</summary>
    public static IEnumerable<(string Path, PayloadNode Node)> Paths(PayloadNode root)
    {
        var open = new Queue<(string Path, PayloadNode Node)>([("", root)]);
        while (open.TryDequeue(out (string Path, PayloadNode Node) next))
        {
            yield return next;
            (string Step, PayloadNode Part)[] parts = next.Node.Kind switch
            {
                PayloadKind.Members or PayloadKind.Union =>
                    [.. next.Node.EnumerateMembers().Take(Few).Select(member => ($"[\"{Escape(member.Name)}\"]", member.Value))],
                PayloadKind.Sequence or PayloadKind.Set or PayloadKind.Array =>
                    [.. next.Node.EnumerateElements().Take(Few).Select((element, i) => (Invariant($"[{i}]"), element))],
                PayloadKind.Map =>
                [
                    .. next.Node.EnumeratePairs().Take(Few)
                        .Where(pair => pair.Key.Kind == PayloadKind.Scalar && pair.Key.ScalarType == typeof(string))
                        .Select(pair => ($"[\"{Escape(pair.Key.GetText())}\"]", pair.Value)),
                ],
                _ => [],
            };
            foreach ((string step, PayloadNode part) in parts)
            {
                open.Enqueue((next.Path + step, part));
            }
        }
    }

    private static void Check(PayloadNode node, Stack<PayloadNode> open, bool isWhole)
    {
        Assert.InRange(node.Length, 1, node.RawBytes.Length);
        switch (node.Kind)
        {
            case PayloadKind.Members or PayloadKind.Union:
                PayloadMember[] members = [.. node.EnumerateMembers()];
                Lie(node, [.. members.Select(member => member.Value)], open, isWhole);
                foreach ((string name, PayloadNode value) in members.Take(Few))
                {
                    Assert.True(node.TryGetMember(name, out PayloadNode found));
                    Same(value, found);
                    Same(value, node[name]);
                    Assert.True(node.TryGet($"[\"{Escape(name)}\"]", out found));
                    Same(value, found);
                }

                Assert.False(node.TryGetMember("no such member", out _));
                break;
            case PayloadKind.Sequence or PayloadKind.Set or PayloadKind.Array:
                PayloadNode[] elements = [.. node.EnumerateElements()];
                Lie(node, elements, open, isWhole);
                for (int i = 0; i < Math.Min(Few, elements.Length); i++)
                {
                    Same(elements[i], node[i]);
                }

                Assert.Throws<ArgumentOutOfRangeException>(() => node[elements.Length]);
                break;
            case PayloadKind.Map:
                PayloadPair[] pairs = [.. node.EnumeratePairs()];
                Lie(node, [.. pairs.SelectMany(pair => new[] { pair.Key, pair.Value })], open, isWhole);
                break;
            case PayloadKind.Reference:
                Refer(node);
                break;
            case PayloadKind.Scalar:
                Assert.NotNull(node.ScalarType);
                break;
        }
    }

    private static void Refer(PayloadNode node)
    {
        try
        {
            Assert.Equal(node.ObjectNumber, node.Target.ObjectNumber);
        }
        catch (InvalidOperationException exception)
        {
            Assert.EndsWith("lies inside of bytes that only its own serializer can read.", exception.Message, StringComparison.Ordinal);
        }
    }

    // Parts lie inside, in order, and without room between them.
    // Behind the last part of a value in which a payload ends too early are the bytes of the next one that are there.
    private static void Lie(PayloadNode node, PayloadNode[] parts, Stack<PayloadNode> open, bool isWhole)
    {
        Assert.Equal(parts.Length, node.Kind == PayloadKind.Map ? 2 * node.Count : node.Count);
        for (int i = 0; i < parts.Length; i++)
        {
            int next = i + 1 < parts.Length ? parts[i + 1].Offset : node.Offset + node.Length;
            Assert.InRange(parts[i].Offset + parts[i].Length, isWhole || i + 1 < parts.Length ? next : parts[i].Offset, next);
            open.Push(parts[i]);
        }

        Assert.True(parts.Length == 0 || parts[0].Offset >= node.Offset);
    }

    private static string Escape(string name) =>
        name.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal);

    private static void Same(PayloadNode expected, PayloadNode actual) => Assert.Equal(
        (expected.Kind, expected.Offset, expected.Length, expected.TypeName), (actual.Kind, actual.Offset, actual.Length, actual.TypeName));
}
