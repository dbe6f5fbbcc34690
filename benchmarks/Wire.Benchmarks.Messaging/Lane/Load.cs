using Bench;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>What a message holds: an object, and its bytes, made beforehand.</summary>
/// <param name="Name">How large it is.</param>
/// <param name="Parcel">The object.</param>
/// <param name="Body">The same as bytes.</param>
internal sealed record Load(string Name, Parcel Parcel, byte[] Body)
{
    public static Load Small => field ??= Of("512 B", 512);

    public static Load Medium => field ??= Of("16 KB", 16 * 1024);

    public static Load Large => field ??= Of("1 MB", 1 << 20);

    private static Load Of(string name, int size) => new(name, Parcel.Create(size), Parcels.Body(size));
}
