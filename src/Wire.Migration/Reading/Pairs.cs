using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.Migration.Reading;

/// <summary>The pairs of dictionaries whose keys and values were stored apart.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class Pairs
{
    /// <summary>Reads keys and values from two arrays.</summary>
    /// <param name="graph">The graph.</param>
    /// <param name="keys">The array of the keys, as the decoder has it.</param>
    /// <param name="values">That of the values.</param>
    /// <param name="count">How many of them count; -1 for all.</param>
    /// <param name="pair">The type of the pairs.</param>
    public static Array Read(GraphReader graph, object? keys, object? values, int count, Type pair)
    {
        Type[] types = pair.GetGenericArguments();
        Array read = Arrays.Read(graph, keys, types[0], 0, count);
        return Join(read, Arrays.Read(graph, values, types[1], 0, count), pair);
    }

    /// <summary>Reads keys and values from a chain of nodes.</summary>
    public static Array OfNodes(GraphReader graph, Stored dictionary, Type pair)
    {
        Type[] types = pair.GetGenericArguments();
        var nodes = new List<Stored>();
        var seen = new HashSet<ClassRecord>(ReferenceEqualityComparer.Instance);
        for (ClassRecord? node = dictionary.Record("head"); node is not null; node = nodes[^1].Record("next"))
        {
            if (!seen.Add(node))
            {
                ThrowHelper.InvalidValue("dictionary", "its nodes are in a circle");
            }

            nodes.Add(new Stored(node, typeof(object)));
        }

        graph.TakeElements(nodes.Count, Arrays.SizeOf(pair));
        var keys = Array.CreateInstance(types[0], nodes.Count);
        var values = Array.CreateInstance(types[1], nodes.Count);
        for (int i = 0; i < nodes.Count; i++)
        {
            keys.SetValue(graph.ReadElement(i, nodes[i]["key"], types[0]), i);
            values.SetValue(graph.ReadElement(i, nodes[i]["value"], types[1]), i);
        }

        return Join(keys, values, pair);
    }

    /// <summary>Makes pairs of keys and values in the same order.</summary>
    public static Array Join(Array keys, Array values, Type pair)
    {
        if (keys.Length != values.Length)
        {
            ThrowHelper.InvalidValue("dictionary", $"it has {keys.Length} keys and {values.Length} values");
        }

        Type[] types = pair.GetGenericArguments();
        var pairs = Array.CreateInstance(pair, keys.Length);
        for (int i = 0; i < keys.Length; i++)
        {
            object? key = Fitting.ToVariable(keys.GetValue(i), types[0]);
            pairs.SetValue(Activator.CreateInstance(pair, key, Fitting.ToVariable(values.GetValue(i), types[1])), i);
        }

        return pairs;
    }
}
