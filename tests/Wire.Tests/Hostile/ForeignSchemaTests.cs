using System.Runtime;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile;

/// <summary>Schemas that are not the program's own are compiled when they have paid for it, and made-up ones never.</summary>
public sealed class ForeignSchemaTests
{
    private const byte Int32 = 0x15;

    [Fact]
    public void No_value_of_one_message_has_its_schema_compiled()
    {
        Serializer serializer = Setup.Serializer(true);
        byte[] message = Message(schemas: 300, values: 200, seed: 0);
        _ = serializer.Deserialize<object>(Message(schemas: 2, values: 2, seed: 1));

        long compiled = Compiled(() => Assert.Equal(300 * 200, ((object[])serializer.Deserialize<object>(message)!).Length));

        // A method of each would be 300.
        Assert.InRange(compiled, 0, 100);
    }

    [Fact]
    public void What_comes_again_and_again_is_compiled_and_then_read_without_more_ado()
    {
        Serializer serializer = Setup.Serializer(true);
        byte[] message = Message(schemas: 1, values: 100, seed: 2);
        long interpreted = Allocated(serializer, message);
        for (int i = 0; i < 60; i++)
        {
            serializer.Deserialize<object>(message);
        }

        // By reflection each value takes a box more.
        long compiled = Allocated(serializer, message);
        Assert.InRange(interpreted - compiled, 100 * 24, long.MaxValue);
    }

    [Fact]
    public void What_never_came_has_paid_for_nothing()
    {
        // Values of 64 KB by the schema: of the first message's there is one byte, the second has its whole value.
        byte[] head =
        [
            0x10,
            .. new PayloadWriter().Definition(
                typeof(Kept), schema => schema.Byte(0x44, 0x02).Name("Value").Byte(Int32).Name("Zz").Byte(0x48).Number(1 << 16)).Bytes,
        ];
        byte[] cut = [.. head, 1];
        byte[] whole = [.. head, .. new byte[4 + (1 << 16)]];

        // Each with a serializer of its own, and the least counts: the runtime compiles stubs of its own at some times.
        Assert.Equal(0, LeastCompiled(serializer => Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(cut))));
        Assert.NotEqual(0, LeastCompiled(serializer => Assert.IsType<Kept>(serializer.Deserialize<object>(whole))));

        static long LeastCompiled(Action<Serializer> read) => Enumerable.Range(0, 5).Min(_ =>
        {
            Serializer serializer = Setup.Serializer(true);
            return Compiled(() =>
            {
                for (int i = 0; i < 20; i++)
                {
                    read(serializer);
                }
            });
        });
    }

    [Fact]
    public void A_few_large_messages_are_not_many()
    {
        byte[] message = Message(schemas: 1, values: 10_000, seed: 3);

        // Each with a serializer of its own, and the least counts: the runtime compiles stubs of its own at some times.
        long[] compiled = [.. Enumerable.Range(0, 6).Select(_ => long.MaxValue)];
        for (int i = 0; i < 10; i++)
        {
            Serializer serializer = Setup.Serializer(true);
            for (int j = 0; j < compiled.Length; j++)
            {
                compiled[j] = Math.Min(compiled[j], Compiled(() => serializer.Deserialize<object>(message)));
            }
        }

        // The fourth pays.
        Assert.Equal([0, 0, 0], compiled[..3]);
        Assert.NotEqual(0, compiled[3]);
        Assert.Equal([0, 0], compiled[4..]);
    }

    [Fact]
    public void However_many_come_again_only_so_many_are_compiled()
    {
        Serializer serializer = Setup.Serializer(true, o => o with { Limits = Limits.Default with { MaxSchemas = 4096 } });
        byte[] message = Message(schemas: 1000, values: 300, seed: 4);
        long compiled = Compiled(() =>
        {
            for (int i = 0; i < 6; i++)
            {
                Assert.Equal(300_000, ((object[])serializer.Deserialize<object>(message)!).Length);
            }
        });

        Assert.InRange(compiled, 200, 900);
    }

    [Fact]
    public void A_root_is_read_right_before_and_after()
    {
        Serializer serializer = Setup.Serializer(true);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int i = 0; i < 1000; i++)
        {
            byte[] alone = [0x10, .. Definition(7), .. BitConverter.GetBytes(i), 0, 0, 0, 0];
            Assert.Equal(i, Assert.IsType<Kept>(serializer.Deserialize<object>(alone)).Value);
            Assert.Equal(i, serializer.Deserialize<Kept>(alone)!.Value);
            byte[] inSession = i == 0
                ? [0x14, .. PayloadWriter.InSession(0, Definition(8)[2..]), .. BitConverter.GetBytes(i), 0, 0, 0, 0]
                : [0x14, 0x80, .. BitConverter.GetBytes(i), 0, 0, 0, 0];
            Assert.Equal(i, serializer.Deserialize<Kept>(inSession, reading)!.Value);
        }
    }

    // An array of as many objects of each schema.
    private static byte[] Message(int schemas, int values, int seed)
    {
        PayloadWriter payload = new PayloadWriter().Byte(0x10, 0x05, 0x2F).Number(schemas * values);
        for (int i = 0; i < schemas; i++)
        {
            payload.Byte(Definition((seed * 10_000) + i)).Byte(1, 0, 0, 0, 0, 0, 0, 0);
            for (int j = 1; j < values; j++)
            {
                _ = i < 0x80 ? payload.Byte((byte)(0x80 + i)) : payload.Byte(0x03).Number(i);
                payload.Byte(1, 0, 0, 0, 0, 0, 0, 0);
            }
        }

        return payload.Bytes;
    }

    private static byte[] Definition(int version) => new PayloadWriter()
        .Definition(typeof(Kept), schema => schema.Byte(0x44, 0x02).Name("Value").Byte(Int32).Name($"Zz{version}").Byte(Int32)).Bytes;

    private static long Compiled(Action action)
    {
        long before = JitInfo.GetCompiledMethodCount(currentThread: true);
        action();
        return JitInfo.GetCompiledMethodCount(currentThread: true) - before;
    }

    private static long Allocated(Serializer serializer, byte[] message)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        serializer.Deserialize<object>(message);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    public sealed class Kept
    {
        public int Value;
    }
}
