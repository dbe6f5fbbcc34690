using Microsoft.Extensions.Caching.Hybrid;
using Wire.AspNetCore.Caching;

namespace Wire.AspNetCore;

/// <summary>HybridCache for programs whose entries outlive their classes.</summary>
public static class WireHybridCache
{
    private const HybridCacheEntryFlags ReadsNothing =
        HybridCacheEntryFlags.DisableLocalCacheRead | HybridCacheEntryFlags.DisableDistributedCacheRead;

    // Callers at once share the making of a value, of which HybridCache keeps nothing under this key.
    private const string Replacement = " (replacement)";

    private static readonly HybridCacheEntryOptions _shared =
        new() { Flags = HybridCacheEntryFlags.DisableLocalCache | HybridCacheEntryFlags.DisableDistributedCache };

    /// <summary>
    /// Gets a value as <see cref="HybridCache.GetOrCreateAsync{T}(string, Func{CancellationToken, ValueTask{T}}, HybridCacheEntryOptions?,
    /// IEnumerable{string}?, CancellationToken)"/> does, and treats an entry that cannot be read as one that is not there: a new value is
    /// made, and overwrites it. HybridCache logs each such entry.
    /// </summary>
    /// <remarks>
    /// <para>
    /// An entry cannot be read if the filter refuses a type in it, an earlier or later release of the program wrote it with a class that
    /// does not fit, or it is damaged. <c>GetOrCreateAsync</c> itself throws the exception, each time until the entry expires. A value that
    /// cannot be read again right after it was made is an error of the program, and its exception comes out here too.
    /// </para>
    /// <para>
    /// Keys have no types: an entry that was written as another <typeparamref name="T"/>, and does not fit this one, is replaced as well,
    /// without an exception. Callers at once of one program make one value; several programs may make one each, of which the last stays.
    /// </para>
    /// <para>
    /// With <see cref="HybridCacheEntryFlags.DisableUnderlyingData"/> nothing is made, and an entry that cannot be read is left as it is:
    /// the result is the default of <typeparamref name="T"/>, as for one that is not there.
    /// </para>
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
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(factory);
        HybridCacheEntryFlags flags = options?.Flags ?? HybridCacheEntryFlags.None;
        bool isMade = false;
        try
        {
            return await cache.GetOrCreateAsync(key, MakeAsync, options, tags, cancellationToken).ConfigureAwait(false);
        }
        catch (WireFormatException unreadable) when (IsOfEntry(unreadable))
        {
            // HybridCache has logged it.
        }

        return (flags & HybridCacheEntryFlags.DisableUnderlyingData) != 0
            ? default!
            : await cache.GetOrCreateAsync(key + Replacement, ReplaceAsync, _shared, tags: null, cancellationToken).ConfigureAwait(false);

        bool IsOfEntry(WireFormatException unreadable) =>
            !isMade && (flags & ReadsNothing) != ReadsNothing && UnreadableEntry.IsOf(unreadable, cache, key);

        async ValueTask<T> MakeAsync(CancellationToken end)
        {
            try
            {
                T value = await factory(end).ConfigureAwait(false);
                isMade = true;
                return value;
            }
            catch (WireFormatException unreadable)
            {
                UnreadableEntry.LeaveFactory(unreadable, cache, key);
                throw;
            }
        }

        async ValueTask<T> ReplaceAsync(CancellationToken end)
        {
            try
            {
                // Another caller or program may have replaced the entry since it was read.
                return await cache.GetOrCreateAsync(key, MakeAsync, options, tags, end).ConfigureAwait(false);
            }
            catch (WireFormatException unreadable) when (IsOfEntry(unreadable))
            {
                // It has not.
            }

            T made = await factory(end).ConfigureAwait(false);
            await cache.SetAsync(key, made, options, tags, end).ConfigureAwait(false);
            return made;
        }
    }
}
