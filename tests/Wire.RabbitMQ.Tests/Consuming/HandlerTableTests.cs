using Wire.RabbitMQ.Consuming;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>Which of several handlers gets an object.</summary>
public sealed class HandlerTableTests
{
    private interface IAnimal;

    private interface IPet : IAnimal;

    private interface IThing;

    [Fact]
    public void The_most_derived_one_wins_and_object_is_the_last()
    {
        Assert.Equal("Dog", Winner(typeof(Dog), typeof(object), typeof(IPet), typeof(Creature), typeof(Dog)));
        Assert.Equal("Creature", Winner(typeof(Dog), typeof(object), typeof(IPet), typeof(Creature)));
        Assert.Equal("IPet", Winner(typeof(Dog), typeof(object), typeof(IAnimal), typeof(IPet)));
        Assert.Equal("Object", Winner(typeof(string), typeof(IAnimal), typeof(object)));
        Assert.Null(Winner(typeof(string), typeof(IAnimal), typeof(Creature)));
    }

    [Fact]
    public void Of_interfaces_that_have_nothing_to_do_with_each_other_the_first_wins()
    {
        Assert.Equal("IThing", Winner(typeof(Dog), typeof(IThing), typeof(IPet)));
        Assert.Equal("IPet", Winner(typeof(Dog), typeof(IPet), typeof(IThing)));
    }

    [Fact]
    public void A_type_has_one_handler()
    {
        var table = new HandlerTable();
        table.Add(typeof(Dog), (_, _) => Task.CompletedTask);
        Assert.Throws<ArgumentException>(() => table.Add(typeof(Dog), (_, _) => Task.CompletedTask));
        Assert.Throws<ArgumentException>(() => table.Add(typeof(int?), (_, _) => Task.CompletedTask));
    }

    private static string? Winner(Type type, params Type[] handled)
    {
        var table = new HandlerTable();
        string? winner = null;
        foreach (Type each in handled)
        {
            table.Add(each, (_, _) =>
            {
                winner = each.Name;
                return Task.CompletedTask;
            });
        }

        for (int i = 0; i < 2; i++)
        {
            winner = null;
            _ = table.Find(type)?.Invoke(new object(), null!);
        }

        return winner;
    }

    private class Creature : IAnimal;

    private sealed class Dog : Creature, IPet, IThing;
}
