namespace Wire.RabbitMQ.Streams;

/// <summary>Handles messages that came together: all of a chunk that are wanted, in their order, at least one.</summary>
/// <param name="messages">The messages, which are valid until the handler returns.</param>
public delegate void StreamBatchHandler(ReadOnlySpan<StreamMessage> messages);
