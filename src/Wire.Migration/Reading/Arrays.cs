using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.Migration.Reading;

/// <summary>Arrays: as objects of the graph, and as the storage of collections.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class Arrays
{
    /// <summary>Reads an array as an object.</summary>
    public static Array Read(GraphReader graph, ArrayRecord record)
    {
        Type type = graph.Resolve(record);
        if (!type.IsArray || type.GetArrayRank() != record.Rank || (record.Rank == 1 && !type.IsSZArray))
        {
            ThrowHelper.InvalidValue(type.ToString(), "it is not an array of the payload's form");
        }

        return Read(graph, record, type);
    }

    /// <summary>Reads an array as one of a type whose elements may be others.</summary>
    public static Array Read(GraphReader graph, ArrayRecord record, Type type)
    {
        Type element = type.GetElementType()!;
        int[] lengths = record.Lengths.ToArray();
        long count = Count(lengths);
        graph.TakeObject(type);
        graph.TakeElements(count, SizeOf(element));
        Array raw = Elements(graph, record, count);
        var array = Array.CreateInstance(element, lengths);
        graph.Track(array);
        if (raw.GetType() == type && element.IsPrimitive)
        {
            Buffer.BlockCopy(raw, 0, array, 0, Buffer.ByteLength(raw));
        }
        else
        {
            Fill(graph, array, raw);
        }

        return array;
    }

    /// <summary>Reads the first elements of the storage of a collection.</summary>
    /// <param name="graph">The graph.</param>
    /// <param name="stored">The array as the decoder has it; null for none.</param>
    /// <param name="element">The type of the elements.</param>
    /// <param name="start">The index of the first element.</param>
    /// <param name="count">The number of elements, which go on at the beginning of the storage; -1 for all of it.</param>
    public static Array Read(GraphReader graph, object? stored, Type element, int start = 0, int count = -1)
    {
        Array raw = stored switch
        {
            null => Array.Empty<object>(),
            ArrayRecord { Rank: 1 } record => Elements(graph, record, record.Lengths[0]),
            _ => throw ThrowHelper.NotValid("collection", "its elements are not an array"),
        };
        count = count == -1 ? raw.Length : count;
        if (count < 0 || count > raw.Length || start < 0 || (start >= raw.Length && count > 0))
        {
            ThrowHelper.InvalidValue("collection", $"it has {count} elements from {start} on, and room for {raw.Length}");
        }

        graph.TakeElements(count, SizeOf(element));
        var elements = Array.CreateInstance(element, count);
        if (element.IsPrimitive && raw.GetType().GetElementType() == element)
        {
            int first = Math.Min(count, raw.Length - start);
            Array.Copy(raw, start, elements, 0, first);
            Array.Copy(raw, 0, elements, first, count - first);
            return elements;
        }

        for (int i = 0; i < count; i++)
        {
            elements.SetValue(graph.ReadElement(i, raw.GetValue((int)(((long)start + i) % raw.Length)), element), i);
        }

        return elements;
    }

    /// <summary>Returns the bytes that an element takes.</summary>
    public static int SizeOf(Type element) => element.IsValueType ? RuntimeHelpers.SizeOf(element.TypeHandle) : IntPtr.Size;

    private static void Fill(GraphReader graph, Array array, Array raw)
    {
        Type element = array.GetType().GetElementType()!;
        if (raw is object?[] records && array.Rank == 1 && !element.IsValueType)
        {
            FillObjects(graph, (object?[])array, records, element);
            return;
        }

        int[] at = new int[array.Rank];
        for (int i = 0; i < array.Length; i++)
        {
            array.SetValue(graph.ReadElement(i, raw.GetValue(at), element), at);
            for (int rank = at.Length - 1; rank >= 0 && ++at[rank] == array.GetLength(rank); rank--)
            {
                at[rank] = 0;
            }
        }
    }

    // A few bytes can stand for any number of nulls, which are there already.
    private static void FillObjects(GraphReader graph, object?[] array, object?[] records, Type element)
    {
        for (int i = 0; i < records.Length; i++)
        {
            if (records[i] is { } record)
            {
                array[i] = graph.ReadElement(i, record, element);
            }
        }
    }

    // The decoder makes them when asked, and a few bytes can stand for any number of nulls.
    private static Array Elements(GraphReader graph, ArrayRecord record, long count)
    {
        graph.TakeElements(count, record is SZArrayRecord<SerializationRecord> or SZArrayRecord<string> ? IntPtr.Size : 0);
        return record switch
        {
            SZArrayRecord<SerializationRecord> records => records.GetArray(),
            SZArrayRecord<string> texts => texts.GetArray(),
            SZArrayRecord<bool> values => values.GetArray(),
            SZArrayRecord<byte> values => values.GetArray(),
            SZArrayRecord<sbyte> values => values.GetArray(),
            SZArrayRecord<char> values => values.GetArray(),
            SZArrayRecord<short> values => values.GetArray(),
            SZArrayRecord<ushort> values => values.GetArray(),
            SZArrayRecord<int> values => values.GetArray(),
            SZArrayRecord<uint> values => values.GetArray(),
            SZArrayRecord<long> values => values.GetArray(),
            SZArrayRecord<ulong> values => values.GetArray(),
            SZArrayRecord<float> values => values.GetArray(),
            SZArrayRecord<double> values => values.GetArray(),
            SZArrayRecord<decimal> values => values.GetArray(),
            SZArrayRecord<DateTime> values => values.GetArray(),
            SZArrayRecord<TimeSpan> values => values.GetArray(),
            _ => OfOtherRank(graph, record, count),
        };
    }

    // These are had by their type only. It decides about the elements when they are values of .NET without records.
    private static Array OfOtherRank(GraphReader graph, ArrayRecord record, long count)
    {
        graph.TakeElements(count, IntPtr.Size);
        Type type = graph.Resolve(record);
        return record.GetArray(record.TypeNameMatches(type) ? type : new OldArrayType(type, record.TypeName.FullName));
    }

    private static long Count(int[] lengths)
    {
        long count = 1;
        foreach (int length in lengths)
        {
            count = length == 0 || count == 0 ? 0 : Math.Min(count, int.MaxValue) * length;
        }

        return count;
    }

    /// <summary>The type of an array under the name that it had: the decoder compares names, and makes an array of records.</summary>
    private sealed class OldArrayType(Type type, string name) : TypeDelegator(type)
    {
        public override string FullName => name;
    }
}
