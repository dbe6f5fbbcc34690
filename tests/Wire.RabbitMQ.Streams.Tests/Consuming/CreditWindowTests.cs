using FsCheck;
using FsCheck.Fluent;
using Wire.RabbitMQ.Streams.Consuming;

namespace Wire.RabbitMQ.Streams.Tests.Consuming;

/// <summary>How many chunks may come ahead.</summary>
public sealed class CreditWindowTests
{
    [Fact]
    public void Small_chunks_come_by_number_and_credit_is_given_in_halves()
    {
        var credit = new CreditWindow(32, 1 << 24);
        Assert.Equal(4, credit.First);
        Assert.True(credit.TryArrive(50_000));
        credit.Left();
        Assert.Equal(29, credit.TakeDue()); // 3 are on their way
        for (int i = 0; i < 15; i++)
        {
            Assert.True(credit.TryArrive(50_000));
            credit.Left();
            Assert.Equal(0, credit.TakeDue());
        }

        Assert.True(credit.TryArrive(50_000));
        credit.Left();
        Assert.Equal(16, credit.TakeDue());
    }

    [Fact]
    public void What_comes_beyond_it_is_told()
    {
        var credit = new CreditWindow(32, 1 << 24);
        for (int i = 0; i < credit.First; i++)
        {
            Assert.True(credit.TryArrive(1));
        }

        Assert.False(credit.TryArrive(1));

        // It is for one that is taken that another may come.
        credit.Left();
        Assert.False(credit.TryArrive(1));
        Assert.Equal(29, credit.TakeAll());
        Assert.True(credit.TryArrive(1));
    }

    [Fact]
    public void Large_chunks_come_by_their_size_and_small_ones_again_when_those_are_over()
    {
        var credit = new CreditWindow(32, 1 << 24);
        int ahead = credit.First;
        Assert.Equal(8, After(chunks: 40, bytes: 1 << 21));
        Assert.Equal(2, After(chunks: 40, bytes: 1 << 27));
        Assert.Equal(32, After(chunks: 300, bytes: 1000));

        // How many may come when so many of a size have come and gone.
        int After(int chunks, int bytes)
        {
            for (int i = 0; i < chunks; i++)
            {
                Assert.True(credit.TryArrive(bytes));
                credit.Left();
                ahead += credit.TakeAll() - 1;
            }

            return ahead;
        }
    }

    [Fact]
    public void No_more_come_than_may_and_always_some() => Prop.ForAll(
        Gen.Choose(1, 1000).ToArbitrary(),
        Gen.Choose(1, 1 << 26).ToArbitrary(),
        Gen.Choose(1, 1 << 26).ArrayOf(100).ToArbitrary(),
        (most, bytes, sizes) =>
        {
            var credit = new CreditWindow(most, bytes);
            int ahead = credit.First;
            foreach (int size in sizes)
            {
                Assert.True(credit.TryArrive(size));
                credit.Left();
                ahead += credit.TakeDue() - 1;
                Assert.InRange(ahead, 1, most);
            }
        }).QuickCheckThrowOnFailure();
}
