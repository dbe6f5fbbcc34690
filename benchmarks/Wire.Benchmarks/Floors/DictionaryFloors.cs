using System.Buffers;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Bench;

namespace Wire.Benchmarks.Floors;

/// <summary>The count, then each key and its POCO.</summary>
internal readonly struct DictionaryFloor : IFloor<Dictionary<string, Poco>>
{
    public const int MinimumBytes = sizeof(ushort) + PocoItem.MinimumBytes;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(Dictionary<string, Poco> value, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        writer.Reserve(sizeof(int));
        writer.Int32(value.Count);
        foreach ((string key, Poco poco) in value)
        {
            WriteEntry(key, poco, ref writer);
        }

        writer.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Dictionary<string, Poco> Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        int count = reader.Count(MinimumBytes);
        var entries = new Dictionary<string, Poco>(count);
        for (int i = 0; i < count; i++)
        {
            entries.Add(reader.Text(), PocoItem.Read(ref reader));
        }

        return entries;
    }

    public static void WriteEntry(string key, Poco poco, ref SpanWriter writer)
    {
        writer.Reserve(SpanWriter.Room(key));
        writer.Text(key);
        PocoItem.Write(poco, ref writer);
    }
}

internal readonly struct ImmutableDictionaryFloor : IFloor<ImmutableDictionary<string, Poco>>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(ImmutableDictionary<string, Poco> value, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        writer.Reserve(sizeof(int));
        writer.Int32(value.Count);
        foreach ((string key, Poco poco) in value)
        {
            DictionaryFloor.WriteEntry(key, poco, ref writer);
        }

        writer.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ImmutableDictionary<string, Poco> Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        int count = reader.Count(DictionaryFloor.MinimumBytes);
        var entries = ImmutableDictionary.CreateBuilder<string, Poco>();
        for (int i = 0; i < count; i++)
        {
            entries.Add(reader.Text(), PocoItem.Read(ref reader));
        }

        return entries.ToImmutable();
    }
}
