using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Caching.Hybrid;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>
/// A factory that gives HybridCache <see cref="WireHybridCacheSerializer{T}"/> for every type, or for some. Thread-safe. Add it with
/// <c>AddHybridCache().AddSerializerFactory(new WireHybridCacheSerializerFactory(options))</c>.
/// </summary>
/// <remarks>
/// Of several factories HybridCache asks the one that was added last first: with <see cref="Covers"/>, each can have types of its own.
/// Strings and byte arrays are HybridCache's own affair.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed class WireHybridCacheSerializerFactory : IHybridCacheSerializerFactory
{
    private readonly Serializer _serializer;

    /// <summary>Makes a factory whose serializers share one of the program's.</summary>
    /// <param name="serializer">The serializer of the entries.</param>
    public WireHybridCacheSerializerFactory(Serializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        _serializer = serializer;
    }

    /// <summary>Makes a factory with a serializer of its own.</summary>
    /// <param name="options">The options; the type filter says what an entry may name beside the type that is asked for.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public WireHybridCacheSerializerFactory(SerializerOptions options)
        : this(new Serializer(options))
    {
    }

    /// <summary>Gets the condition for types to which the factory applies; null, the default, is every type.</summary>
    public Func<Type, bool>? Covers { get; init; }

    /// <summary>Makes the serializer of a type, unless <see cref="Covers"/> leaves it to other factories.</summary>
    public bool TryCreateSerializer<T>([NotNullWhen(true)] out IHybridCacheSerializer<T>? serializer)
    {
        serializer = Covers is null || Covers(typeof(T)) ? new WireHybridCacheSerializer<T>(_serializer) : null;
        return serializer is not null;
    }
}
