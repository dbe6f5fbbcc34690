using Xunit;

namespace Wire.Tests.Testing;

/// <summary>What a new session writes first: another header than that of a payload that stands alone, and numbered definitions.</summary>
internal static class SessionPayload
{
    private const byte SessionFlag = 0x04;

    public static byte[] First<T>(Serializer serializer, T value)
    {
        using SerializerSession session = serializer.GetSerializerSession();
        return serializer.Serialize(value, session);
    }

    /// <summary>The first message of a session begins like a payload that stands alone, but for the flag.</summary>
    public static void CheckHeader(byte[] alone, ReadOnlySpan<byte> first)
    {
        Assert.Equal(alone[0] | SessionFlag, first[0]);
        Assert.True(first.Length >= alone.Length, $"{first.Length} bytes in a session, {alone.Length} alone");
    }
}
