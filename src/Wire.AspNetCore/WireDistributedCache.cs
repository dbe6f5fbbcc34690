using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Caching.Distributed;
using Wire.AspNetCore.Buffers;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>
/// A distributed cache whose values are objects. With an <see cref="IBufferDistributedCache"/> they are written to, and read from, pooled
/// memory; with any other <see cref="IDistributedCache"/>, through an array each. Thread-safe, as the cache below it is.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed class WireDistributedCache
{
    private static readonly DistributedCacheEntryOptions NoExpiration = new();

    private readonly IDistributedCache _cache;
    private readonly IBufferDistributedCache? _buffers;
    private readonly Serializer _serializer;
    private readonly Action<string, WireFormatException>? _unreadable;

    /// <summary>Makes a typed face of a cache.</summary>
    /// <param name="cache">The cache, which stays the caller's.</param>
    /// <param name="serializer">
    /// The serializer of the entries. Its type filter says what an entry may name beside the type that is asked for.
    /// </param>
    /// <param name="unreadable">
    /// The callback for an entry that cannot be read, with its key and the exception: such an entry then counts as one that is not there.
    /// Null, the default, throws the exception. Called on the thread that reads; what it throws reaches the caller.
    /// </param>
    public WireDistributedCache(IDistributedCache cache, Serializer serializer, Action<string, WireFormatException>? unreadable = null)
    {
        ArgumentNullException.ThrowIfNull(cache);
        ArgumentNullException.ThrowIfNull(serializer);
        _cache = cache;
        _buffers = cache as IBufferDistributedCache;
        _serializer = serializer;
        _unreadable = unreadable;
    }

    /// <summary>Gets the cache below.</summary>
    public IDistributedCache Cache => _cache;

    /// <summary>Writes an entry.</summary>
    /// <param name="key">The key of the entry.</param>
    /// <param name="value">The value; may be null.</param>
    /// <param name="options">When the entry expires; null is never, or when the cache decides.</param>
    /// <exception cref="UnsupportedTypeException">The value has a type that cannot be serialized. Nothing was written.</exception>
    /// <exception cref="ObjectGraphException">The graph has a cycle or exceeds a limit. Nothing was written.</exception>
    public void Set<T>(string key, T value, DistributedCacheEntryOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (_buffers is null)
        {
            _cache.Set(key, _serializer.Serialize(value), options ?? NoExpiration);
            return;
        }

        using var buffer = PooledBuffer.Rent();
        _serializer.Serialize(value, buffer);
        _buffers.Set(key, new ReadOnlySequence<byte>(buffer.Written), options ?? NoExpiration);
    }

    /// <inheritdoc cref="Set{T}(string, T, DistributedCacheEntryOptions?)"/>
    /// <param name="key">The key of the entry.</param>
    /// <param name="value">The value; may be null.</param>
    /// <param name="options">When the entry expires; null is never, or when the cache decides.</param>
    /// <param name="cancellationToken">Ends waiting for the cache.</param>
    public async ValueTask SetAsync<T>(
        string key, T value, DistributedCacheEntryOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (_buffers is null)
        {
            await _cache.SetAsync(key, _serializer.Serialize(value), options ?? NoExpiration, cancellationToken).ConfigureAwait(false);
            return;
        }

        // Not disposed of after a failure: a cache that was given up may still read the memory.
        var buffer = PooledBuffer.Rent();
        _serializer.Serialize(value, buffer);
        await _buffers.SetAsync(key, new ReadOnlySequence<byte>(buffer.Written), options ?? NoExpiration, cancellationToken)
            .ConfigureAwait(false);
        buffer.Dispose();
    }

    /// <summary>Reads an entry.</summary>
    /// <typeparam name="T">The type of the value, or a base class or interface of it.</typeparam>
    /// <param name="key">The key of the entry.</param>
    /// <returns>
    /// Found says that there is a readable entry, whose value may be null; otherwise the value is that of an unset variable.
    /// </returns>
    /// <exception cref="WireFormatException">
    /// The entry cannot be read, or, as <see cref="TypeRefusedException"/>, names a type that is not allowed, and no callback is set.
    /// </exception>
    public (bool Found, T? Value) TryGet<T>(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (_buffers is null)
        {
            return Read<T>(key, _cache.Get(key));
        }

        using var buffer = PooledBuffer.Rent();
        return _buffers.TryGet(key, buffer) ? Read<T>(key, buffer.Written.Span) : default;
    }

    /// <inheritdoc cref="TryGet{T}(string)"/>
    /// <param name="key">The key of the entry.</param>
    /// <param name="cancellationToken">Ends waiting for the cache.</param>
    public async ValueTask<(bool Found, T? Value)> TryGetAsync<T>(string key, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (_buffers is null)
        {
            return Read<T>(key, await _cache.GetAsync(key, cancellationToken).ConfigureAwait(false));
        }

        // Not disposed of after a failure of the cache, which may still write to the memory.
        var buffer = PooledBuffer.Rent();
        bool found = await _buffers.TryGetAsync(key, buffer, cancellationToken).ConfigureAwait(false);
        using (buffer)
        {
            return found ? Read<T>(key, buffer.Written.Span) : default;
        }
    }

    /// <summary>Reads an entry, or the value of an unset variable where there is none.</summary>
    /// <inheritdoc cref="TryGet{T}(string)" path="/typeparam|/param|/exception"/>
    public T? Get<T>(string key) => TryGet<T>(key).Value;

    /// <inheritdoc cref="Get{T}(string)"/>
    /// <param name="key">The key of the entry.</param>
    /// <param name="cancellationToken">Ends waiting for the cache.</param>
    public async ValueTask<T?> GetAsync<T>(string key, CancellationToken cancellationToken = default) =>
        (await TryGetAsync<T>(key, cancellationToken).ConfigureAwait(false)).Value;

    private (bool Found, T? Value) Read<T>(string key, byte[]? entry) => entry is null ? default : Read<T>(key, entry.AsSpan());

    private (bool Found, T? Value) Read<T>(string key, ReadOnlySpan<byte> entry)
    {
        try
        {
            return (true, _serializer.Deserialize<T>(entry));
        }
        catch (WireFormatException exception) when (_unreadable is not null)
        {
            _unreadable(key, exception);
            return default;
        }
    }
}
