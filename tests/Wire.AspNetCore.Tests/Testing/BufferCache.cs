using System.Buffers;
using System.Collections.Concurrent;
using Microsoft.Extensions.Caching.Distributed;

namespace Wire.AspNetCore.Tests.Testing;

/// <summary>A distributed cache that takes buffers, and in which the methods with arrays are not to be called.</summary>
internal sealed class BufferCache : IBufferDistributedCache
{
    public ConcurrentDictionary<string, byte[]> Entries { get; } = new();

    public int Removals { get; private set; }

    public DistributedCacheEntryOptions? LastOptions { get; private set; }

    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options)
    {
        LastOptions = options;
        if (Entries.TryGetValue(key, out byte[]? entry) && entry.Length == value.Length)
        {
            value.CopyTo(entry); // an entry of the same size takes no memory
            return;
        }

        Entries[key] = value.ToArray();
    }

    public async ValueTask SetAsync(
        string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options, CancellationToken token = default)
    {
        await Task.Yield(); // as one over a network
        token.ThrowIfCancellationRequested();
        Set(key, value, options);
    }

    public bool TryGet(string key, IBufferWriter<byte> destination)
    {
        if (!Entries.TryGetValue(key, out byte[]? entry))
        {
            return false;
        }

        destination.Write(entry);
        return true;
    }

    public async ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default)
    {
        await Task.Yield();
        token.ThrowIfCancellationRequested();
        return TryGet(key, destination);
    }

    public byte[]? Get(string key) => throw Unwanted();

    public Task<byte[]?> GetAsync(string key, CancellationToken token = default) => throw Unwanted();

    public void Set(string key, byte[] value, DistributedCacheEntryOptions options) => throw Unwanted();

    public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default) =>
        throw Unwanted();

    public void Refresh(string key)
    {
    }

    public Task RefreshAsync(string key, CancellationToken token = default) => Task.CompletedTask;

    public void Remove(string key)
    {
        Removals++;
        Entries.TryRemove(key, out _);
    }

    public Task RemoveAsync(string key, CancellationToken token = default)
    {
        Remove(key);
        return Task.CompletedTask;
    }

    private static InvalidOperationException Unwanted() => new("A cache that takes buffers is asked for an array.");
}
