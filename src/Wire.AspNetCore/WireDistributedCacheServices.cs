using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary><see cref="WireDistributedCache"/> as a service.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public static class WireDistributedCacheServices
{
    /// <summary>Adds a typed face of the program's <see cref="IDistributedCache"/>, as a singleton.</summary>
    /// <param name="services">The services of the program.</param>
    /// <param name="options">The options; the type filter says what an entry may name beside the type that is asked for.</param>
    /// <param name="unreadable">
    /// The callback for an entry that cannot be read, which then counts as one that is not there; null throws its exception.
    /// </param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static IServiceCollection AddWireDistributedCache(
        this IServiceCollection services, SerializerOptions options, Action<string, WireFormatException>? unreadable = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        var serializer = new Serializer(options);
        return services.AddSingleton(
            provider => new WireDistributedCache(provider.GetRequiredService<IDistributedCache>(), serializer, unreadable));
    }

    /// <summary>Adds a typed face of one of several caches, under the key of the cache.</summary>
    /// <param name="services">The services of the program.</param>
    /// <param name="serviceKey">The key of the <see cref="IDistributedCache"/>, and of the service that is added.</param>
    /// <param name="options">The options; the type filter says what an entry may name beside the type that is asked for.</param>
    /// <param name="unreadable">
    /// The callback for an entry that cannot be read, which then counts as one that is not there; null throws its exception.
    /// </param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static IServiceCollection AddKeyedWireDistributedCache(
        this IServiceCollection services,
        object serviceKey,
        SerializerOptions options,
        Action<string, WireFormatException>? unreadable = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(serviceKey);
        var serializer = new Serializer(options);
        return services.AddKeyedSingleton(
            serviceKey,
            (provider, key) => new WireDistributedCache(provider.GetRequiredKeyedService<IDistributedCache>(key), serializer, unreadable));
    }
}
