using System.Buffers;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Bench;

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
