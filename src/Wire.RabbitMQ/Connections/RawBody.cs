using System.Buffers;

namespace Wire.RabbitMQ.Connections;

/// <summary>What is published is a body that is there already. It stays as it is until the task has ended, as do the properties.</summary>
internal readonly record struct RawBody(ReadOnlySequence<byte> Bytes);
