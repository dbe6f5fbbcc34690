using System.Buffers;
using System.Text.Json;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore;

namespace Wire.Benchmarks.Integrations;

/// <summary>The serializers of HybridCache, and typed values in a distributed cache.</summary>
internal static class Caches
{
    public static IEnumerable<Candidate> Hybrid(OrderEvent message)
    {
        var services = new ServiceCollection();
        services.AddHybridCache();
        IHybridCacheSerializer<OrderEvent> json = services.BuildServiceProvider().GetServices<IHybridCacheSerializerFactory>()
            .Select(factory => factory.TryCreateSerializer(out IHybridCacheSerializer<OrderEvent>? made) ? made : null)
            .OfType<IHybridCacheSerializer<OrderEvent>>().Last();
        yield return New("System.Text.Json, the default", json);
        yield return New("Wire", new WireHybridCacheSerializer<OrderEvent>(Serializers.Plain));
        yield return New("Wire, known types", new WireHybridCacheSerializer<OrderEvent>(Serializers.Known));

        Candidate New(string name, IHybridCacheSerializer<OrderEvent> serializer)
        {
            var output = new ArrayBufferWriter<byte>(4096);
            return new(
                "IHybridCacheSerializer",
                name,
                () =>
                {
                    output.ResetWrittenCount();
                    serializer.Serialize(message, output);
                    return output.WrittenCount;
                },
                () => serializer.Deserialize(new ReadOnlySequence<byte>(output.WrittenMemory)));
        }
    }

    public static IEnumerable<Candidate> Distributed(OrderEvent message)
    {
        var arrays = new OneEntry();
        yield return new(
            "IDistributedCache",
            "System.Text.Json by hand",
            () =>
            {
                arrays.Set("key", JsonSerializer.SerializeToUtf8Bytes(message), new DistributedCacheEntryOptions());
                return arrays.Length;
            },
            () => JsonSerializer.Deserialize<OrderEvent>(arrays.Get("key"))!);

        var buffers = new OneEntry();
        var wire = new WireDistributedCache(buffers, Serializers.Plain);
        yield return new(
            "IDistributedCache",
            "Wire",
            () =>
            {
                wire.Set("key", message);
                return buffers.Length;
            },
            () => wire.Get<OrderEvent>("key")!);
    }

    /// <summary>A cache of one entry, which takes no memory for it after the first.</summary>
    private sealed class OneEntry : IBufferDistributedCache
    {
        private readonly byte[] _entry = new byte[4096];

        public int Length { get; private set; }

        public byte[]? Get(string key) => _entry[..Length];

        public void Set(string key, byte[] value, DistributedCacheEntryOptions options)
        {
            value.CopyTo(_entry, 0);
            Length = value.Length;
        }

        public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options)
        {
            value.CopyTo(_entry);
            Length = (int)value.Length;
        }

        public bool TryGet(string key, IBufferWriter<byte> destination)
        {
            destination.Write(_entry.AsSpan(0, Length));
            return true;
        }

        public Task<byte[]?> GetAsync(string key, CancellationToken token = default) => throw new NotSupportedException();

        public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default) =>
            throw new NotSupportedException();

        public ValueTask SetAsync(
            string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options, CancellationToken token = default) =>
            throw new NotSupportedException();

        public ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default) =>
            throw new NotSupportedException();

        public void Refresh(string key) => throw new NotSupportedException();

        public Task RefreshAsync(string key, CancellationToken token = default) => throw new NotSupportedException();

        public void Remove(string key) => throw new NotSupportedException();

        public Task RemoveAsync(string key, CancellationToken token = default) => throw new NotSupportedException();
    }
}
