namespace Buses;

/// <summary>What consumers ask for.</summary>
public abstract record Message(int Id);

public sealed record OrderPlaced(int Id, string Customer, Payment Payment) : Message(Id);

public abstract record Payment(decimal Amount);

public sealed record CardPayment(decimal Amount, string LastDigits) : Payment(Amount);
