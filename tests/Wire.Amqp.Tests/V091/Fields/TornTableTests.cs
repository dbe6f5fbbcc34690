using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.V091.Fields;

public sealed class TornTableTests
{
    // Two tables of different lengths, of which another thread reads now the one, now the other, and now and then halves of both: a wrong
    // program, whose reads must not leave the arrays all the same.
    [Fact]
    public void A_table_that_another_thread_assigns_is_read_within_its_array()
    {
        FieldTable small = FieldTable.Create(new Dictionary<string, object?> { ["k"] = 1 });
        FieldTable large = FieldTable.Create(Enumerable.Range(0, 500).ToDictionary(i => $"key {i}", i => (object?)i));
        FieldTable shared = small;
        bool done = false;
        var writer = new Thread(() =>
        {
            for (int i = 0; i < 3_000_000; i++)
            {
                shared = (i & 1) == 0 ? small : large;
            }

            Volatile.Write(ref done, true);
        });
        writer.Start();
        while (!Volatile.Read(ref done))
        {
            Exception? e = Record.Exception(() => shared.Count);
            Assert.True(e is null or AmqpFormatException or ArgumentOutOfRangeException, $"{e}");
        }

        writer.Join();
    }
}
