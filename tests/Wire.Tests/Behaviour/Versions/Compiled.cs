namespace Wire.Tests.Behaviour.Versions;

/// <summary>Readers of foreign schemas, which are compiled only for those that have come often enough.</summary>
internal static class Compiled
{
    private const int Messages = 6;
    private const int Bytes = 24_000;

    /// <summary>Has a reader read so many values of a writer's schema that it compiles code for it, where it compiles any.</summary>
    public static void Once(Serializer writer, Serializer reader, object sample)
    {
        object[] many = [.. Enumerable.Repeat(sample, 1 + (Bytes / Math.Max(1, LengthInside(writer, sample))))];
        byte[] payload = writer.Serialize(many);
        for (int i = 0; i < Messages; i++)
        {
            Assert.Equal(many.Length, reader.Deserialize<object[]>(payload)!.Length);
        }
    }

    private static int LengthInside(Serializer writer, object sample) =>
        writer.Serialize<object[]>([sample, sample]).Length - writer.Serialize<object[]>([sample]).Length - 1;
}
