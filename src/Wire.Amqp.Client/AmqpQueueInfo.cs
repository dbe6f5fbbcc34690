namespace Wire.Amqp.Client;

/// <summary>A queue, as the broker saw it when it was asked.</summary>
/// <param name="Name">Its name: the one that the broker gave it, where it was asked to.</param>
/// <param name="MessageCount">How many messages were ready in it.</param>
/// <param name="ConsumerCount">How many consumers it had.</param>
public sealed record AmqpQueueInfo(string Name, uint MessageCount, uint ConsumerCount);
