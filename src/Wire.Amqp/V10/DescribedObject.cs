namespace Wire.Amqp.V10;

/// <summary>A described value as <see cref="AmqpValue.ToObject"/> makes it.</summary>
/// <param name="Descriptor">What the value means.</param>
/// <param name="Value">The value.</param>
public sealed record DescribedObject(object? Descriptor, object? Value);
