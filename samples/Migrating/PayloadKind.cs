namespace Shop;

/// <summary>Tells old payloads from new ones by their first bytes.</summary>
#region first bytes
internal static class PayloadKind
{
    public static bool IsWire(ReadOnlySpan<byte> bytes) => bytes is [>= 0x10 and <= 0x17, ..];

    // 00, the numbers of the root and of the header, version 1.0
    public static bool IsBinaryFormatter(ReadOnlySpan<byte> bytes) =>
        bytes is [0, _, _, _, _, _, _, _, _, 1, 0, 0, 0, 0, 0, 0, 0, ..];

    // An object that Hyperion or the original Wire wrote; strings, numbers and arrays begin with other bytes
    public static bool IsHyperion(ReadOnlySpan<byte> bytes) => bytes is [0xFB or 0xFE or 0xFF, ..];
}
#endregion
