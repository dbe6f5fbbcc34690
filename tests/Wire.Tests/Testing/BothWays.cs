using System.Runtime.CompilerServices;
using Wire.Comparing;

namespace Wire.Tests.Testing;

/// <summary>Copies that are made without bytes, and by writing and reading.</summary>
internal static class BothWays
{
    // By the serializer that copies, and as it is but for the filter.
    private static readonly ConditionalWeakTable<Serializer, Serializer> Open = [];

    /// <summary>
    /// Copies a graph, and writes and reads it with every type allowed, as a copy needs no filter. Fails unless both are the same.
    /// </summary>
    /// <returns>What was read.</returns>
    public static T CopyBothWays<T>(this Serializer serializer, T value)
    {
        T copy = serializer.Clone(value);
        Serializer open = Open.GetValue(
            serializer, static own => new Serializer(own.Options with { TypeFilter = WireTypeFilter.Unrestricted }));
        T read = open.Deserialize<T>(open.Serialize(value))!;
        GraphAssert.Same(read, copy);
        return read;
    }
}
