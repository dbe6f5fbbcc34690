using System.Buffers;

namespace Wire.RabbitMQ.Connections;

/// <summary>A body that is there already, as it is published. It stays as it is until the task has ended, as do the properties.</summary>
internal readonly record struct RawBody(ReadOnlySequence<byte> Bytes);
