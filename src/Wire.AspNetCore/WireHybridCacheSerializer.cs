using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Caching.Hybrid;
using Wire.AspNetCore.Caching;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>A serializer of HybridCache for the values of one type. Thread-safe.</summary>
/// <remarks>
/// Reading throws <see cref="WireFormatException"/>, or the derived <see cref="TypeRefusedException"/>, which <c>GetOrCreateAsync</c>
/// passes on for as long as the entry lives: <see cref="WireHybridCache.GetOrReplaceAsync"/> makes such an entry anew.
/// </remarks>
/// <typeparam name="T">
/// The type that the program asks the cache for: an entry may name it, the types that its members declare, and what the serializer's type
/// filter allows.
/// </typeparam>
/// <param name="serializer">The serializer of the entries.</param>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed class WireHybridCacheSerializer<T>(Serializer serializer) : IHybridCacheSerializer<T>
{
    private readonly Serializer _serializer = serializer ?? throw new ArgumentNullException(nameof(serializer));

    /// <summary>Reads an entry.</summary>
    /// <exception cref="WireFormatException">The entry is no such payload, or names a type that is not allowed.</exception>
    public T Deserialize(ReadOnlySequence<byte> source)
    {
        try
        {
            return _serializer.Deserialize<T>(source)!;
        }
        catch (WireFormatException unreadable)
        {
            UnreadableEntry.Mark(unreadable);
            throw;
        }
    }

    /// <summary>Writes an entry, with the types of its objects.</summary>
    public void Serialize(T value, IBufferWriter<byte> target) => _serializer.Serialize(value, target);
}
