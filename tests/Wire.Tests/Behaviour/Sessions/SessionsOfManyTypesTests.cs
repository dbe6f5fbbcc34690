namespace Wire.Tests.Behaviour.Sessions;

/// <summary>
/// Long-lived sessions of more types than have an identifier of one byte, which take turns, also when messages fail in between.
/// </summary>
public sealed class SessionsOfManyTypesTests
{
    private const int Rounds = 3;

    private static readonly Type[] Arguments =
    [
        typeof(bool), typeof(byte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong),
        typeof(float), typeof(double), typeof(decimal), typeof(Guid),
    ];

    // 144 types.
    private static readonly Type[] All =
        [.. from key in Arguments from value in Arguments select typeof(Couple<,>).MakeGenericType(key, value)];

    private static readonly Serializer Shared = new(SerializerOptions.Default with
    {
        TypeFilter = WireTypeFilter.Default.Allow(typeof(Couple<,>)).Allow<Owner>().Allow<First>().Allow<Second>().Allow<Stranger>(),
    });

    public interface IPart
    {
        int Number { get; set; }
    }

    [Fact]
    public void RootsOfManyTypesTakeTurns()
    {
        using SerializerSession writing = Shared.GetSerializerSession();
        using DeserializerSession reading = Shared.GetDeserializerSession();
        for (int i = 0; i < All.Length * Rounds; i++)
        {
            var sent = (Couple)Activator.CreateInstance(All[i * 7 % All.Length])!;
            sent.Number = i;
            byte[] message = Shared.Serialize<object>(sent, writing);
            object? got = i % 3 == 0 ? Shared.Deserialize<Couple>(message, reading) : Shared.Deserialize<object>(message, reading);

            Assert.Equal(sent.GetType(), got!.GetType());
            Assert.Equal(i, ((Couple)got).Number);
            Assert.True(i < All.Length || message.Length < 48, $"Message {i} defines its type again.");
        }
    }

    [Fact]
    public void TypesOfAFailedMessageAreDefinedAgainInAnotherOrder()
    {
        using SerializerSession writing = Shared.GetSerializerSession();
        using DeserializerSession reading = Shared.GetDeserializerSession();
        for (int i = 0; i + 1 < All.Length; i++)
        {
            object[] parts = [Activator.CreateInstance(All[i])!, Activator.CreateInstance(All[i + 1])!, Activator.CreateInstance(All[i])!];
            Assert.Throws<UnsupportedTypeException>(
                () => Shared.Serialize<object>(new object[] { parts[1], parts[0], parts[1], (Action)RootsOfManyTypesTakeTurns }, writing));

            var got = (object[])Shared.Deserialize<object>(Shared.Serialize<object>(parts, writing), reading)!;

            Assert.Equal(parts.Select(part => part.GetType()), got.Select(part => part.GetType()));
        }
    }

    [Fact]
    public void OneTypeStandsInVariablesOfSeveralTypes()
    {
        using SerializerSession writing = Shared.GetSerializerSession();
        using DeserializerSession reading = Shared.GetDeserializerSession();
        for (int i = 0; i < 20; i++)
        {
            var sent = new Owner
            {
                Part = i % 2 == 0 ? new First { Number = i } : new Second { Number = i },
                Any = i % 3 == 0 ? new First { Number = -i } : new Second { Number = -i },
                Exact = new Second { Number = i * 2 },
            };

            Owner got = Shared.Deserialize<Owner>(Shared.Serialize<object>(sent, writing), reading)!;

            Assert.Equal(sent.Part.GetType(), got.Part!.GetType());
            Assert.Equal(i, got.Part.Number);
            Assert.Equal(sent.Any.GetType(), got.Any!.GetType());
            Assert.Equal(-i, ((IPart)got.Any).Number);
            Assert.Equal(i * 2, got.Exact!.Number);
        }
    }

    [Fact]
    public void WhatFitsOneVariableIsRefusedInAnother()
    {
        using DeserializerSession reading = Shared.GetDeserializerSession();
        using SerializerSession writing = Shared.GetSerializerSession();
        byte[] fits = Shared.Serialize<object>(new Owner { Any = new First(), Part = new First() }, writing);
        byte[] again = Shared.Serialize<object>(new Owner { Any = new Stranger(), Part = new First() }, writing);
        Assert.NotNull(Shared.Deserialize<Owner>(fits, reading));
        Owner got = Shared.Deserialize<Owner>(again, reading)!;
        Assert.IsType<Stranger>(got.Any);

        // In the message that follows, the one identifier takes the place of the other.
        byte[] third = Shared.Serialize<object>(new Owner { Any = new Stranger(), Part = new First() }, writing);
        byte first = third.Last(b => b >= 0x80);
        byte stranger = third.Skip(2).First(b => b >= 0x80);
        Assert.NotEqual(first, stranger);
        byte[] swapped = [.. third.Take(2), .. third.Skip(2).Select(b => b == first ? stranger : b)];
        WireFormatException e = Assert.Throws<WireFormatException>(() => Shared.Deserialize<Owner>(swapped, reading));
        Assert.Equal(WireFormatError.TypeMismatch, e.Error);
        Assert.NotNull(Shared.Deserialize<Owner>(third, reading));
    }

    public abstract class Couple
    {
        public int Number { get; set; }
    }

    public sealed class Couple<TKey, TValue> : Couple
        where TKey : struct
        where TValue : struct
    {
        public TKey Key { get; set; }

        public TValue Value { get; set; }
    }

    public sealed class First : IPart
    {
        public int Number { get; set; }
    }

    public sealed class Stranger
    {
        public int Number { get; set; }
    }

    public class Second : IPart
    {
        public int Number { get; set; }
    }

    public sealed class Owner
    {
        public object? Any { get; set; }

        public IPart? Part { get; set; }

        public Second? Exact { get; set; }
    }
}
