using Microsoft.Extensions.Caching.Hybrid;
using Wire.AspNetCore.Caching;

namespace Wire.AspNetCore;

/// <summary>HybridCache for programs whose entries outlive their classes.</summary>
public static class WireHybridCache
{
    /// <summary>
    /// Gets a value as <see cref="HybridCache.GetOrCreateAsync{T}(string, Func{CancellationToken, ValueTask{T}}, HybridCacheEntryOptions?,
    /// IEnumerable{string}?, CancellationToken)"/> does, and treats an entry that cannot be read as one that is not there: it is removed
    /// from all levels, and made anew. HybridCache logs each such entry.
    /// </summary>
    /// <remarks>
    /// An entry cannot be read if the filter refuses a type in it, an earlier or later release of the program wrote it with a class that
    /// does not fit, or it is damaged. <c>GetOrCreateAsync</c> itself throws the exception, each time until the entry expires. A value that
    /// cannot be read again right after it was made is an error of the program, and its exception comes out here too.
    /// </remarks>
    /// <param name="cache">The cache, with <see cref="WireHybridCacheSerializer{T}"/> for the type.</param>
    /// <param name="key">The key of the entry.</param>
    /// <param name="factory">Makes the value when the cache has none; its exceptions are passed on.</param>
    /// <param name="options">The options of the entry; null are those of the cache.</param>
    /// <param name="tags">The tags of the entry.</param>
    /// <param name="cancellationToken">Ends waiting.</param>
    /// <exception cref="WireFormatException">The value that was made anew cannot be read either.</exception>
    public static async ValueTask<T> GetOrReplaceAsync<T>(
        this HybridCache cache,
        string key,
        Func<CancellationToken, ValueTask<T>> factory,
        HybridCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(cache);
        try
        {
            return await cache.GetOrCreateAsync(key, factory, options, tags, cancellationToken).ConfigureAwait(false);
        }
        catch (WireFormatException unreadable) when (UnreadableEntry.IsMarked(unreadable))
        {
            // HybridCache has logged it.
        }

        await cache.RemoveAsync(key, cancellationToken).ConfigureAwait(false);
        return await cache.GetOrCreateAsync(key, factory, options, tags, cancellationToken).ConfigureAwait(false);
    }
}
