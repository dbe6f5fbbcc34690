using MassTransit;

namespace Wire.MassTransit.Tests;

/// <summary>What consumers of an interface ask for.</summary>
public interface IOrderEvent
{
    Guid OrderId { get; }
}

/// <summary>What consumers of a base class ask for.</summary>
public abstract class OrderEvent : IOrderEvent
{
    public Guid OrderId { get; init; }
}

public sealed class OrderPlaced : OrderEvent
{
    public string Customer { get; init; } = "";

    public Payment? Payment { get; init; }

    public IPackaging? Packaging { get; init; }

    public object[] Notes { get; init; } = [];

    public Node? First { get; init; }

    public Node? Second { get; init; }

    /// <summary>Gets nothing: an interface of which MassTransit can make no class is no contract.</summary>
    public INotifying? Notifying { get; init; }

    /// <inheritdoc cref="Notifying"/>
    public IIndexed? Indexed { get; init; }

    /// <inheritdoc cref="Notifying"/>
    public IHiding? Hiding { get; init; }

    /// <inheritdoc cref="Notifying"/>
    public IWriting? Writing { get; init; }

    /// <inheritdoc cref="Notifying"/>
    public IReferring? Referring { get; init; }
}

public sealed class OrderShipped : OrderEvent
{
    public int Parcels { get; init; }
}

public abstract record Payment(decimal Amount);

public sealed record CardPayment(decimal Amount, string LastDigits) : Payment(Amount);

public interface IPackaging;

public interface INotifying
{
    event EventHandler Changed;
}

public interface IIndexed
{
    int this[int index] { get; }
}

public interface IHiding : IOrderEvent
{
    new string OrderId { get; }
}

public interface IWriting
{
    int Number { set; }
}

public interface IReferring
{
    ref readonly int Number { get; }
}

public sealed record Box(double Width) : IPackaging;

/// <summary>A part of a cycle.</summary>
public sealed class Node
{
    public string Name { get; init; } = "";

    public Node? Next { get; set; }
}

/// <summary>A contract without a class: MassTransit makes one when a message is sent as an anonymous object.</summary>
public interface ICustomerEvent
{
    int CustomerId { get; }
}

public interface ICustomerRegistered : ICustomerEvent
{
    string Name { get; }

    Payment Deposit { get; }

    IAddress Address { get; }

    IReadOnlyList<IAddress> Others { get; }
}

public interface IAddress
{
    string City { get; }
}

/// <summary>A contract that refers to itself.</summary>
public interface IFolder
{
    string Name { get; }

    IFolder Parent { get; }
}

public interface IFolderWithContent : IFolder
{
    IFolderWithContent[] Content { get; }
}

/// <summary>A generic contract, of a contract.</summary>
public interface IChanged<T>
{
    T Before { get; }

    T After { get; }
}

/// <summary>What a job consumer gets: MassTransit keeps it as a dictionary, and makes it anew by JSON.</summary>
public sealed record Crunching(string Text, CardPayment Payment);

/// <summary>A message that no class outside the assembly may implement or name.</summary>
internal sealed record Hidden(int Number);

public sealed record GetOrder(Guid OrderId);

public sealed record OrderFound(Guid OrderId, Payment Payment);

public interface IOrderMissing
{
    Guid OrderId { get; }

    string Reason { get; }
}

/// <summary>What an activity of a routing slip gets.</summary>
public sealed record ChargingArguments(decimal Amount);

/// <inheritdoc cref="ChargingArguments"/>
public sealed record StepArguments(string Name);

/// <summary>What an activity of a routing slip needs to be compensated.</summary>
public sealed record StepLog(string Name);

/// <summary>A message that says who sent another.</summary>
public sealed class Pong
{
    public HostInfo? Host { get; init; }
}

/// <summary>A message whose data is in a repository.</summary>
public sealed class Archive
{
    public MessageData<string>? Text { get; init; }

    public MessageData<byte[]>? Bytes { get; init; }

    public MessageData<Stream>? File { get; init; }

    public MessageData<Node>? Node { get; init; }

    public MessageData<string>? Missing { get; init; }
}

/// <summary>A message whose member no filter of the tests allows.</summary>
public sealed class Parcel
{
    public object? Content { get; init; }
}

public sealed record Stranger(string Name);

/// <summary>What an exception may hold, and cannot be shown.</summary>
public sealed class Wordless(bool hasText)
{
    public int Getter => throw new NullReferenceException("the getter");

    public override string ToString() => hasText ? "hidden" : throw new NullReferenceException("the text");
}

/// <summary>What the tests serialize with, and samples.</summary>
internal static class Shop
{
    public static SerializerOptions Options { get; } = new()
    {
        PreserveObjectReferences = true,
        TypeFilter = WireTypeFilter.Default
            .AllowDerivedFrom<OrderEvent>()
            .AllowDerivedFrom<Payment>()
            .AllowDerivedFrom<IPackaging>(),
    };

    public static OrderPlaced Order()
    {
        var node = new Node { Name = "first" };
        node.Next = new Node { Name = "second", Next = node };
        return new OrderPlaced
        {
            OrderId = new Guid("0f8fad5b-d9cb-469f-a165-70867728950e"),
            Customer = "Ada",
            Payment = new CardPayment(19.90m, "4242"),
            Packaging = new Box(0.1),
            Notes = [1, 2L, 3.5, 'x', "text", 1.10m, DateTimeKind.Utc, new CardPayment(1m, "1"), null!],
            First = node,
            Second = node,
        };
    }
}
