using Wire.Format;

namespace Wire.Slots;

/// <summary>The pairs of a dictionary.</summary>
internal interface IPairSerializer
{
    ValueSerializer Key { get; }

    ValueSerializer Value { get; }

    ValueSerializer Adapted(Shape map, AdaptContext context);

    /// <summary>The key of a pair.</summary>
    object? KeyOf(object pair);
}
