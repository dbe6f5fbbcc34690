using Wire.Tests.Behaviour.Graphs;
using Wire.Tests.Faults;
using Wire.Tests.Testing;
using Wire.Tests.Types;
using Wire.Tests.ValueSerializers;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>What comes back as it was or is refused, and never as something else, by choices.</summary>
internal static class RightOrRefused
{
    private static readonly Lazy<Exception[]> Exceptions =
        new(() => [.. FrameworkExceptions.Classes.SelectMany(FrameworkExceptions.Made), .. FrameworkExceptions.Thrown()]);

    /// <summary>Types of one name, written by one program and read by another that allows one of them, both, or none.</summary>
    public static Violation? EqualNames(byte[] bytes)
    {
        var choices = new Choices(bytes);
        WireTypeFilter filter = WireTypeFilter.Default;
        bool isPayment = false, isRefund = false;
        for (int i = choices.Pick(4); i > 0; i--)
        {
            switch (choices.Pick(6))
            {
                case 0:
                    (filter, isPayment) = (filter.Allow<SharedNameTests.Payment>(), true);
                    break;
                case 1:
                    (filter, isRefund) = (filter.AllowDerivedFrom<SharedNameTests.Refund>(), true);
                    break;
                case 2:
                    (filter, isPayment, isRefund) = (filter.AllowDerivedFrom<SharedNameTests.Booking>(), true, true);
                    break;
                case 3:
                    (filter, isPayment, isRefund) = (filter.AllowWhere((name, _) => name.Contains("SharedName")), true, true);
                    break;
                case 4:
                    filter = filter.DenyWhere((name, _) => name.EndsWith("Payment", StringComparison.Ordinal));
                    break;
                default:
                    filter = filter.Deny<SharedNameTests.Refund>();
                    break;
            }
        }

        isPayment &= !filter.ToString().Contains("DenyWhere", StringComparison.Ordinal);
        isRefund &= !filter.ToString().Contains("Deny(", StringComparison.Ordinal);
        SharedNameTests.Booking[] bookings = new SharedNameTests.Booking[1 + choices.Pick(4)];
        for (int i = 0; i < bookings.Length; i++)
        {
            bookings[i] = choices.OneIn(2) ? new SharedNameTests.Payment(i) : new SharedNameTests.Refund(i);
        }

        var reader = new Serializer(new SerializerOptions { TypeFilter = filter, DynamicCode = choices.OneIn(2) });
        byte[] payload = new Serializer().Serialize(bookings);
        SharedNameTests.Booking[] read;
        try
        {
            read = reader.Deserialize<SharedNameTests.Booking[]>(payload)!;
        }
        catch (TypeRefusedException)
        {
            return isPayment != isRefund ? new("equal names", "refused", $"{filter} refuses the one type that it allows.") : null;
        }

        // Where a reader has one of the two types alone, it cannot know of the other.
        Type? only = isPayment == isRefund ? null : isPayment ? typeof(SharedNameTests.Payment) : typeof(SharedNameTests.Refund);
        return Array.TrueForAll(read, booking => booking.GetType() == only)
            ? null
            : new("equal names", "misread", $"{filter} reads {Text(read)} of {Text(bookings)}.");
    }

    /// <summary>A collection that another thread changes while it is written and copied.</summary>
    public static Violation? Changing(byte[] bytes)
    {
        var choices = new Choices(bytes);
        (string name, Func<object> make, Action<object, int> change) = choices.Of(ChangingTests.Changing);
        object shared = make();
        Serializer serializer = SerializerOf(choices);
        int[] changes = [.. Enumerable.Range(0, 40).Select(_ => 1 + choices.Pick(1 << 16))];
        bool hasEnded = false;
        var changing = new Thread(() =>
        {
            for (int i = 0; !Volatile.Read(ref hasEnded); i++)
            {
                change(shared, changes[i % changes.Length]);
            }
        });
        changing.Start();
        try
        {
            for (int i = 0; i < 20; i++)
            {
                try
                {
                    object back = i % 2 == 0 ? serializer.Deserialize<object>(serializer.Serialize(shared))! : serializer.Clone(shared);
                    if (back.GetType() != shared.GetType())
                    {
                        return new("changing", "misread", $"{name} comes back as {back.GetType()}.");
                    }
                }
                catch (Exception e) when (ChangingTests.IsTorn(e))
                {
                    // Nothing tells, but reading does.
                }
                catch (InvalidOperationException)
                {
                    // It was seen to change.
                }
                catch (WireFormatException e)
                {
                    return new("changing", "unreadable", $"{name}: {e.Message}");
                }
            }
        }
        finally
        {
            hasEnded = true;
            changing.Join();
        }

        return null;
    }

    /// <summary>Exceptions of .NET, alone, inside each other and in collections, and all that they say.</summary>
    public static Violation? ExceptionDetails(byte[] bytes)
    {
        var choices = new Choices(bytes);
        Serializer serializer = SerializerOf(choices);
        Exception[] samples = [.. Enumerable.Range(0, 1 + choices.Pick(4)).Select(_ => choices.Of(Exceptions.Value))];
        Exception[] back = choices.Pick(4) switch
        {
            0 => serializer.Deserialize<Exception[]>(serializer.Serialize(samples))!,
            1 => serializer.Clone(samples),
            2 => [.. serializer.Deserialize<AggregateException>(serializer.Serialize(new AggregateException(samples)))!.InnerExceptions],
            _ => [.. samples.Select(sample => serializer.Deserialize<Exception>(serializer.Serialize(sample))!)],
        };
        for (int i = 0; i < samples.Length; i++)
        {
            if (back[i].GetType() != samples[i].GetType() || ExceptionDetailTests.Lost(samples[i], back[i]).FirstOrDefault() is { } lost)
            {
                return new("exceptions", "lost", $"{samples[i].GetType()} comes back as {back[i].GetType()}: " +
                    string.Join(", ", ExceptionDetailTests.Lost(samples[i], back[i])));
            }
        }

        return null;
    }

    private static Serializer SerializerOf(Choices choices) =>
        new(new SerializerOptions { PreserveObjectReferences = choices.OneIn(2), DynamicCode = choices.OneIn(2) });

    private static string Text(object[] values) => string.Join(", ", values);
}
