namespace Wire.Amqp.Tests.Bodies;

/// <summary>The messages of the tests.</summary>
public abstract record Message(Guid Id);

/// <summary>One kind of message.</summary>
public sealed record OrderPlaced(Guid Id, string Customer, byte[] Attachment) : Message(Id)
{
    public bool Equals(OrderPlaced? other) =>
        other is not null && Id == other.Id && Customer == other.Customer && Attachment.AsSpan().SequenceEqual(other.Attachment);

    public override int GetHashCode() => Id.GetHashCode();
}

/// <summary>Another kind.</summary>
public sealed record Parcels(Guid Id, double[] Weights, string[] Labels) : Message(Id)
{
    public bool Equals(Parcels? other) =>
        other is not null && Id == other.Id && Weights.AsSpan().SequenceEqual(other.Weights) && Labels.AsSpan().SequenceEqual(other.Labels);

    public override int GetHashCode() => Id.GetHashCode();
}

/// <summary>Something around a message.</summary>
public sealed record Envelope<T>(T Content, Dictionary<string, int> Marks);
