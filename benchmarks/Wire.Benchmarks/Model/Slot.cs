namespace Bench;

/// <summary>What all types of a sweep over types are derived from.</summary>
public abstract class Slot
{
    public int Number { get; set; }

    public string Text { get; set; } = "";
}

/// <summary>A type for each pair of arguments, all with the same members.</summary>
public sealed class Slot<TFirst, TSecond> : Slot;

/// <summary>Makes objects of as many types as are wanted.</summary>
internal static class SlotSamples
{
    private static readonly Type[] Arguments =
    [
        typeof(int), typeof(long), typeof(short), typeof(byte), typeof(sbyte), typeof(uint), typeof(ulong), typeof(ushort),
        typeof(float), typeof(double), typeof(decimal), typeof(char), typeof(bool), typeof(Guid), typeof(DateTime),
    ];

    /// <summary>The first of the types.</summary>
    public static Type[] Types(int count) =>
        [.. Arguments.SelectMany(first => Arguments.Select(second => typeof(Slot<,>).MakeGenericType(first, second))).Take(count)];

    /// <summary>The same objects in random order.</summary>
    public static object[] Shuffled(int types, int count)
    {
        object[] slots = Create(types, count);
        new Random(1).Shuffle(slots);
        return slots;
    }

    /// <summary>Objects of the types in turn.</summary>
    public static object[] Create(int types, int count)
    {
        Type[] all = Types(types);
        return [.. Enumerable.Range(0, count).Select(i => Create(all[i % types], i))];
    }

    public static bool Same(object[] left, object[] right) =>
        left.Length == right.Length && left.Zip(right).All(pair =>
            pair.First.GetType() == pair.Second.GetType()
            && pair is { First: Slot first, Second: Slot second } && first.Number == second.Number && first.Text == second.Text);

    private static Slot Create(Type type, int number)
    {
        var slot = (Slot)Activator.CreateInstance(type)!;
        slot.Number = number;
        slot.Text = "slot";
        return slot;
    }
}
