using Wire.Tests.Testing;
using static Wire.Tests.Behaviour.Histories.HistoryModel;

namespace Wire.Tests.Behaviour.Histories;

/// <summary>A message that was written.</summary>
/// <param name="Value">What was written.</param>
/// <param name="Bytes">As what.</param>
/// <param name="IsTyped">Whether the root's type is left out of the bytes.</param>
/// <param name="IsInSession">Whether it was written in the session, and not alone.</param>
internal sealed record Message(object Value, byte[] Bytes, bool IsTyped, bool IsInSession)
{
    /// <summary>Whether the reader's filter refuses something in it.</summary>
    public bool HasHidden { get; } = Holds(Value, value => value is Hidden or Hidden[] or List<Hidden>);

    /// <summary>Whether a conversion takes part in reading it.</summary>
    public bool HasActor { get; } = Holds(Value, value => value is Actor);

    /// <summary>A value that is made by choices.</summary>
    public static object Make(Choices choices, int depth = 0)
    {
        int cents = choices.Pick(100);
        string? to = choices.Of("Ada", "Bo", "\u4F60", "", null);
        return choices.Pick(depth < 3 ? 14 : 7) switch
        {
            0 => new Transfer { Cents = cents, To = to },
            1 or 2 => new Hidden { Cents = cents, To = to },
            3 => new Refund { Cents = cents, To = to },
            4 => new Deposit { Cents = cents, To = to },
            5 => new Fee { Cents = cents, To = to },
            6 => new Actor { Cents = cents, To = to },
            7 => new Transfer[] { new() { Cents = cents }, new() { To = to } },
            8 => new List<Hidden> { new() { Cents = cents, To = to } },
            9 => new List<Fee> { new() { Cents = cents, To = to } },
            10 => new Wrapped { Inside = Make(choices, depth + 1) },
            11 => new object?[] { Make(choices, depth + 1), cents, Make(choices, depth + 1) },
            _ => new Batch
            {
                First = [.. Enumerable.Range(0, choices.Pick(4)).Select(_ => Make(choices, depth + 1))],
                Rest = choices.OneIn(2) ? [Make(choices, depth + 1), null, Make(choices, depth + 1)] : null,
                Declared = choices.OneIn(3) ? new Transfer { Cents = cents, To = to } : null,
            },
        };
    }

    private static bool Holds(object? value, Predicate<object> holds) => value is not null && (holds(value) || value switch
    {
        Wrapped wrapped => Holds(wrapped.Inside, holds),
        object?[] items => items.Any(item => Holds(item, holds)),
        Batch batch => Holds(batch.First, holds) || (batch.Rest?.Any(item => Holds(item, holds)) ?? false),
        _ => false,
    });
}

/// <summary>What reaches the reader.</summary>
/// <param name="Message">The message that was sent.</param>
/// <param name="Bytes">The bytes that came.</param>
/// <param name="Asked">The type that the reader asks for.</param>
/// <param name="IsMissing">Whether conversions fail.</param>
internal sealed record Delivery(Message Message, byte[] Bytes, Type Asked, bool IsMissing)
{
    public bool IsWhole => ReferenceEquals(Bytes, Message.Bytes);

    /// <summary>Whether the type that is asked for is one that the value is of.</summary>
    public bool IsAskedRightly => Asked.IsInstanceOfType(Message.Value);

    /// <summary>Why it cannot be read though its bytes are right; null when it can.</summary>
    public string? Reason => !IsAskedRightly ? "asked for as another type"
        : Message.HasHidden ? "refused by the filter"
        : IsMissing && Message.HasActor ? "its conversion throws"
        : null;

    public override string ToString() =>
        Message.Value.GetType().Name + (IsWhole ? "" : " (damaged)") + (Reason is { } reason ? $" ({reason})" : "");
}
