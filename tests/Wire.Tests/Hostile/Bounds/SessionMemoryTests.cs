using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Hostile.Bounds;

/// <summary>What a session keeps in memory; nothing else may run beside it.</summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class SessionMemoryTests
{
    [Fact]
    public void A_session_keeps_no_more_of_definitions_than_the_limit_says()
    {
        const int Sent = 40 << 20;
        var serializer = new Serializer();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        long before = GC.GetTotalMemory(true);
        int sent = 0;
        WireFormatError? error = null;
        for (int i = 0; error is null && sent < Sent; i++)
        {
            // A list of a made-up schema, that has been passed over: nothing but its definition stays.
            byte[] nested = [.. Enumerable.Repeat((byte)0x41, 20), 0x15];
            byte[] schema = new PayloadWriter().Byte(0x44).Number(4000).Many(4000, (w, m) => w.Name($"{i}.{m}").Byte(nested)).Bytes;
            byte[] manifest =
            [
                .. new PayloadWriter().Number("None.Such, None".Length << 1).Byte(System.Text.Encoding.ASCII.GetBytes("None.Such, None"))
                    .Byte(1).Byte(schema).Bytes,
            ];
            byte[] message =
            [
                0x14,
                .. PayloadWriter.InSession(i, manifest),
                .. new PayloadWriter().Many(4000, (w, _) => w.Byte(0x00)).Bytes,
            ];
            sent += message.Length;
            try
            {
                serializer.Deserialize<object>(message, reading);
            }
            catch (WireFormatException e)
            {
                error = e.Error == WireFormatError.TypeNotFound || e.Error == WireFormatError.TypeRefused ? null : e.Error;
            }
        }

        Assert.Equal(WireFormatError.Limit, error);
        Assert.InRange(GC.GetTotalMemory(true) - before, 1 << 20, 60L * Limits.Default.MaxManifestBytes);
        Assert.InRange(sent, Limits.Default.MaxManifestBytes / 2, 2 * Limits.Default.MaxManifestBytes);
        GC.KeepAlive(reading);
    }
}
