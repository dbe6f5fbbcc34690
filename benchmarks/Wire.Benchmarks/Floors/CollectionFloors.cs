using System.Buffers;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Wire.Benchmarks.Floors;

/// <summary>The count, then each POCO.</summary>
internal readonly struct ArrayFloor : IFloor<Poco[]>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(Poco[] value, IBufferWriter<byte> output) => Write((ReadOnlySpan<Poco>)value, output);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Poco[] Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        var pocos = new Poco[reader.Count(PocoItem.MinimumBytes)];
        for (int i = 0; i < pocos.Length; i++)
        {
            pocos[i] = PocoItem.Read(ref reader);
        }

        return pocos;
    }

    public static void Write(ReadOnlySpan<Poco> value, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        writer.Reserve(sizeof(int));
        writer.Int32(value.Length);
        foreach (Poco poco in value)
        {
            PocoItem.Write(poco, ref writer);
        }

        writer.Finish();
    }
}

internal readonly struct ListFloor : IFloor<List<Poco>>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(List<Poco> value, IBufferWriter<byte> output) => ArrayFloor.Write(CollectionsMarshal.AsSpan(value), output);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static List<Poco> Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        int count = reader.Count(PocoItem.MinimumBytes);
        var pocos = new List<Poco>(count);
        CollectionsMarshal.SetCount(pocos, count);
        foreach (ref Poco poco in CollectionsMarshal.AsSpan(pocos))
        {
            poco = PocoItem.Read(ref reader);
        }

        return pocos;
    }
}

internal readonly struct ImmutableListFloor : IFloor<ImmutableList<Poco>>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(ImmutableList<Poco> value, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        writer.Reserve(sizeof(int));
        writer.Int32(value.Count);
        foreach (Poco poco in value)
        {
            PocoItem.Write(poco, ref writer);
        }

        writer.Finish();
    }

    /// <summary>From a rented array, of which the tree is built at once: adding one by one would balance it again each time.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ImmutableList<Poco> Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        int count = reader.Count(PocoItem.MinimumBytes);
        Poco[] pocos = ArrayPool<Poco>.Shared.Rent(count);
        for (int i = 0; i < count; i++)
        {
            pocos[i] = PocoItem.Read(ref reader);
        }

        var list = ImmutableList.Create(pocos.AsSpan(0, count));
        ArrayPool<Poco>.Shared.Return(pocos, clearArray: true);
        return list;
    }
}

/// <summary>The count, then each key and its POCO.</summary>
internal readonly struct DictionaryFloor : IFloor<Dictionary<string, Poco>>
{
    private const int MinimumBytes = sizeof(ushort) + PocoItem.MinimumBytes;

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

    private static void WriteEntry(string key, Poco poco, ref SpanWriter writer)
    {
        writer.Reserve(SpanWriter.Room(key));
        writer.Text(key);
        PocoItem.Write(poco, ref writer);
    }
}

/// <summary>One block copy each way.</summary>
internal readonly struct IntsFloor : IFloor<int[]>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(int[] value, IBufferWriter<byte> output) => output.Write(MemoryMarshal.AsBytes(value.AsSpan()));

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int[] Read(ReadOnlySpan<byte> payload) => MemoryMarshal.Cast<byte, int>(payload).ToArray();
}

/// <summary>One block copy of UTF-16 each way.</summary>
internal readonly struct Utf16Floor : IFloor<string>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(string value, IBufferWriter<byte> output) => output.Write(MemoryMarshal.AsBytes(value.AsSpan()));

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Read(ReadOnlySpan<byte> payload) => new(MemoryMarshal.Cast<byte, char>(payload));
}

/// <summary>Transcoded to UTF-8 and back, as most formats do.</summary>
internal readonly struct Utf8Floor : IFloor<string>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(string value, IBufferWriter<byte> output)
    {
        Span<byte> span = output.GetSpan(Encoding.UTF8.GetMaxByteCount(value.Length));
        output.Advance(Encoding.UTF8.GetBytes(value, span));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Read(ReadOnlySpan<byte> payload) => Encoding.UTF8.GetString(payload);
}
